import type { Client } from "../../db/pool.ts";
import type { RecordBody, Resource } from "../../engine/resources/resource.ts";

const batchSize = 1000;

/** Derives every column from its body again and compares it with the stored one. */
export async function compareColumns(
  client: Client,
  resource: Resource,
): Promise<{ records: number; problems: string[] }> {
  const common = ["account_id", "id", "created_at", "updated_at", "deleted_at"];
  const names = [...common, ...Object.keys(resource.derived), "body"];
  const problems: string[] = [];
  let records = 0;
  let after = ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"];
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(
      `select ${names.join(", ")} from ${resource.table} where (account_id, id) > ($1::uuid, $2::uuid) order by account_id, id limit ${batchSize}`,
      after,
    );
    for (const row of rows) problems.push(...rowProblems(resource, row));
    records += rows.length;
    const last = rows.at(-1);
    if (!last) return { records, problems };
    after = [String(last.account_id), String(last.id)];
  }
}

function rowProblems(resource: Resource, row: Record<string, unknown>): string[] {
  const body = JSON.parse(row.body as string) as RecordBody;
  const expected: Record<string, unknown> = { id: body.id, created_at: body.created_at, updated_at: body.updated_at };
  if (body.deleted_at !== undefined) expected.deleted_at = body.deleted_at;
  for (const [name, { from }] of Object.entries(resource.derived)) expected[name] = from(body, String(row.account_id));
  return Object.entries(expected).flatMap(([name, value]) =>
    asText(row[name]) === asText(value)
      ? []
      : [`${resource.table} ${row.id}: ${name} es ${asText(row[name])} y el cuerpo dice ${asText(value)}`],
  );
}

/** The same text for a value from a column and from a body. */
function asText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:/i.test(value)) return new Date(value).toISOString();
  return JSON.stringify(value ?? null);
}
