import { randomUUID } from "node:crypto";
import type { Chance } from "./chance.ts";
import type { Draft } from "./register.ts";
import type { Sold } from "./sell.ts";

interface SoldItem {
  id: string;
  quantity: number;
  subtotal: number;
  taxes: { rate: number | null }[];
}

/** What a customer brings back, and the money for it. */
export interface BroughtBack {
  record: Draft;
  refund: number;
}

/**
 * Some lines of a sale, one unit of a line, or everything, paid back in cash. Shares of a discount are the server's to
 * compute: a sale with one comes back whole.
 */
export function bringBack({ id, data }: Sold, cashSessionId: string, chance: Chance, at: Date): BroughtBack {
  const items = data.items as SoldItem[];
  const isWhole = (data.discount as number) > 0 || items.length === 1 || chance.happens(0.3);
  const chosen = isWhole ? items : [chance.pick(items)];
  const lines = chosen.map((item) => ({ item, quantity: isWhole ? item.quantity : unitsOf(item, chance) }));
  const refund = isWhole
    ? data.total
    : lines.reduce((sum, { item, quantity }) => sum + Math.round((item.subtotal * quantity) / item.quantity), 0);
  const record: Draft = {
    type: "return",
    id: randomUUID(),
    data: {
      sale_id: id,
      lines: lines.map(({ item, quantity }) => ({ item_id: item.id, quantity })),
      payment_method: "CASH",
      cash_session_id: cashSessionId,
      reason: chance.pick(["Venía dañado", "No era lo que buscaba", null]),
      total: refund,
      occurred_at: at.toISOString(),
    },
  };
  return { record, refund };
}

/** One of several units; weighed goods come back as they were bought. */
function unitsOf({ quantity }: SoldItem, chance: Chance): number {
  return Number.isInteger(quantity) && quantity > 1 && chance.happens(0.5) ? 1 : quantity;
}

/** The customer wants an invoice after all: the register uploads its sale again, with that kind and the buyer. */
export function asInvoice({ id, data, movements }: Sold, customerId: string): Sold {
  return { id, movements, data: { ...data, document_kind: "invoice", customer_id: customerId } };
}
