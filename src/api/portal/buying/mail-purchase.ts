import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import { type Actor, recordAudit } from "../../../access/accounts/record-audit.ts";
import { purchases } from "../../../business/purchases/resource.ts";
import { suppliers } from "../../../business/suppliers/resource.ts";
import type { Queryable } from "../../../db/pool.ts";
import { loadMany } from "../../../engine/resources/read-one.ts";
import { reachedLimit } from "../../../fiscal/documents/buyer-mail-limits.ts";
import { isAddress } from "../../../fiscal/documents/deliver-documents.ts";
import type { MailingDeps } from "../../../fiscal/documents/mail-document.ts";
import { readLookAt } from "../../../fiscal/profile/look.ts";
import { hour } from "../../../lib/clock.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { purchaseMail } from "../../../mail/purchase-mail.ts";
import { queueMail } from "../../../mail/queue-mail.ts";
import { findSuppression, subscriptionOf, unsubscribeLink, unsuppress } from "../../../mail/suppressions.ts";
import { money } from "../../../taxes/words.ts";
import { noSuchPurchase } from "./read-purchases.ts";

/** Mails an order to its supplier, or to another address, with its paper. Returns the address. */
export async function mailPurchase(
  deps: MailingDeps,
  accountId: string,
  id: string,
  { email, actor }: { email: string | undefined; actor: Actor },
): Promise<string> {
  const now = deps.clock.now();
  await deps.partitions.ensure(now);
  const recipient = await withAccountLock(deps, accountId, async (client) => {
    const purchase = (await loadMany(client, purchases, accountId, [id])).get(id)?.body;
    if (!purchase) throw noSuchPurchase();
    if (purchase.status === "cancelled")
      throw new ApiError("CONFLICT", { param: "id", message: "Está cancelada: no hay nada que pedir." });
    const from = await loadMany(client, suppliers, accountId, [purchase.supplier_id]);
    const to = email ?? from.get(purchase.supplier_id)?.body.email ?? undefined;
    if (to === undefined || !isAddress(to))
      throw validationError([
        {
          param: "email",
          message: to === undefined ? "El proveedor no tiene correo. Escriba a qué correo va." : "No es un correo.",
        },
      ]);
    const subscription = subscriptionOf(deps.config, accountId, to);
    if ((await findSuppression(client, subscription)) === "unsubscribed")
      throw validationError([
        {
          param: "email",
          message: "En esa dirección pidieron no recibir más correos de su negocio. Descargue el PDF y envíelo usted.",
        },
      ]);
    await client.query(unsuppress(subscription, "bounced"));
    await checkLimits(client, accountId, id, now);
    const look = await readLookAt(client, accountId, purchase.location_id);
    const reach = [look.phone, look.email].filter(Boolean).join(" · ");
    const mail = purchaseMail({
      ...{ id, number: purchase.number, business: look.printed_name, contact: reach || null },
      ...{ canAnswer: Boolean(look.email), lines: purchase.lines.length, total: money(purchase.total) },
      unsubscribe: unsubscribeLink(deps.config, subscription),
    });
    await queueMail(client, accountId, now, mail, to);
    const details = { purchase_id: id, number: purchase.number, email: to };
    await recordAudit(client, { accountId, at: now, action: "purchase.mailed", details, actor });
    return to;
  });
  deps.mail?.emit();
  return recipient;
}

/** Throws when the order, or the account, has had too many mails today. */
async function checkLimits(client: Queryable, accountId: string, id: string, now: Date): Promise<void> {
  const reached = await reachedLimit(client, accountId, id, now);
  if (!reached) return;
  throw new ApiError("RATE_LIMITED", {
    headers: { "retry-after": String(hour / 1000) },
    message:
      reached.of === "document"
        ? `Esta orden ya se envió ${reached.sent} veces en un día. Descargue el PDF y envíelo usted.`
        : "Hoy ya se enviaron demasiados correos. Descargue el PDF o espere a mañana.",
  });
}
