import type { Static } from "typebox";
import { find } from "../../api/portal/home/find.ts";
import { refusalOf } from "../../api/public/authenticate.ts";
import { label, price, uuid } from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";
import { addDays, checkPeriod } from "../../reports/period.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import type { Json } from "../api-calls.ts";
import { defineTool, type ToolContext } from "../tool.ts";
import { dayField, defaultShown, limitField, startOfDay } from "./words.ts";

const Input = Type.Object(
  {
    sale_id: Type.Optional(uuid({ description: "La venta con este identificador." })),
    document: Type.Optional(label(60, { description: "Número de su documento, con o sin prefijo: SETT 1024." })),
    from: Type.Optional(dayField("Desde este día; por omisión, 30 días antes de `to`.")),
    to: Type.Optional(dayField("Hasta este día, incluido; por omisión, hoy.")),
    total: Type.Optional(price({ description: "Por este total exacto, en pesos." })),
    customer_id: Type.Optional(uuid({ description: "De este cliente; búsquelo con `find_customer`." })),
    status: Type.Optional(label(40, { description: "En este estado: completed, cancelled…" })),
    limit: limitField(),
  },
  { additionalProperties: false },
);
type Input = Static<typeof Input>;

/** A total is no filter of the API: so many sales are looked through for it, and the answer says if there were more. */
const maxPages = 5;
const pageSize = 100;
const shownItems = 20;

export const findSale = defineTool({
  name: "find_sale",
  title: "Buscar una venta",
  description:
    "Busca ventas por el número de su documento, por días, total, cliente o estado; las más recientes primero, con lo que llevaban.",
  scopes: ["sales:read"],
  input: Input,
  async run(input: Input, context) {
    if (input.sale_id !== undefined) return { sales: [await readSale(context, input.sale_id)], has_more: false };
    if (input.document !== undefined) return byDocument(context, input.document);
    return byFilters(context, input);
  },
});

async function readSale({ api }: ToolContext, id: string): Promise<object> {
  return shortSale((await api.get(`/sales/${id}`)).body);
}

async function byDocument(context: ToolContext, document: string): Promise<object> {
  const refusal = refusalOf(context.access, "invoices:read");
  if (refusal) throw refusal;
  const found = await find(context.deps, { accountId: context.access.accountId, locationIds: null }, document);
  const ids = found.flatMap((one) => (one.kind === "document" && one.sale_id !== null ? [one.sale_id] : []));
  const sales = [];
  for (const id of new Set(ids)) sales.push(await readSale(context, id));
  return { sales, has_more: false };
}

async function byFilters({ api, deps }: ToolContext, input: Input): Promise<object> {
  const { limit = defaultShown, total, customer_id, status } = input;
  const to = input.to ?? bogotaDate(deps.clock.now());
  const from = input.from ?? addDays(to, -30);
  checkPeriod({ from, to });
  const filters = {
    ...{ customer_id, status, limit: total === undefined ? limit : pageSize },
    ...{ occurred_since: startOfDay(from), occurred_until: startOfDay(addDays(to, 1)) },
  };
  const sales: object[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < (total === undefined ? 1 : maxPages); page++) {
    const { body } = await api.get("/sales", { ...filters, starting_after: cursor });
    for (const sale of body.data) if (total === undefined || sale.total === total) sales.push(shortSale(sale));
    cursor = body.next_cursor ?? undefined;
    if (cursor === undefined || sales.length >= limit) break;
  }
  return { from, to, sales: sales.slice(0, limit), has_more: cursor !== undefined || sales.length > limit };
}

function shortSale(sale: Json): object {
  const { id, status, total, tax, discount, tip_amount, payment_method, customer_id, occurred_at, notes } = sale;
  return {
    ...{ id, status, total, tax, discount, tip_amount, payment_method, customer_id, occurred_at, notes },
    documents: sale.invoices.map((one: Json) => ({
      ...{ id: one.id, document: `${one.prefix ?? ""}${one.number}`, status: one.status },
    })),
    items: sale.items.slice(0, shownItems).map((one: Json) => ({
      ...{ description: one.description, quantity: one.quantity, unit_price: one.unit_price, subtotal: one.subtotal },
    })),
    ...(sale.items.length > shownItems && { items_count: sale.items.length }),
  };
}
