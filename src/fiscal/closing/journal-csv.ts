import { paymentName, rateText } from "../../taxes/words.ts";
import type { AccountingCodes } from "./accounting-codes.ts";
import { type Journalled, journalOf } from "./journal.ts";

const words = { payment: paymentName, tax: rateText };

/** The day's journal for an accountant's program: one line per account and reason, with a head. */
export function dayJournalCsv(date: string, day: Journalled, codes: AccountingCodes): string {
  const rows = journalOf(day, codes, words).map(({ account, detail, debit, credit }) => [
    date,
    account,
    detail,
    String(debit),
    String(credit),
  ]);
  // The mark at the start makes Excel read the accents.
  return `\ufeff${[["fecha", "cuenta", "detalle", "debito", "credito"], ...rows].map(csvLine).join("")}`;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** A cell that begins like a formula would be computed by a spreadsheet: names come from registers. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
