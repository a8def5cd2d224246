import type { Invoice } from "../../business/invoices/schema.ts";
import { prepared } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { must } from "../../lib/must.ts";
import { type FiscalFinding, openFindings } from "../findings/fiscal-finding.ts";

interface TakenRow {
  range_id: string;
  invoice_id: string;
  prefix: string;
  number: number;
  is_ours_too: boolean;
}

/**
 * Looks at documents that a register issued itself. One that has a number of our own ranges is told, and the number is
 * remembered, so that we never give it out again. Runs before any document of the same write is numbered.
 */
export async function recordRegisterNumbers(write: Write, documents: readonly Invoice[]): Promise<void> {
  const numbered = documents.filter(({ number, document_type }) => number > 0 && document_type !== "internal_invoice");
  if (numbered.length === 0) return;
  const rows = numbered.map(({ id, prefix, number }) => ({ id, prefix: prefix ?? "", number }));
  const { rows: taken } = await write.client.query<TakenRow>(
    prepared(
      `with found as (
         select r.id as range_id, i.id as invoice_id, r.prefix, i.number, exists (
           select from fiscal_documents d
           where d.account_id = r.account_id and d.range_id = r.id and d.number = i.number and d.invoice_id <> i.id
         ) as is_ours_too
         from json_to_recordset($3::json) as i(id uuid, prefix text, number bigint)
         join numbering_ranges r on r.account_id = $1 and r.prefix = i.prefix and r.kind <> 'internal'
           and i.number between r.first_number and r.last_number
         join fiscal_profiles p on p.account_id = r.account_id and p.documents = 'electronic'
       ), stored as (
         insert into taken_numbers (account_id, range_id, number, invoice_id, created_at)
         select $1, range_id, number, invoice_id, $2 from found on conflict do nothing)
       select * from found`,
      [write.accountId, write.at, JSON.stringify(rows)],
    ),
  );
  const byId = new Map(numbered.map((one) => [one.id, one]));
  await openFindings(
    write,
    taken.map((row) =>
      numberTaken(row, must(byId.get(row.invoice_id), "The numbers were asked for by these documents")),
    ),
  );
}

function numberTaken({ prefix, number, is_ours_too }: TakenRow, { id, sale_id }: Invoice): FiscalFinding {
  const name = `${prefix}${number}`;
  return {
    kind: "number_taken",
    subject: id,
    gravity: is_ours_too ? "error" : "warning",
    saleId: sale_id,
    invoiceId: id,
    message: is_ours_too
      ? `Una caja emitió ${name}, un número que el servidor ya había dado a otro documento.`
      : `Una caja emitió ${name}, un número de los rangos del servidor. El servidor no lo usará.`,
    nextStep: is_ours_too
      ? "La DIAN acepta cada número una vez: anule el documento que rechazó y dé a la caja un rango propio, con otro prefijo."
      : "Dé a la caja un rango propio, con otro prefijo, o desactive en ella la emisión de documentos.",
  };
}
