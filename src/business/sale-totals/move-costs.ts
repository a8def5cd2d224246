import { plainArray } from "../../db/arrays.ts";
import { prepared, type Statement, unnested } from "../../db/sql.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import type { CostLine } from "./cost-lines.ts";

interface CostChange {
  before: readonly CostLine[];
  after: readonly CostLine[];
  at: Date;
}

/**
 * Keeps what each record says of its products, with what they cost at its own time. What was known of a record already goes on to
 * cost what it did, however often it is uploaded. Runs after the products of the same write are stored.
 */
export function moveCosts(accountId: string, changes: readonly CostChange[]): Statement[] {
  const moved = changes.filter(
    ({ before, after }) => before.length === 0 || JSON.stringify(before) !== JSON.stringify(after),
  );
  const gone = moved.flatMap(({ before, after }) => {
    const kept = new Set(after.map(keyOf));
    return before.filter((line) => !kept.has(keyOf(line)));
  });
  const lines = moved.flatMap(({ after }) => after);
  const days = moved.flatMap(({ before, after, at }) => {
    const today = bogotaDate(at);
    return [...before, ...after].flatMap(({ day }) => (day < today ? day : []));
  });
  return [
    ...(gone.length > 0 ? [removeLines(accountId, gone)] : []),
    ...(lines.length > 0 ? [storeLines(accountId, lines)] : []),
    ...(days.length > 0 ? [forgetMargins(accountId, [...new Set(days)])] : []),
  ];
}

const keyOf = ({ record_id, kind, product_id }: CostLine) => `${record_id} ${kind} ${product_id}`;

function removeLines(accountId: string, gone: readonly CostLine[]): Statement {
  return prepared(
    `delete from sale_costs s where s.account_id = $1 and exists (
      select from unnest($2::uuid[], $3::text[], $4::uuid[]) as g(record_id, kind, product_id)
      where g.record_id = s.record_id and g.kind = s.kind and g.product_id = s.product_id)`,
    [
      accountId,
      plainArray(gone.map(({ record_id }) => record_id)),
      plainArray(gone.map(({ kind }) => kind)),
      plainArray(gone.map(({ product_id }) => product_id)),
    ],
  );
}

/**
 * What a product costs by now, as SQL; the same as ledger.ts. What is sold earlier than something that came in already is written down
 * anew when its entry is gone through.
 */
const known =
  "coalesce(p.average_cost, case when p.cost_milli > 0 then nullif(p.cost_value, 0) / p.cost_milli / 1000000 end)";

/** What leaves less than nothing was sold before it came in. What never came in at a price costs what its owner said, until it does. */
const pricedSql = `
  select coalesce(${known}, nullif(p.declared_cost, 0)) as unit, case when ${known} is null then (p.body->>'stock') is not null
    else p.stock_milli + coalesce(p.transit_milli, 0) < 0 end as is_guess
  from products p where p.account_id = c.account_id and p.id = r.product_id limit 1`;

const lineTypes: Readonly<Record<keyof CostLine, string>> = {
  ...{ record_id: "uuid", kind: "text", product_id: "uuid", sale_id: "uuid", us: "bigint", day: "date" },
  ...{
    location_id: "uuid",
    cash_session_id: "uuid",
    customer_id: "uuid",
    lines: "bigint",
    milli: "bigint",
    net: "bigint",
  },
};

/** Of what is taken back the buyer is the sale's. Each is looked up by its key, whatever the planner thinks of the tables. */
const storeText = `
  insert into sale_costs as t (account_id, record_id, kind, product_id, sale_id, us, day, location_id, cash_session_id, customer_id,
    lines, milli, net, cost, is_guess)
  select c.account_id, r.record_id, r.kind, r.product_id, r.sale_id, r.us, r.day, r.location_id, r.cash_session_id,
    case when r.kind = 'sale' then r.customer_id
      else (select s.customer_id from sales s where s.account_id = c.account_id and s.id = r.sale_id limit 1) end,
    r.lines, r.milli, r.net, r.milli * p.unit * 0.001, r.kind = 'sale' and (p.unit is null or p.is_guess)
  from account_clock c
  cross join ${unnested(...Object.values(lineTypes).map((type, i) => `$${i + 2}::${type}[]`))} as r(${Object.keys(lineTypes).join(", ")})
  left join lateral (${pricedSql}) p on true
  where c.account_id = $1
  on conflict (account_id, record_id, kind, product_id) do update set us = excluded.us, day = excluded.day,
    location_id = excluded.location_id, cash_session_id = excluded.cash_session_id, customer_id = excluded.customer_id,
    lines = excluded.lines, milli = excluded.milli, net = excluded.net,
    cost = case when t.milli = excluded.milli then coalesce(t.cost, excluded.cost)
      else coalesce(t.cost / nullif(t.milli, 0) * excluded.milli, excluded.cost) end,
    is_guess = case when t.cost is null then excluded.is_guess else t.is_guess end`;

function storeLines(accountId: string, lines: readonly CostLine[]): Statement {
  const names = Object.keys(lineTypes) as (keyof CostLine)[];
  return prepared(storeText, [accountId, ...names.map((name) => plainArray(lines.map((line) => line[name])))]);
}

/** Removes the kept sums that hold one of the days. The next report adds them up again. */
export function forgetMargins(accountId: string, days: readonly string[]): Statement {
  const text = `delete from margin_spans s
    where account_id = $1 and exists (select from unnest($2::date[]) as d(day) where d.day between s.first_day and s.last_day)`;
  return prepared(text, [accountId, days]);
}
