import { newCatalog } from "../../register/catalog.ts";
import { journalsOf, readJournal } from "../../register/stores/file-store.ts";
import { syncClient } from "../../register/sync-client.ts";
import type { Register } from "../../simulator/register.ts";
import { deltaMilli } from "../../src/business/inventory/ledger.ts";
import { canonicalJson } from "../../src/lib/json.ts";
import { enrol } from "./register.ts";
import type { Service } from "./service.ts";

/** What the simulated shop knows besides the registers' own journals. */
export interface Known {
  /** Every stock movement, whoever made it. */
  movements: Map<string, { product_id: string; type: string; quantity: number }>;
  /** Successful writes through the API: each took one seq. */
  apiWrites: number;
}

/** Everything that must hold once all have synchronized; one line per violation. */
export async function floorProblems(
  service: Service,
  accountId: string,
  desks: readonly { register: Register; folders: readonly string[] }[],
  known: Known,
): Promise<string[]> {
  const { pool } = service.deps;
  const problems: string[] = [];
  const rows = async (text: string) => (await pool.query(text, [accountId])).rows;

  // All registers and a new one agree.
  const newcomer = newCatalog();
  const { token } = await enrol(service, accountId);
  const { changes, has_more } = await syncClient(service.baseUrl).changes(token, "", 0);
  if (has_more) problems.push("the snapshot has more than a page");
  for (const change of changes) newcomer.take(change);
  for (const type of ["customer", "category", "product", "warehouse", "quote", "stock_movement"]) {
    const expected = textOf(newcomer.all(type));
    desks.forEach(({ register }, i) => {
      const got = textOf(register.catalog.all(type));
      if (got !== expected) problems.push(`register ${i} has other ${type}s:\n  ${got}\n  ${expected}`);
    });
  }

  // Nothing acknowledged is missing or replaced by another register's version.
  const sales = new Map(
    (await rows("select id, status from sales where account_id = $1")).map((row) => [row.id, row.status]),
  );
  const movements = new Set((await rows("select id from stock_movements where account_id = $1")).map((row) => row.id));
  for (const { folders } of desks) {
    const versions = new Map<string, string[]>();
    for (const folder of folders) {
      for (const file of journalsOf(folder)) {
        const { entries, acked } = readJournal(file);
        for (const { type, id, data } of entries.slice(0, acked)) {
          const { status } = data as { status: string };
          if (type === "sale") versions.set(id, [...(versions.get(id) ?? []), status]);
          if (type === "stock_movement" && !movements.has(id)) problems.push(`movement ${id} was acked and is missing`);
        }
      }
    }
    for (const [id, statuses] of versions) {
      const status = sales.get(id);
      const isRight = folders.length > 1 ? statuses.includes(status) : statusAfter(statuses) === status;
      if (!isRight) problems.push(`sale ${id} is ${status}; its register had ${statuses.join(", ")}`);
    }
  }

  // Stock is the sum of all movements.
  const sums = new Map<string, number>();
  for (const [id, { product_id, type, quantity }] of known.movements) {
    const delta = deltaMilli({ type, quantity, origin_type: null, sale_id: null });
    if (movements.has(id)) sums.set(product_id, (sums.get(product_id) ?? 0) + delta);
  }
  for (const { id, stock_milli } of await rows("select id, stock_milli from products where account_id = $1"))
    if (stock_milli !== (sums.get(id) ?? 0)) problems.push(`product ${id} has ${stock_milli}, moved ${sums.get(id)}`);

  // Every seq was used by exactly one write.
  const [clock] = await rows("select seq from account_clock where account_id = $1");
  const [pushes] = await rows("select count(distinct seq) from push_receipts where account_id = $1");
  if (clock.seq !== pushes.count + known.apiWrites)
    problems.push(`seq is ${clock.seq} after ${pushes.count} pushes and ${known.apiWrites} API writes`);

  const [aside] = await rows("select count(*) from quarantined_records where account_id = $1");
  if (aside.count > 0) problems.push(`${aside.count} records were set aside`);

  const repeated = await rows(`
    select type, body->'data'->'object'->>'id' as id from events
    where account_id = $1 and type not in ('sale.updated', 'product.updated', 'customer.updated')
    group by 1, 2 having count(*) > 1`);
  for (const { type, id } of repeated) problems.push(`${type} of ${id} was emitted more than once`);
  return problems;
}

/** The register's last word, but what was sold and then cancelled stays cancelled (docs/gaps.md). */
function statusAfter(versions: readonly string[]): string | undefined {
  const isOver = versions.some((status, i) => status === "cancelled" && versions[i - 1] === "completed");
  return isOver ? "cancelled" : versions.at(-1);
}

function textOf(records: { id: string }[]): string {
  return canonicalJson(records.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
}
