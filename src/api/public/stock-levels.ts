import { stockMovements } from "../../business/inventory/resource.ts";
import { countNewMovements, noWarehouse } from "../../business/inventory/stock-levels.ts";
import { prepared } from "../../db/sql.ts";
import { constant, listOf, nullable, page, uuid } from "../../engine/resources/fields.ts";
import { decodeCursor, encodeCursor } from "../../lib/cursor.ts";
import { ApiError } from "../../lib/errors.ts";
import { canonicalJson } from "../../lib/json.ts";
import { Type } from "../../lib/schema.ts";
import { listTag } from "../http/etag.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendTagged } from "./reading.ts";

const StockLevel = Type.Object(
  {
    object: constant("stock_level"),
    product_id: uuid(),
    variant_id: nullable(uuid({ description: "Siempre `null` por ahora: las variantes no llevan existencias." })),
    warehouse_id: nullable(uuid({ description: "La bodega; `null` si sus movimientos no nombraron ninguna." })),
    quantity: Type.Number({
      description: "Existencias en unidades base, con hasta tres decimales; pueden ser negativas.",
    }),
    reserved: Type.Number({ description: "De esas, lo que apartan los pedidos aceptados que no se han entregado." }),
  },
  {
    $id: "stock_level",
    examples: [
      {
        object: "stock_level",
        product_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13",
        variant_id: null,
        warehouse_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c14",
        quantity: 48,
        reserved: 2,
      },
    ],
  },
);

const StockLevelQuery = Type.Object(
  {
    ...page,
    product_id: Type.Optional(uuid({ description: "Existencias de ese producto." })),
    warehouse_id: Type.Optional(uuid({ description: "Existencias de esa bodega." })),
  },
  { additionalProperties: false },
);

/** In the order of their key. The sums that are kept by product and warehouse are brought up to date first. */
const levelsText = `
  select product_id, warehouse_id, sum(stock_milli)::bigint as stock_milli, sum(reserved_milli)::bigint as reserved_milli from (
    ${levelsOf("stock_levels", "l.stock_milli, 0 as reserved_milli")}
    union all
    ${levelsOf("stock_reservations", "0, l.reserved_milli", "and l.reserved_milli <> 0")}
  ) as parts group by product_id, warehouse_id order by product_id desc, warehouse_id desc limit $6`;

/** A page of both has its rows on the same page of each. */
function levelsOf(table: string, columns: string, also = ""): string {
  return `(select l.product_id, l.warehouse_id, ${columns} from ${table} l
    where l.account_id = $1 and (l.product_id, l.warehouse_id) < ($2::uuid, $3::uuid)
      and ($4::uuid is null or l.product_id = $4) and ($5::uuid is null or l.warehouse_id = $5) ${also}
      and exists (select from products p where p.account_id = l.account_id and p.id = l.product_id and p.deleted_at is null)
    order by l.product_id desc, l.warehouse_id desc limit $6)`;
}

const afterAll = "ffffffff-ffff-ffff-ffff-ffffffffffff";

interface Row {
  product_id: string;
  warehouse_id: string;
  stock_milli: number;
  reserved_milli: number;
}

export function stockLevelRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.get(
    "/inventory/levels",
    {
      config: { permission: "inventory:read", responseSchema: listOf(StockLevel) },
      schema: {
        tags: [stockMovements.tag.name],
        summary: "Listar existencias por bodega",
        querystring: StockLevelQuery,
      },
    },
    async (request, reply) => {
      const { limit = 25, starting_after, ...filters } = request.query;
      const { accountId } = request.access;
      const key = deps.config.secretKeys;
      const scope = { key, route: "/inventory/levels", accountId, filters: canonicalJson(filters) };
      const after = starting_after === undefined ? undefined : decodeCursor(starting_after, scope);
      if (starting_after !== undefined && !after?.within)
        throw new ApiError("INVALID_CURSOR", { param: "starting_after" });
      await countNewMovements(deps.pool, accountId);
      const { product_id = null, warehouse_id = null } = filters;
      const from = [after?.id ?? afterAll, after?.within ?? afterAll];
      const values = [accountId, ...from, product_id, warehouse_id, limit + 1];
      const { rows } = await deps.pool.query<Row>(prepared(levelsText, values));
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const position = last && { createdAt: new Date(0), id: last.product_id, within: last.warehouse_id };
      const text = JSON.stringify({
        object: "list",
        data: shown.map(levelOf),
        has_more: last !== undefined,
        next_cursor: position ? encodeCursor(position, scope) : null,
      });
      return sendTagged(deps, request, reply, listTag([text]), text);
    },
  );
}

function levelOf({ product_id, warehouse_id, stock_milli, reserved_milli }: Row) {
  const place = warehouse_id === noWarehouse ? null : warehouse_id;
  const quantity = Number(stock_milli) / 1000;
  const reserved = Number(reserved_milli) / 1000;
  return { object: "stock_level", product_id, variant_id: null, warehouse_id: place, quantity, reserved };
}
