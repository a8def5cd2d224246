import { prepared, type Statement } from "../../db/sql.ts";
import { addTotalsSql, type JournalColumn, journalSource, totalsTables } from "./tables.ts";

/** About as many rows as an account's journal has when it is added to the totals: few to read, many to add at once. */
const rowsAtOnce = 400;

const noteText =
  "insert into sale_journal (account_id, seq, kind, sold, products, taxes) values ($1, $2, $3, $4, $5, $6)";

export interface Note {
  /** Of the last write whose changes it has. */
  seq: number;
  kind: "sale" | "return" | "cancellation" | "correction";
  rows: Record<JournalColumn, readonly object[]>;
}

/** Notes what writes counted. The account's clock is held, so its notes come in the order of their seq. */
export function noteTotals(accountId: string, { seq, kind, rows }: Note): Statement[] {
  const { sold, products, taxes } = rows;
  const values = [accountId, seq, kind, ...[sold, products, taxes].map((all) => JSON.stringify(all))];
  const rowCount = sold.length + products.length + taxes.length;
  return [prepared(noteText, values), ...(isTime(seq, rowCount) ? addJournal(accountId) : [])];
}

/**
 * Whether a write that notes so many rows adds the journal to the totals. Its seq decides, so that nobody has to count: multiples
 * of the golden ratio fall evenly on 0 to 1, whatever the steps in which the seq of an account grows.
 */
function isTime(seq: number, rowCount: number): boolean {
  const goldenRatio = 0x9e3779b1;
  return (Math.imul(seq, goldenRatio) >>> 0) / 2 ** 32 < rowCount / rowsAtOnce;
}

const addTexts = Object.values(totalsTables).map((table) => {
  const keys = ["account_id", ...Object.keys(table.keys)].join(", ");
  const sums = Object.keys(table.sums).map((sum) => `sum(${sum})`);
  return addTotalsSql(
    table,
    `select ${keys}, ${sums.join(", ")} from ${journalSource(table)} noted where account_id = $1 group by ${keys}`,
  );
});

/** Adds the account's journal to its totals. Its clock must be held. */
export function addJournal(accountId: string): Statement[] {
  return [
    ...addTexts,
    "delete from sale_journal j using account_clock c where j.account_id = $1 and c.account_id = $1 and j.seq > c.journal_seq",
    "update account_clock set journal_seq = seq where account_id = $1",
  ].map((text) => prepared(text, [accountId]));
}
