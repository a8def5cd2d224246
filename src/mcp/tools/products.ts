import type { Static } from "typebox";
import { sql } from "../../db/sql.ts";
import { label } from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";
import { readToday } from "../../reports/today.ts";
import { defineTool } from "../tool.ts";
import { defaultShown, limitField, shortProduct } from "./words.ts";

const Wanted = Type.Object(
  {
    text: Type.Optional(label(100, { minLength: 2, description: "Parte del nombre, sin importar tildes." })),
    code: Type.Optional(label(100, { description: "SKU o código de barras, exacto." })),
    limit: limitField(),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const findProduct = defineTool({
  name: "find_product",
  title: "Buscar un producto",
  description: "Busca productos por nombre, SKU o código de barras, con su precio y sus existencias.",
  scopes: ["products:read"],
  input: Wanted,
  async run({ text, code, limit = defaultShown }: Static<typeof Wanted>, { api }) {
    const { body } = await api.get("/products", { q: text, barcode: code, limit });
    return { products: body.data.map(shortProduct), has_more: body.has_more };
  },
});

const Low = Type.Object(
  {
    below: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Con estas existencias o menos; por omisión, 5." }),
    ),
    limit: limitField(50),
  },
  { additionalProperties: false },
);

interface Row {
  body: string;
  count: number;
}

export const lowStock = defineTool({
  name: "low_stock",
  title: "Lo que se acaba",
  description:
    "Los productos activos con pocas existencias o sin ellas, de menos a más, y los que se acaban en una semana al ritmo de las últimas cuatro.",
  scopes: ["products:read", "inventory:read"],
  input: Low,
  async run({ below = 5, limit = defaultShown }: Static<typeof Low>, { access: { accountId, scopes }, deps }) {
    // Only what has ever moved: of the rest nobody counts the stock.
    const { rows } = await deps.pool.query<Row>(sql`
      select p.body, found.count from (
        select p.id, p.stock_milli, count(*) over () as count from products p
        where p.account_id = ${accountId} and p.deleted_at is null and p.active and p.stock_milli <= ${below * 1000 + 999}
          and exists (select from stock_movements m where m.account_id = ${accountId} and m.product_id = p.id)
          and p.body->>'stock' is not null
        order by p.stock_milli, p.id limit ${limit}
      ) found join products p on p.account_id = ${accountId} and p.id = found.id
      order by found.stock_milli, found.id`);
    const today = scopes.has("sales:read") ? await readToday(deps, accountId, deps.clock.now()) : undefined;
    return {
      below,
      count: rows[0]?.count ?? 0,
      products: rows.map(({ body }) => shortProduct(JSON.parse(body))),
      ...(today && { running_out: today.running_out, running_out_count: today.running_out_count }),
    };
  },
});
