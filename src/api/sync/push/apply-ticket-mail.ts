import { sql } from "../../../db/sql.ts";
import { isAddress } from "../../../fiscal/documents/deliver-documents.ts";
import { must } from "../../../lib/must.ts";
import { applied, type Outcome, refused } from "./outcome.ts";
import { type Incoming, idIn } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/** A busy day's wishes; beyond them a register is broken or in the wrong hands. */
export const mostWaiting = 500;

/**
 * A buyer wants the ticket by mail. It waits for the sale's document; the same record never sends a second mail. Beyond what a register
 * may leave waiting it is refused, and the owner sees that.
 */
export function applyTicketMail({ write, deviceId }: WorkingSet, { id, data }: Incoming): Outcome {
  const email = (data.email as string).trim();
  if (!isAddress(email)) return refused("NOT_AN_ADDRESS", "data.email: no es un correo");
  const saleId = must(idIn(data, "sale_id"), "A mail of a ticket names its sale, or it is not readable");
  write.addStatement(sql`
    insert into ticket_mails (account_id, id, device_id, sale_id, email, state, reason, created_at, next_check_at)
    select ${write.accountId}::uuid, ${id}::uuid, ${deviceId}::uuid, ${saleId}::uuid, ${email}::text,
      case when already.waiting < ${mostWaiting} then 'waiting' else 'refused' end,
      case when already.waiting >= ${mostWaiting} then 'too_many' end, ${write.at}::timestamptz, ${write.at}::timestamptz
    from (select count(*) as waiting from (
      select from ticket_mails where account_id = ${write.accountId} and device_id = ${deviceId} and state = 'waiting'
      limit ${mostWaiting}) counted) already
    on conflict (account_id, id) do nothing`);
  return applied;
}
