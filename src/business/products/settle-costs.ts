import {
  type CostEntry,
  type CostState,
  priceFromText,
  priceOf,
  priceText,
  type Replay,
  replay,
  type Use,
  valueText,
} from "../../costs/moving-average.ts";
import { plainArray } from "../../db/arrays.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import type { RecordBody, Settling, Stored } from "../../engine/resources/resource.ts";
import { must } from "../../lib/must.ts";
import type { ProductLedger } from "./ledger.ts";
import { recostSales, type SoldEntry } from "./recost-sales.ts";
import type { Product } from "./schema.ts";
import { withLedger } from "./with-ledger.ts";

type StoredProduct = Stored<Product, ProductLedger>;

/** An entry of this write, which the database does not have yet. */
type PutEntry = Stored<
  RecordBody & { product_id: string; sale_id: string | null; unit_cost: number | null; origin_type: string | null },
  { delta_milli: number; made_us?: number | null; from_api: boolean }
>;

/** An entry with the sale that it is of. */
interface Entry extends CostEntry {
  product_id: string;
  sale_id: string | null;
}

/** The last place from which the entries of a product can be gone through again: nothing is owed there. */
interface Start {
  product_id: string;
  since_us: number;
  since_id: string;
  state: CostState;
}

/**
 * Goes through the entries of the products that something came in of at a cost, or of which something happened before the last of
 * those: from the last place before it where nothing was owed. What was sold since costs what it says then.
 */
export async function settleCosts(write: Settling): Promise<void> {
  const marked = (write.putsOf("products") as StoredProduct[]).filter(({ recost_us }) => (recost_us ?? 0) > 0);
  if (marked.length > 0) await recost(write, marked);
}

async function recost(write: Settling, marked: readonly StoredProduct[]): Promise<void> {
  const starts = await readStarts(write, marked);
  const entries = Map.groupBy(await readEntries(write, [...starts.values()]), ({ product_id }) => product_id);
  const replays = new Map<string, Replay<Entry>>();
  for (const product of marked) {
    const { id } = product.body;
    const { state } = must(starts.get(id), "There is a start for each");
    const result = replay(state, entries.get(id) ?? []);
    replays.set(id, result);
    const last = result.steps.at(-1);
    const { average } = result.state;
    const ledger: ProductLedger = {
      ...product,
      average_cost: last && average !== null ? priceText(average) : product.average_cost,
      transit_milli: result.state.milli - product.stock_milli,
      costed_us: last?.us ?? product.costed_us,
      recost_us: 0,
    };
    const body = withLedger(product.body, ledger);
    const isSame = body.unit_cost === product.body.unit_cost;
    // The same body is no other version.
    write.putAgain("products", { ...product, ...ledger, body: isSame ? product.body : body });
  }
  const sold = marked.flatMap(({ body, declared_cost }) =>
    must(replays.get(body.id), "Each was gone through").uses.flatMap((use) => soldIn(use, declared_cost)),
  );
  const statements = [
    ...storeSteps(write.accountId, starts, replays),
    ...recostSales(write.accountId, write.at, [...starts.values()], sold),
  ];
  for (const statement of statements) write.addStatement(statement);
}

/** Until something comes in at a price it costs what the owner said, which is a guess. */
function soldIn({ entry, value: known, owedMilli }: Use<Entry>, declared: string): SoldEntry[] {
  const { product_id, sale_id, milli } = entry;
  if (sale_id === null || milli > 0) return [];
  const said = priceOf(Number(declared));
  const value = known ?? (said === null ? null : BigInt(-milli) * said);
  const is_owed = known === null || owedMilli > 0;
  return [{ product_id, sale_id, milli: -milli, value: value === null ? null : valueText(value), is_owed }];
}

async function readStarts(
  { client, accountId }: Settling,
  marked: readonly StoredProduct[],
): Promise<Map<string, Start>> {
  const text = `
    select w.product_id, s.us, s.movement_id, s.stock_before, s.average_before::text as average_before
    from unnest($2::uuid[], $3::bigint[]) as w(product_id, us) cross join lateral (
      select us, movement_id, stock_before, average_before from cost_steps
      where account_id = $1 and product_id = w.product_id and us < w.us and stock_before >= 0 and average_before is not null
      order by us desc, movement_id desc limit 1) s`;
  const ids = plainArray(marked.map(({ body }) => body.id));
  const { rows } = await client.query<{
    product_id: string;
    us: number;
    movement_id: string;
    stock_before: number;
    average_before: string;
  }>(prepared(text, [accountId, ids, plainArray(marked.map(({ recost_us }) => String(recost_us)))]));
  const found = new Map(rows.map((row) => [row.product_id, row]));
  return new Map(
    marked.map((product): [string, Start] => {
      const { id } = product.body;
      const row = found.get(id);
      const nothing = { milli: 0, average: null };
      const state = row ? { milli: row.stock_before, average: priceFromText(row.average_before) } : nothing;
      return [id, { product_id: id, since_us: row?.us ?? 0, since_id: row?.movement_id ?? "", state }];
    }),
  );
}

/** An entry of before has no time of its own but when it arrived. */
const usText = "coalesce(m.made_us, (extract(epoch from m.created_at) * 1000000)::bigint)";

/** What a correction said later stands in place of what the entry says. */
const entriesText = `
  select m.product_id, m.id, m.sale_id, ${usText} as us,
    case when m.from_api and m.body->>'origin_type' = 'transfer' then 0 else m.delta_milli end as milli,
    case when m.delta_milli > 0 then coalesce(m.corrected_cost, (m.body->>'unit_cost')::numeric) end as unit_cost
  from unnest($2::uuid[], $3::bigint[]) as w(product_id, us)
  join stock_movements m on m.account_id = $1 and m.product_id = w.product_id
    and (m.made_us >= w.us or (m.made_us is null and m.created_at >= to_timestamp(w.us / 1000000.0)))`;

async function readEntries(write: Settling, starts: readonly Start[]): Promise<Entry[]> {
  const { rows } = await write.client.query<Omit<Entry, "price"> & { unit_cost: number | null }>(
    prepared(entriesText, [
      write.accountId,
      plainArray(starts.map(({ product_id }) => product_id)),
      plainArray(starts.map(({ since_us }) => String(since_us))),
    ]),
  );
  const all = new Map(
    rows.map(({ unit_cost, ...row }): [string, Entry] => [row.id, { ...row, price: priceOf(unit_cost) }]),
  );
  for (const put of write.putsOf("stock_movements") as PutEntry[])
    if (!all.has(put.body.id)) all.set(put.body.id, entryOf(put));
  const startOf = new Map(starts.map((start) => [start.product_id, start]));
  return [...all.values()].filter(({ product_id, us, id }) => {
    const start = startOf.get(product_id);
    return start !== undefined && (us > start.since_us || (us === start.since_us && id >= start.since_id));
  });
}

function entryOf({ body, delta_milli, made_us, from_api }: PutEntry): Entry {
  const { id, product_id, sale_id, unit_cost, origin_type, created_at } = body;
  const isOnItsWay = from_api && origin_type === "transfer";
  return {
    ...{ id, product_id, sale_id, us: made_us ?? Date.parse(created_at) * 1000 },
    milli: isOnItsWay ? 0 : delta_milli,
    price: delta_milli > 0 ? priceOf(unit_cost) : null,
  };
}

/** The steps from each start on are those that were gone through just now. */
function storeSteps(
  accountId: string,
  starts: ReadonlyMap<string, Start>,
  replays: ReadonlyMap<string, Replay<Entry>>,
): Statement[] {
  const steps = [...replays].flatMap(([product_id, { steps: some }]) =>
    some.map(({ us, id, average, before }) => ({
      ...{ product_id, us, movement_id: id, stock_before: before.milli },
      average_before: before.average === null ? null : priceText(before.average),
      average: average === null ? null : priceText(average),
    })),
  );
  const gone = [...starts.values()];
  return [
    prepared(goneText, [
      accountId,
      plainArray(gone.map(({ product_id }) => product_id)),
      plainArray(gone.map(({ since_us }) => String(since_us))),
    ]),
    prepared(stepsText, [accountId, JSON.stringify(steps)]),
  ];
}

const goneText = `
  delete from cost_steps s where s.account_id = $1 and exists (
    select from unnest($2::uuid[], $3::bigint[]) as w(product_id, us) where w.product_id = s.product_id and s.us >= w.us)`;

const stepsText = `
  insert into cost_steps (account_id, product_id, us, movement_id, stock_before, average_before, average)
  select c.account_id, r.product_id, r.us, r.movement_id, r.stock_before, r.average_before, r.average
  from account_clock c cross join json_to_recordset($2::json) as r(
    product_id uuid, us bigint, movement_id uuid, stock_before bigint, average_before numeric, average numeric)
  where c.account_id = $1`;
