import { Readable } from "node:stream";
import type { AccountingCodes } from "../../../fiscal/closing/accounting-codes.ts";
import { type JournalEntry, type Journalled, journalOf } from "../../../fiscal/closing/journal.ts";
import { paymentName } from "../../../taxes/means.ts";
import { rateText } from "../../../taxes/words.ts";
import { csvOf } from "../tables/csv.ts";
import { type Line, onePage } from "../tables/table.ts";

const columns = [
  { title: "Fecha", type: "text" },
  { title: "Cuenta", type: "text" },
  { title: "Detalle", type: "text" },
  { title: "Débito", type: "pesos" },
  { title: "Crédito", type: "pesos" },
] as const;

/** The day's journal for an accountant's program: one line per account and reason, with its sedes last where there are several. */
export function journalCsv(date: string, day: Journalled, codes: AccountingCodes, sedes?: string): Readable {
  const entries = journalOf(day, codes, { payment: paymentName, tax: rateText });
  const of = sedes === undefined ? [] : [sedes];
  const lines = entries.map(
    ({ account, detail, debit, credit }: JournalEntry): Line => [date, account, detail, debit, credit, ...of],
  );
  return Readable.from(
    csvOf(
      of.length > 0 ? [...columns, { title: "Sede", type: "text" }] : columns,
      onePage(async () => lines),
    ),
  );
}
