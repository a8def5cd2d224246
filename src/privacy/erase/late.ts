import { ofAllAccounts } from "../../db/nodes.ts";
import { prepared, sql } from "../../db/sql.ts";
import { day } from "../../lib/clock.ts";
import { searchedTable } from "../mentions.ts";
import type { Person } from "../person.ts";
import { tracesOf } from "../traces.ts";
import { type Erasing, eraseInRecords } from "./records.ts";
import { eraseInRows } from "./rows.ts";
import type { ErasingDeps } from "./run.ts";

/** Longer than a register keeps what it uploads. */
const lateDays = 180;
const mostAtOnce = 1_000;

/**
 * Cleans what registers that were away uploaded of her after the erasure had ended: sales and quotes that name her record. Who she
 * was is not known any more, and need not be. Returns how many.
 */
export async function eraseLate(deps: ErasingDeps, now: Date): Promise<number> {
  const ended = await ofAllAccounts(deps.pool, async (part) => {
    const text = `select account_id, id, customer_ids, finished_at from erasures
      where finished_at > $1 and customer_ids <> '{}' and ${part.of("account_id", 2)}`;
    const values = [new Date(now.getTime() - lateDays * day), ...part.values];
    return (await deps.pool.query<EndedErasure>(prepared(text, values))).rows;
  });
  let cleaned = 0;
  for (const erasure of ended) cleaned += await eraseAfter(deps, erasure);
  return cleaned;
}

interface EndedErasure {
  account_id: string;
  id: string;
  customer_ids: string[];
  finished_at: Date;
}

async function eraseAfter(deps: ErasingDeps, erasure: EndedErasure): Promise<number> {
  const { account_id: accountId, id: erasureId, customer_ids: customerIds, finished_at } = erasure;
  const person: Person = { ...nobody, customerIds };
  const erasing: Erasing = { deps, accountId, erasureId, person, traces: tracesOf(person) };
  let cleaned = 0;
  for (const table of ["sales", "quotes"] as const) {
    const { rows } = await deps.pool.query<{ id: string }>({
      text: `select id from ${table} where account_id = $1 and customer_id = any($2::uuid[]) and created_at > $3
        order by created_at desc limit ${mostAtOnce}`,
      values: [accountId, customerIds, finished_at],
    });
    cleaned += await eraseInRecords(
      erasing,
      table,
      rows.map(({ id }) => id),
    );
  }
  if (cleaned === 0) return 0;
  const events = await searchedTable(deps.pool, "events");
  for (let from: string[] | undefined = [finished_at.toISOString(), nil]; from; )
    ({ last: from } = await eraseInRows(erasing, events, from));
  await deps.pool.query(sql`
    update erasures set counts = (counts::jsonb || jsonb_build_object('late', coalesce((counts->>'late')::int, 0) + ${cleaned}::int))::json
    where account_id = ${accountId} and id = ${erasureId}`);
  return cleaned;
}

const nil = "00000000-0000-0000-0000-000000000000";
const nobody = {
  by: "document",
  saleIds: [],
  emails: [],
  phones: [],
  documents: [],
  names: [],
} satisfies Partial<Person>;
