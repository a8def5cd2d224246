import { withAccountLock } from "../../access/accounts/account-lock.ts";
import { type Actor, recordAudit } from "../../access/accounts/record-audit.ts";
import { customers } from "../../business/customers/resource.ts";
import { invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Config } from "../../config.ts";
import type { Partitions } from "../../db/partitions.ts";
import type { Client, Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import { type Clock, hour } from "../../lib/clock.ts";
import type { TurnsByKey } from "../../lib/concurrency-limit.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import type { Signal } from "../../lib/signal.ts";
import { documentMail } from "../../mail/document-mail.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import {
  findSuppression,
  type Subscription,
  subscriptionOf,
  unsubscribeLink,
  unsuppress,
} from "../../mail/suppressions.ts";
import { fullNumber } from "../content/document-words.ts";
import { readLook } from "../profile/look.ts";
import { buyerMailLimits, reachedLimit } from "./buyer-mail-limits.ts";
import { isAddress, mailedDocument } from "./deliver-documents.ts";

export interface MailingDeps {
  pool: Pool;
  accountTurns: TurnsByKey;
  clock: Clock;
  partitions: Partitions;
  config: Pick<Config, "environment" | "publicUrl" | "secretKeys" | "retiredKeys">;
  mail?: Signal | undefined;
}

/** Mails a document again, to its buyer or to another address. Returns the address. */
export async function mailDocument(
  deps: MailingDeps,
  accountId: string,
  id: string,
  { email, actor }: { email: string | undefined; actor: Actor },
): Promise<string> {
  const now = deps.clock.now();
  await deps.partitions.ensure(now);
  const recipient = await withAccountLock(deps, accountId, async (client) => {
    const invoice = (await loadMany(client, invoices, accountId, [id])).get(id)?.body;
    if (!invoice) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe este documento en la cuenta." });
    if (invoice.status !== "issued" && invoice.status !== "annulled") throw new ApiError("DOCUMENT_NOT_MAILABLE");
    const to = email ?? (await buyersAddress(client, accountId, invoice));
    if (to === undefined || !isAddress(to))
      throw validationError([
        {
          param: "email",
          message: to === undefined ? "El cliente no tiene correo. Escriba a qué correo va." : "No es un correo.",
        },
      ]);
    const subscription = subscriptionOf(deps.config, accountId, to);
    await requireWilling(client, subscription);
    await checkLimits(client, accountId, id, now);
    const look = await readLook(client, accountId);
    const mail = documentMail(mailedDocument(deps.config, accountId, invoice, look), {
      kind: "requested_document",
      unsubscribe: unsubscribeLink(deps.config, subscription),
    });
    await queueMail(client, accountId, now, mail, to);
    const details = { invoice_id: id, number: fullNumber(invoice), email: to };
    await recordAudit(client, { accountId, at: now, action: "invoice.mailed", details, actor });
    return to;
  });
  deps.mail?.emit();
  return recipient;
}

async function buyersAddress(client: Client, accountId: string, invoice: Invoice): Promise<string | undefined> {
  const { rows } = await client.query<{ email: string | null }>(sql`
    select content->'customer'->>'email' as email from fiscal_documents
    where account_id = ${accountId} and invoice_id = ${invoice.id}`);
  if (rows[0]?.email) return rows[0].email;
  if (invoice.sale_id === null) return undefined;
  const sale = (await loadMany(client, sales, accountId, [invoice.sale_id])).get(invoice.sale_id)?.body;
  if (!sale?.customer_id) return undefined;
  return (
    (await loadMany(client, customers, accountId, [sale.customer_id])).get(sale.customer_id)?.body.email ?? undefined
  );
}

/** Throws when the document, or the account, has had too many mails today. */
async function checkLimits(client: Client, accountId: string, id: string, now: Date): Promise<void> {
  const reached = await reachedLimit(client, accountId, id, now);
  if (!reached) return;
  const messages: Record<typeof reached.of, string> = {
    document: `Este documento ya se envió ${reached.sent} veces en un día. Descargue el PDF y entréguelo por otro medio.`,
    account: "Hoy ya se enviaron demasiados documentos por correo. Descargue el PDF o espere a mañana.",
    new_business: `En su primera semana un negocio envía hasta ${buyerMailLimits.newPerDay} correos al día, y hoy ya salieron. Descargue el PDF o espere a mañana.`,
  };
  throw new ApiError("RATE_LIMITED", {
    headers: { "retry-after": String(hour / 1000) },
    message: messages[reached.of],
  });
}

/** The owner may try again an address that a server once did not know; what a buyer decided he cannot undo. */
async function requireWilling(client: Client, subscription: Subscription): Promise<void> {
  if ((await findSuppression(client, subscription)) === "unsubscribed")
    throw validationError([
      {
        param: "email",
        message:
          "En esa dirección pidieron no recibir más correos de su negocio. Descargue el PDF y entréguelo por otro medio.",
      },
    ]);
  await client.query(unsuppress(subscription, "bounced"));
}
