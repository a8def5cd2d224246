import type { Client } from "../../db/pool.ts";
import type { RecordBody, Resource } from "../../engine/resources/resource.ts";
import { searchColumnNames } from "../../engine/resources/search-columns.ts";

const batchSize = 1000;

/** Derives every column from its body again and compares it with the stored one. */
export async function compareColumns(
  client: Client,
  resource: Resource,
): Promise<{ records: number; problems: string[] }> {
  const common = ["account_id", "id", "created_at", "updated_at", "deleted_at", "version"];
  const names = [...common, ...Object.keys(resource.derived), "body"];
  const problems: string[] = [];
  const stale = { found: 0, missed: 0 };
  let records = 0;
  let after = ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"];
  for (;;) {
    const { rows } = await client.query<Row>(
      `select ${names.join(", ")} from ${resource.table} where (account_id, id) > ($1::uuid, $2::uuid) order by account_id, id limit ${batchSize}`,
      after,
    );
    for (const row of rows) {
      const differing = differencesOf(resource, row);
      const ofSearch = differing.filter(({ name }) => isSearchColumn(name));
      if (ofSearch.length > 0) stale[ofSearch.every(isStillFound) ? "found" : "missed"] += 1;
      for (const { name, stored, wanted } of differing.filter((one) => !ofSearch.includes(one)))
        problems.push(`${resource.table} ${row.id}: ${name} es ${asText(stored)} y el cuerpo dice ${asText(wanted)}`);
    }
    records += rows.length;
    const last = rows.at(-1);
    if (!last) return { records, problems: [...problems, ...searchProblems(resource, stale)] };
    after = [String(last.account_id), String(last.id)];
  }
}

type Row = Record<string, unknown>;

interface Difference {
  name: string;
  stored: unknown;
  wanted: unknown;
}

function differencesOf(resource: Resource, row: Row): Difference[] {
  const body = JSON.parse(row.body as string) as RecordBody;
  const expected: Row = { id: body.id, created_at: body.created_at, updated_at: body.updated_at };
  if (body.deleted_at !== undefined) expected.deleted_at = body.deleted_at;
  // A process of the former release leaves the column as it is, and the count goes on from there.
  if (((row.version as number | null) ?? 0) < (body.version ?? 0)) expected.version = body.version;
  for (const [name, { from }] of Object.entries(resource.derived)) expected[name] = from(body, String(row.account_id));
  return Object.entries(expected)
    .map(([name, wanted]) => ({ name, stored: row[name], wanted }))
    .filter(({ stored, wanted }) => asText(stored) !== asText(wanted));
}

function isSearchColumn(name: string): boolean {
  return (searchColumnNames as readonly string[]).includes(name);
}

/** A record with more keys than it needs, or the same in another order, is found by the same searches. */
function isStillFound({ name, stored, wanted }: Difference): boolean {
  if (name !== "search_keys") return false;
  const kept = new Set(stored as number[]);
  return (wanted as number[]).every((key) => kept.has(key));
}

function searchProblems({ table }: Resource, { found, missed }: { found: number; missed: number }): string[] {
  const mend = "Póngalas al día con: npx mostrador reindex";
  return [
    ...(found > 0
      ? [`${table}: ${found} con claves de búsqueda de una versión anterior; las búsquedas los encuentran. ${mend}`]
      : []),
    ...(missed > 0
      ? [
          `${table}: ${missed} con claves de búsqueda que no son las suyas; hay búsquedas que no los encuentran. ${mend}`,
        ]
      : []),
  ];
}

/** The same text for a value from a column and from a body. */
function asText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:/i.test(value)) return new Date(value).toISOString();
  return JSON.stringify(value ?? null);
}
