import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";

/** Of which sedes a paper or a file is, in a business that has several. */
export interface WhichSedes {
  /** "Centro (0001)" */
  labels: string[];
  /** "Centro", "Centro, Norte", "Todas" */
  words: string;
  /** What its file's name ends in, in letters that every system takes; empty where it is of the whole. */
  mark: string;
}

/** Undefined for a business with one, which is told nothing of sedes. */
export async function whichSedes(
  db: Queryable,
  accountId: string,
  ids: readonly string[] | null,
): Promise<WhichSedes | undefined> {
  const { rows } = await db.query<{ id: string; name: string; code: string | null }>(sql`
    select id, body->>'name' as name, body->>'establishment_code' as code from locations
    where account_id = ${accountId} order by id <> account_id, active desc, created_at, id`);
  if (rows.length < 2) return undefined;
  const meant = ids === null ? rows : rows.filter(({ id }) => ids.includes(id));
  const names = meant.map(({ name }) => name);
  return {
    labels: meant.map(({ name, code }) => sedeLabel(name, code)),
    words: ids === null ? "Todas" : names.join(", "),
    mark: ids === null ? "" : names.length > maxNamed ? `${names.length}-sedes` : names.map(plain).join("-"),
  };
}

/** More make a name that no list of files shows. */
const maxNamed = 3;

export const sedeLabel = (name: string, code: string | null) => (code ? `${name} (${code})` : name);

function plain(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replaceAll(/[^\w.]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
