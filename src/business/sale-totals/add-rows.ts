import { prepared, type Statement } from "../../db/sql.ts";
import { addTotalsSql, columnsOf, type TotalsTable } from "./tables.ts";

type Row = Readonly<Record<string, unknown>>;

/** Up to this many rows are sent as plain values: without JSON and grouping a sale's statements are a quarter cheaper (decision 34). */
const maxPlainRows = 8;

/** What adds a table's rows; nothing if they add nothing. The account's clock is held, so nobody else moves them. */
export function addRows(accountId: string, table: TotalsTable, rows: readonly object[]): Statement[] {
  if (rows.length === 0) return [];
  // Many lines are of many products: the database adds them up as well.
  const isWorthAdding = !("product_id" in table.keys) || rows.length <= maxPlainRows;
  const added = isWorthAdding ? addUp(table, rows as readonly Row[]) : undefined;
  if (!added || added.length > maxPlainRows)
    return [prepared(groupedText(table), [accountId, JSON.stringify(added ?? rows)])];
  if (added.length === 0) return [];
  const [, ...columns] = columnsOf(table);
  const values = added.flatMap((row) => columns.map((column) => row[column]));
  return [prepared(plainText(table, added.length), [accountId, ...values])];
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

const texts = new Map<string, string>();

/** Each text is made once. */
function textOf(key: string, make: () => string): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = make();
  texts.set(key, text);
  return text;
}

function plainText(table: TotalsTable, count: number): string {
  return textOf(`${table.name} ${count}`, () => addTotalsSql(table, tuplesOf(table, count)));
}

function tuplesOf(table: TotalsTable, count: number): string {
  const [, ...{ length }] = columnsOf(table);
  const tuples = Array.from(
    { length: count },
    (_, row) => `($1, ${Array.from({ length }, (__, i) => `$${2 + row * length + i}`).join(", ")})`,
  );
  return `values ${tuples.join(", ")}`;
}

function groupedText(table: TotalsTable): string {
  return textOf(table.name, () => addTotalsSql(table, sumsOfRows(table)));
}

function sumsOfRows({ keys, sums }: TotalsTable): string {
  const keyNames = Object.keys(keys);
  const typed = Object.entries({ ...keys, ...sums }).map(([column, type]) => `${column} ${type}`);
  return `select c.account_id, ${keyNames.join(", ")}, ${Object.keys(sums)
    .map((sum) => `sum(${sum})`)
    .join(", ")}
    from account_clock c cross join json_to_recordset($2::json) as r(${typed.join(", ")})
    where c.account_id = $1 group by c.account_id, ${keyNames.join(", ")}`;
}
