import { sql } from "../../../db/sql.ts";
import { isAddress } from "../../../fiscal/documents/deliver-documents.ts";
import type { Batch } from "./batch.ts";
import { applied, type Outcome, quarantined } from "./outcome.ts";
import { type Incoming, idIn } from "./read-record.ts";

/** A buyer wants the ticket by mail. It waits for the sale's document; the same record never sends a second mail. */
export function applyTicketMail({ write }: Batch, { id, data }: Incoming): Outcome {
  const email = (data.email as string).trim();
  if (!isAddress(email)) return quarantined("NOT_AN_ADDRESS", "data.email: no es un correo");
  write.addStatement(sql`
    insert into ticket_mails (account_id, id, sale_id, email, created_at, next_check_at)
    values (${write.accountId}, ${id}, ${idIn(data, "sale_id")!}, ${email}, ${write.at}, ${write.at})
    on conflict (account_id, id) do nothing`);
  return applied;
}
