import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";

export interface NamedRegister {
  id: string;
  name: string;
}

/** The account's registers in use, the oldest first. */
export async function registersInUse(db: Queryable, accountId: string): Promise<NamedRegister[]> {
  const { rows } = await db.query<NamedRegister>(
    sql`select id, name from devices where account_id = ${accountId} and revoked_at is null order by created_at, id`,
  );
  return rows;
}

async function namesInUse(db: Queryable, accountId: string, exceptId?: string): Promise<ReadonlySet<string>> {
  const registers = await registersInUse(db, accountId);
  return new Set(registers.filter(({ id }) => id !== exceptId).map(({ name }) => sameFor(name)));
}

/** As people would take two names for the same. */
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

/** What a register's shift is called: as the register says, unless another register has that name. */
export function shiftName(said: string, ownId: string, registers: readonly NamedRegister[]): string {
  const isOthers = registers.some(({ id, name }) => id !== ownId && sameFor(name) === sameFor(said));
  return (isOthers && registers.find(({ id }) => id === ownId)?.name) || said;
}

/** Registers that have the name of an older one: they were given it before names were unique. */
export function laterOfOneName(registers: readonly NamedRegister[]): NamedRegister[] {
  const taken = new Set<string>();
  return registers.filter(({ name }) => {
    const isTaken = taken.has(sameFor(name));
    taken.add(sameFor(name));
    return isTaken;
  });
}

export function nameInUse(name: string): string {
  return `Ya hay una caja que se llama «${name}». Use otro nombre, o retire primero la que lo tiene si ya no la usa.`;
}
