import { invoices } from "../../business/invoices/resource.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { ownDocument } from "../../business/sales/summary.ts";
import { ofAllAccounts, type Part } from "../../db/nodes.ts";
import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { prepared, sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import { day, minute, second } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import { runEvery } from "../../lib/run-every.ts";
import { documentMail } from "../../mail/document-mail.ts";
import { type Mail, queueMail } from "../../mail/queue-mail.ts";
import { findSuppression, type Subscription, subscriptionOf, unsubscribeLink } from "../../mail/suppressions.ts";
import { refuseTicket, type TicketRefusal, ticketMail } from "../../mail/ticket-mail.ts";
import { instantText, money } from "../../taxes/words.ts";
import { readLook, type ShownLook } from "../profile/look.ts";
import { buyerMailLimits, reachedLimit } from "./buyer-mail-limits.ts";
import { contactOf, mailedDocument } from "./deliver-documents.ts";
import { offReason } from "./ticket-mailing.ts";
import type { TicketMail } from "./ticket-mails.ts";

const batchSize = 50;
const everyMs = 3 * second;
/** A rejected document is corrected within days, or never. */
const patienceMs = 7 * day;

interface Waiting {
  account_id: string;
  id: string;
  sale_id: string;
  email: string;
  created_at: Date;
}

type Step = { kind: "mail"; mail: Mail } | { kind: "wait" } | { kind: "give_up" };

/**
 * Mails the tickets whose sale has its document, or never gets one: those of each business in turn, so that none with
 * thousands of them delays another. One that fails does not stop the others. Returns how many it settled.
 */
export async function mailTickets(deps: CoreDeps): Promise<number> {
  const now = deps.clock.now();
  await deps.partitions.ensure(now);
  const rows = await ofAllAccounts(deps.pool, async (part) => {
    const values = [now, batchSize, ...part.values];
    return (await deps.pool.query<Waiting>(prepared(waitingText(part), values))).rows;
  });
  let settled = 0;
  let failure: unknown;
  for (const row of rows) {
    try {
      if (await settle(deps, row, now)) settled += 1;
    } catch (error) {
      failure = error;
    }
  }
  if (settled > 0) deps.mail?.emit();
  if (failure !== undefined) throw failure;
  return settled;
}

const waitingText = (part: Part) => `
  select account_id, id, sale_id, email, created_at from (
    select *, row_number() over (partition by account_id order by next_check_at) as turn
    from ticket_mails where state = 'waiting' and next_check_at <= $1 and ${part.of("account_id", 3)}) due
  order by turn, next_check_at limit $2`;

export function startTicketMails(deps: CoreDeps): { stop: () => Promise<void> } {
  return runEvery(
    deps.clock,
    everyMs,
    () => mailTickets(deps),
    (error) => deps.log.warn({ err: error }, "tickets not mailed; trying again in a moment"),
  );
}

/** The mail is queued in the transaction that settles the row: it goes once, whatever crashes. */
async function settle(deps: CoreDeps, row: Waiting, now: Date): Promise<boolean> {
  const { account_id, id, email, created_at } = row;
  return transaction(deps.pool, async (client) => {
    const { rows } = await client.query(sql`
      select id from ticket_mails where account_id = ${account_id} and id = ${id} and state = 'waiting' for update skip locked`);
    if (rows.length === 0) return false;
    const set = (state: TicketMail["state"], next = now) =>
      client.query(sql`
        update ticket_mails set state = ${state}, next_check_at = ${next} where account_id = ${account_id} and id = ${id}`);
    const subscription = subscriptionOf(deps.config, account_id, email);
    const off = await offReason(client, deps.config, account_id);
    const step: Step = off
      ? { kind: "give_up" }
      : await nextStep(deps, client, row, unsubscribeLink(deps.config, subscription));
    const ageMs = now.getTime() - created_at.getTime();
    if (step.kind === "wait" && ageMs < patienceMs) {
      await set("waiting", new Date(now.getTime() + Math.min(Math.max(ageMs, 2 * second), 10 * minute)));
      return false;
    }
    const refusal = off ?? (step.kind === "mail" ? await refusalOf(client, row, subscription, now) : undefined);
    if (refusal) await client.query(refuseTicket(account_id, id, refusal, now));
    else if (step.kind !== "mail") await set("given_up");
    else {
      await queueMail(client, account_id, now, { ...step.mail, ticketMailId: id }, email);
      await set("sent");
    }
    return true;
  });
}

async function nextStep(
  { config }: CoreDeps,
  client: Client,
  { account_id, sale_id }: Waiting,
  unsubscribe: string,
): Promise<Step> {
  const sale = (await loadMany(client, sales, account_id, [sale_id])).get(sale_id)?.body;
  if (!sale) return { kind: "wait" };
  const own = ownDocument(sale);
  const look = await readLook(client, account_id);
  if (!own) {
    if (sale.status !== "completed") return { kind: "give_up" };
    return { kind: "mail", mail: ticketMail({ ...mailedTicket(sale, look), unsubscribe }) };
  }
  if (own.status === "annulled") return { kind: "give_up" };
  if (own.status !== "issued") return { kind: "wait" };
  const invoice = must(
    (await loadMany(client, invoices, account_id, [own.id])).get(own.id),
    "The sale names a document that is stored",
  ).body;
  const document = mailedDocument(config, account_id, invoice, look);
  return { kind: "mail", mail: documentMail(document, { kind: "ticket", unsubscribe }) };
}

function mailedTicket(sale: Sale, look: ShownLook) {
  return {
    business: look.printed_name,
    contact: contactOf(look),
    day: instantText(sale.occurred_at),
    lines: sale.items.map(({ quantity, description, subtotal }) => ({
      what: `${quantity} × ${description ?? "Producto"}`,
      value: money(subtotal),
    })),
    total: money(sale.total),
  };
}

/** Why this ticket may not be mailed to this address. A stolen tablet must not fill strangers' mailboxes. */
async function refusalOf(
  client: Client,
  { account_id, sale_id }: Waiting,
  subscription: Subscription,
  now: Date,
): Promise<TicketRefusal | undefined> {
  const suppression = await findSuppression(client, subscription);
  if (suppression) return suppression;
  const { rows } = await client.query<{ sent: number }>(sql`
    select count(*)::int as sent from ticket_mails
    where account_id = ${account_id} and sale_id = ${sale_id} and state = 'sent'
      and created_at > ${new Date(now.getTime() - day)}`);
  if (oneRow(rows).sent >= buyerMailLimits.perSale) return "too_many";
  const reached = await reachedLimit(client, account_id, undefined, now);
  if (!reached) return undefined;
  return reached.of === "new_business" ? "new_business" : "too_many";
}
