import { randomUUID } from "node:crypto";
import { openPortal, type Portal } from "./portal.ts";
import { cashSessionBody, customerBody, invoiceBody, productBody, quoteBody, saleBody } from "./records.ts";
import { ableToReturn, enrol, upload } from "./register.ts";
import type { Service } from "./service.ts";

/** One record of each kind that a sede has, by the part of an address that names its kind. */
export type OfSede = Record<
  | "sales"
  | "returns"
  | "invoices"
  | "quotes"
  | "cash-sessions"
  | "movements"
  | "warehouses"
  | "devices"
  | "locations"
  | "cashiers"
  | "findings",
  string
>;

export interface TwoSedes {
  owner: Portal;
  /** Of the whole business. */
  product: string;
  customer: string;
  /** The first sede and the second, each with all that happens there. */
  sedes: [OfSede, OfSede];
}

/** What stands in the texts of the first sede's records, and in none of the second's. */
export const marks = ["Zafiro", "Rubí"] as const;
/** The stock in each sede; the whole business has both. */
export const stocks = [777_700_000, 5] as const;

/** A business with two sedes in which the same has happened, under other names. */
export async function openTwoSedes(service: Service): Promise<TwoSedes> {
  const owner = await openPortal(service);
  const [first, second] = marks;
  await owner.get("/locations");
  await owner.patch(`/locations/${owner.accountId}`, { name: first });
  const { body: made } = await owner.post("/locations", { name: second });
  const at = new Date().toISOString();
  const product = productBody(at, { name: "Pan" });
  const customer = customerBody(at, { name: "Ana", last_name: "Mora" });
  const sedes: OfSede[] = [];
  for (const [i, location] of [owner.accountId, made.id as string].entries())
    sedes.push(await furnish(service, owner, { i, location, product, customer }));
  return { owner, product: product.id, customer: customer.id, sedes: [sedes[0]!, sedes[1]!] };
}

interface Furnishing {
  i: number;
  location: string;
  product: ReturnType<typeof productBody>;
  customer: ReturnType<typeof customerBody>;
}

async function furnish(
  service: Service,
  owner: Portal,
  { i, location, product, customer }: Furnishing,
): Promise<OfSede> {
  const mark = marks[i]!;
  const at = new Date().toISOString();
  const capabilities = [...ableToReturn, "counter_act.1"];
  const till = await enrol(service, owner.accountId, { name: `Caja ${mark}`, capabilities });
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: location });
  const warehouse = await owner.post(
    "/warehouses",
    { name: `Bodega ${mark}`, location_id: location },
    { "idempotency-key": randomUUID() },
  );
  const cashier = await owner.post("/cashiers", {
    ...{ name: `Cajera ${mark}`, pin: `111${i}`, permissions: [], location_ids: [location] },
  });
  const example = saleBody(at, { customer_id: customer.id, notes: `Para ${mark}`, table_label: mark });
  const shift = cashSessionBody(at, { register_name: `Caja ${mark}`, opened_by: `Cajera ${mark}`, notes: mark });
  const sale = {
    ...example,
    cash_session_id: shift.id,
    items: example.items.map((item) => ({ ...item, product_id: product.id, description: `Pan de ${mark}` })),
  };
  // Its total is not what its lines add up to, and so it is a finding.
  const odd = {
    ...sale,
    id: randomUUID(),
    total: sale.total + 777,
    items: sale.items.map((item) => ({ ...item, id: randomUUID() })),
  };
  const invoice = invoiceBody(at, { sale_id: sale.id, document_reason: mark, status: "rejected", dian_message: mark });
  const quote = quoteBody(at, { customer_name: `Cliente ${mark}`, notes: mark });
  const movement = { product_id: product.id, warehouse_id: warehouse.body.id, type: "in", reason: `Llegó a ${mark}` };
  const act = { kind: "drawer_opened", occurred_at: at, cashier_id: null, amount: null, detail: null };
  const lines = sale.items.map(({ id, quantity }) => ({ item_id: id, quantity }));
  const back = {
    sale_id: sale.id,
    lines,
    payment_method: "CASH",
    reason: mark,
    occurred_at: at,
    cash_session_id: shift.id,
  };
  const ids = { movement: randomUUID(), back: randomUUID() };
  const known =
    i === 0
      ? [
          { type: "product", id: product.id, data: upload(product) },
          { type: "customer", id: customer.id, data: upload(customer) },
        ]
      : [];
  const { status, body } = await till.push([
    ...known,
    { type: "cash_session", id: shift.id, data: upload(shift) },
    { type: "sale", id: sale.id, data: upload(sale) },
    { type: "sale", id: odd.id, data: upload(odd) },
    { type: "invoice", id: invoice.id, data: upload(invoice) },
    { type: "quote", id: quote.id, data: upload(quote) },
    { type: "stock_movement", id: ids.movement, data: { ...movement, quantity: stocks[i], origin_type: null } },
    { type: "counter_act", data: { ...act, label: mark } },
    { type: "return", id: ids.back, data: { ...back, lines: lines.slice(0, 1) } },
  ]);
  const outcomes: string[] = (body.results ?? []).map((one: { status: string }) => one.status);
  if (status !== 200 || outcomes.some((one) => one !== "applied")) throw new Error(JSON.stringify(body));
  return {
    sales: sale.id,
    returns: ids.back,
    invoices: invoice.id,
    quotes: quote.id,
    "cash-sessions": shift.id,
    movements: ids.movement,
    warehouses: warehouse.body.id,
    devices: till.deviceId,
    locations: location,
    cashiers: cashier.body.id,
    findings: odd.id,
  };
}
