import { lockAccount } from "../../access/accounts/account-lock.ts";
import type { ProductLedger } from "../../business/products/ledger.ts";
import { products } from "../../business/products/resource.ts";
import { settleCosts } from "../../business/products/settle-costs.ts";
import type { Return } from "../../business/returns/schema.ts";
import { type CostLine, costLinesOf } from "../../business/sale-totals/cost-lines.ts";
import { countsAsItIs } from "../../business/sale-totals/definition.ts";
import { moveCosts } from "../../business/sale-totals/move-costs.ts";
import { type Correction, type CountedSale, costsOfEntry } from "../../business/sales/correction.ts";
import type { Sale } from "../../business/sales/schema.ts";
import type { Client } from "../../db/pool.ts";
import { prepared, type Statement, sql } from "../../db/sql.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import type { RecordBody, Settling, Stored } from "../../engine/resources/resource.ts";
import { type Batch, nextAccount } from "./batch.ts";

const recordsAtOnce = 500;
const productsAtOnce = 20;
const nil = "00000000-0000-0000-0000-000000000000";

interface Row {
  id: string;
  sale_id: string;
  settled: string[] | null;
  body: string;
}

/** What records of before say of their products, in the order in which they are gone through. */
const sources: { text: string; lines: (row: Row) => CostLine[] }[] = [
  {
    text: "select id, id as sale_id, settled, body from sales",
    lines({ settled, ...row }) {
      const body = JSON.parse(row.body) as Sale;
      if (!countsAsItIs({ status: body.status, settled })) return [];
      return costLinesOf({
        id: row.id,
        kind: "sale",
        sale_id: row.id,
        customer_id: body.customer_id,
        body,
        lines: body.items,
      });
    },
  },
  {
    text: "select id, sale_id, null::text[] as settled, body from sale_corrections",
    lines: ({ id, sale_id, body }) =>
      costsOfEntry({ id, sale_id, device_id: null, payments: null, body: JSON.parse(body) as CountedSale["body"] }),
  },
  {
    text: "select id, sale_id, null::text[] as settled, body from returns",
    lines({ id, sale_id, body: text }) {
      const body = JSON.parse(text) as Return;
      return costLinesOf({ id, kind: "return", sale_id, body, lines: body.lines });
    },
  },
  {
    text: "select sale_id as id, sale_id, null::text[] as settled, body from sale_cancellations",
    lines({ id, body: text }) {
      const body = JSON.parse(text) as Correction["body"];
      return costLinesOf({ id, kind: "cancellation", sale_id: id, body, lines: body.lines });
    },
  },
];

interface Position {
  account: string;
  /** Which source, and after them the products. */
  step: number;
  after: string;
}

/** Writes down what sold goods cost before that was kept: all records of an account, and then its products along their entries. */
export async function saleCostBatch(client: Client, from: unknown): Promise<Batch | undefined> {
  const position = (from as Position | null) ?? (await firstAfter(client));
  if (!position) return undefined;
  const { account, step, after } = position;
  await lockAccount(client, account);
  const source = sources[step];
  const ids = source ? await fillLines(client, account, source, after) : await fillProducts(client, account, after);
  const seen = ids.length;
  const last = ids.at(-1);
  if (last !== undefined) return { seen, changed: seen, position: { account, step, after: last } };
  if (source) return { seen, changed: seen, position: { account, step: step + 1, after: nil } };
  return { seen, changed: seen, position: await firstAfter(client, account) };
}

async function firstAfter(client: Client, account?: string): Promise<Position | undefined> {
  const next = await nextAccount(client, account);
  return next === undefined ? undefined : { account: next, step: 0, after: nil };
}

async function fillLines(
  client: Client,
  account: string,
  { text, lines }: (typeof sources)[number],
  after: string,
): Promise<string[]> {
  const { rows } = await client.query<Row>(
    prepared(`select * from (${text} where account_id = $1) r where id > $2 order by id limit ${recordsAtOnce}`, [
      account,
      after,
    ]),
  );
  const found = rows.flatMap(lines);
  for (const statement of moveCosts(account, [{ before: [], after: found, at: new Date(0) }]))
    await client.query(statement);
  return rows.map(({ id }) => id);
}

async function fillProducts(client: Client, accountId: string, after: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(sql`
    select id from products where account_id = ${accountId} and id > ${after} and cost_milli > 0
    order by id limit ${productsAtOnce}`);
  const ids = rows.map(({ id }) => id);
  const found = await loadMany(client, products, accountId, ids);
  const marked = [...found.values()].map((product) => ({ ...product, recost_us: 1 }));
  const statements: Statement[] = [];
  const write: Settling = {
    accountId,
    at: new Date(),
    client,
    putsOf: (table) => (table === products.table ? marked : []),
    // What is published changes with the next movement: this is no write of the business's.
    putAgain: (_table, record) => void statements.push(storeLedger(accountId, record as Settled)),
    addStatement: (statement) => void statements.push(statement),
  };
  await settleCosts(write);
  for (const statement of statements) await client.query(statement);
  return ids;
}

type Settled = Stored<RecordBody, ProductLedger>;

function storeLedger(accountId: string, { body, average_cost, transit_milli, costed_us }: Settled): Statement {
  return sql`
    update products set average_cost = ${average_cost}, transit_milli = ${transit_milli}, costed_us = ${costed_us}
    where account_id = ${accountId} and id = ${body.id}`;
}
