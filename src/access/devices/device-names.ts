import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";

/** Names of one account's registers in use, as people would take them for the same. */
async function namesInUse(db: Queryable, accountId: string, exceptId?: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    sql`select id, name from devices where account_id = ${accountId} and revoked_at is null`,
  );
  return new Set(rows.filter(({ id }) => id !== exceptId).map(({ name }) => sameFor(name)));
}

const sameFor = (name: string) => name.normalize("NFC").toLocaleLowerCase("es").replace(/\s+/g, " ").trim();

export async function isNameInUse(db: Queryable, accountId: string, name: string, exceptId?: string): Promise<boolean> {
  return (await namesInUse(db, accountId, exceptId)).has(sameFor(name));
}

/** The name, with a number behind it when another register took it since the code was made. */
export async function freeName(db: Queryable, accountId: string, name: string): Promise<string> {
  const inUse = await namesInUse(db, accountId);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} (${number})`;
    if (!inUse.has(sameFor(candidate))) return candidate;
  }
}

export function nameInUse(name: string): string {
  return `Ya hay una caja que se llama «${name}». Use otro nombre, o retire primero la que lo tiene si ya no la usa.`;
}
