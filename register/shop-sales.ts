import type { CatalogProduct } from "./catalog.ts";
import type { SalesPage } from "./protocol.ts";
import { readSalesPage, readWholeSale, type WholeSale } from "./read-sales.ts";
import type { Register } from "./register.ts";
import { type KeptReturn, type KeptSale, saleRow } from "./sale.ts";
import type { Row, Store } from "./store.ts";
import type { SalesSearch, SyncClient } from "./sync-client.ts";
import { movesStock } from "./ticket.ts";
import { unsentIds } from "./unsent.ts";

/** The sales of every register of the business, asked from the service. Both reject when it does not answer. */
export interface ShopSales {
  find(search: SalesSearch, cursor?: string): Promise<SalesPage>;
  /** A sale as the service knows it now; of one of this register's own, what others did about it since. */
  look(saleId: string): Promise<KeptSale>;
}

interface Surroundings {
  store: Store;
  register: Register;
  client: SyncClient;
}

export function openShopSales({ store, register, client }: Surroundings): ShopSales {
  const token = () => register.identity().token;

  return {
    find: async (search, cursor = "") => readSalesPage(await client.sales(token(), search, cursor), cursor),
    async look(saleId) {
      const before = await store.get<KeptSale>("sale", saleId);
      const unsent = await unsentIds(store, (await store.get<number>("meta", "acked")) ?? 0);
      const whole = readWholeSale(await client.sale(token(), saleId));
      const kept = await store.get<KeptSale>("sale", whole.id);
      // What the service had not seen when it was asked stands beside what it knows.
      const isNew = ({ id }: KeptReturn) => unsent.has(id) || !before?.returns?.some((one) => one.id === id);
      const isKnown = ({ id }: KeptReturn) => whole.returns.some((one) => one.id === id);
      const returns = [...whole.returns, ...(kept?.returns ?? []).filter((one) => isNew(one) && !isKnown(one))];
      const documents = whole.documents.map(
        (one): Row => ({ table: "document", key: one.id, value: one, group: whole.id }),
      );
      // This register's own are its counter's to store.
      const isOwn = kept !== undefined && !kept.elsewhere;
      const sale = isOwn ? { ...switchedIn(kept, whole), returns } : fromElsewhere(whole, returns, register);
      await store.commit({ put: isOwn ? documents : [saleRow(sale), ...documents] });
      return sale;
    },
  };
}

/** Another register, or the owner, may have had this sale invoiced. */
function switchedIn(kept: KeptSale, { data, customer }: WholeSale): KeptSale {
  if (data.document_kind !== "invoice" || kept.data.document_kind === "invoice") return kept;
  const { document_kind, customer_id } = data;
  return { ...kept, data: { ...kept.data, document_kind, customer_id }, ...named(customer) };
}

function named(customer: WholeSale["customer"]): Pick<KeptSale, "customer_name" | "customer_document"> {
  return { customer_name: customer?.name ?? null, customer_document: customer?.document ?? null };
}

function fromElsewhere(whole: WholeSale, returns: KeptReturn[], { catalog }: Register): KeptSale {
  const { id, data, payments, ticket_number, register, can_invoice } = whole;
  const isStocked = (productId: string | null) => {
    const product = productId && (catalog.get("product", productId) as CatalogProduct | undefined);
    return Boolean(product && movesStock(product));
  };
  return {
    id,
    number: ticket_number ?? 0,
    shift_id: data.cash_session_id,
    data,
    // What was handed over in cash, and its rounding, only the other register knows.
    charge: {
      payments: payments ?? [{ payment_method: data.payment_method, amount: data.total }],
      ...{ tendered: 0, change: 0, cash_rounding: 0 },
    },
    cashier_id: null,
    cashier_name: whole.cashier,
    ...named(whole.customer),
    stocked: data.items.filter(({ product_id }) => isStocked(product_id)).map((item) => item.id),
    returns,
    elsewhere: { register, can_invoice: can_invoice && returns.length === 0 },
  };
}
