import { prepared, type Statement } from "../../db/sql.ts";
import { addTotalsSql, columnsOf, type TotalsName, type TotalsTable, totalsTables } from "./tables.ts";

type Row = Readonly<Record<string, unknown>>;

/** Up to this many rows are sent as plain values: without JSON and grouping a sale's statements are a quarter cheaper (decision 34). */
const maxPlainRows = 8;

/** What adds a table's rows; none if they add nothing. The account's clock is held, so nobody else moves them. */
export function addRows(accountId: string, name: TotalsName, rows: readonly object[]): Statement | undefined {
  // Many lines are of many products: the database adds them up as well.
  const isWorthAdding = name !== "products" || rows.length <= maxPlainRows;
  const added = isWorthAdding ? addUp(totalsTables[name], rows as readonly Row[]) : undefined;
  if (!added || added.length > maxPlainRows)
    return rows.length === 0 ? undefined : prepared(groupedTexts[name], [accountId, JSON.stringify(added ?? rows)]);
  if (added.length === 0) return undefined;
  const [, ...columns] = columnsOf(totalsTables[name]);
  const values = added.flatMap((row) => columns.map((column) => row[column]));
  return prepared(plainText(name, added.length), [accountId, ...values]);
}

/**
 * The rows with those of the same key as one, and without those that add nothing. Undefined if there are fractions to add:
 * the database adds them exactly.
 */
function addUp({ keys, sums }: TotalsTable, rows: readonly Row[]): Row[] | undefined {
  const [keyNames, sumNames] = [Object.keys(keys), Object.keys(sums)];
  const byKey = new Map<string, Record<string, unknown>>();
  for (const row of rows) {
    let key = "";
    // No text that is stored has a NUL.
    for (const name of keyNames) key += `${row[name] as string}\0`;
    const known = byKey.get(key);
    if (!known) byKey.set(key, { ...row });
    else if (!addTo(known, row, sumNames)) return undefined;
  }
  return [...byKey.values()].filter((row) => sumNames.some((name) => Number(row[name]) !== 0));
}

/** Quantities come as the text of a number. */
function addTo(known: Record<string, unknown>, row: Row, sumNames: readonly string[]): boolean {
  for (const name of sumNames) {
    const [left, right] = [Number(known[name]), Number(row[name])];
    if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right) || !Number.isSafeInteger(left + right))
      return false;
    known[name] = left + right;
  }
  return true;
}

const plainTexts = new Map<string, string>();

function plainText(name: TotalsName, count: number): string {
  const known = plainTexts.get(`${name} ${count}`);
  if (known !== undefined) return known;
  const [, ...{ length }] = columnsOf(totalsTables[name]);
  const tuples = Array.from(
    { length: count },
    (_, row) => `($1, ${Array.from({ length }, (__, i) => `$${2 + row * length + i}`).join(", ")})`,
  );
  const text = addTotalsSql(totalsTables[name], `values ${tuples.join(", ")}`);
  plainTexts.set(`${name} ${count}`, text);
  return text;
}

const groupedTexts = Object.fromEntries(
  Object.entries(totalsTables).map(([name, table]) => [name, addTotalsSql(table, sumsOfRows(table))]),
) as Record<TotalsName, string>;

function sumsOfRows({ keys, sums }: TotalsTable): string {
  const keyNames = Object.keys(keys);
  const typed = Object.entries({ ...keys, ...sums }).map(([column, type]) => `${column} ${type}`);
  return `select c.account_id, ${keyNames.join(", ")}, ${Object.keys(sums)
    .map((sum) => `sum(${sum})`)
    .join(", ")}
    from account_clock c cross join json_to_recordset($2::json) as r(${typed.join(", ")})
    where c.account_id = $1 group by c.account_id, ${keyNames.join(", ")}`;
}
