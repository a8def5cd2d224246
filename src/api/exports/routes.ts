import type { ServerResponse } from "node:http";
import { type TObject, type TSchema, Type } from "typebox";
import type { Scope } from "../../access/api-keys/scopes.ts";
import { CashSession, CashSessionQuery } from "../../business/cash-sessions/schema.ts";
import { cashSessionList } from "../../business/cash-sessions/store.ts";
import { Category, CategoryQuery } from "../../business/categories/schema.ts";
import { categoryList } from "../../business/categories/store.ts";
import { Customer, CustomerQuery } from "../../business/customers/schema.ts";
import { customerList } from "../../business/customers/store.ts";
import { MovementQuery, StockMovement, Warehouse, WarehouseQuery } from "../../business/inventory/schema.ts";
import { movementList, warehouseList } from "../../business/inventory/store.ts";
import { Invoice, InvoiceQuery } from "../../business/invoices/schema.ts";
import { invoiceList } from "../../business/invoices/store.ts";
import { Product, ProductQuery } from "../../business/products/schema.ts";
import { productList } from "../../business/products/store.ts";
import { Quote, QuoteQuery } from "../../business/quotes/schema.ts";
import { quoteList } from "../../business/quotes/store.ts";
import { Sale, SaleQuery } from "../../business/sales/schema.ts";
import { saleList } from "../../business/sales/store.ts";
import { prepared } from "../../db/sql.ts";
import { Event, EventQuery } from "../../engine/events/schema.ts";
import type { ListSpec } from "../../engine/resources/list-spec.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { limitConcurrency } from "../../lib/limit-concurrency.ts";
import { eventList } from "../public/events.ts";
import type { TypedApp } from "../public/public-app.ts";
import type { ReadingDeps } from "../public/reading.ts";
import { type ExportDeps, type ExportSpec, sendExport } from "./send-export.ts";

const startingAfter = Type.Optional(
  Type.String({
    description:
      "El `id` del último registro recibido, para seguir donde se cortó; o el `next_cursor` de la lista con los mismos filtros.",
  }),
);

/** One export per list, with the list's own permission and filters. */
const exported: Exported[] = [
  of("customers", "clientes", "customers:read", Customer, CustomerQuery, customerList),
  of("categories", "categorías", "products:read", Category, CategoryQuery, categoryList),
  of("products", "productos", "products:read", Product, ProductQuery, productList),
  of("sales", "ventas", "sales:read", Sale, SaleQuery, saleList),
  of("invoices", "documentos", "invoices:read", Invoice, InvoiceQuery, invoiceList),
  of("inventory-movements", "movimientos de inventario", "inventory:read", StockMovement, MovementQuery, movementList),
  of("warehouses", "bodegas", "inventory:read", Warehouse, WarehouseQuery, warehouseList),
  of("cash-sessions", "turnos de caja", "cash:read", CashSession, CashSessionQuery, cashSessionList),
  of("quotes", "cotizaciones", "quotes:read", Quote, QuoteQuery, quoteList),
  of("events", "eventos de los últimos 30 días", "events:read", Event, EventQuery, eventList),
];

const readersAtOnce = 4;

export function exportRoutes(app: TypedApp, deps: ReadingDeps): void {
  const running = new Set<ServerResponse>();
  const exportDeps: ExportDeps = { ...deps, running, ofAccount: new Map(), inTurn: limitConcurrency(readersAtOnce) };
  app.addHook("preClose", (done) => {
    for (const response of running) response.destroy();
    done();
  });
  for (const { name, spanish, permission, record, query, list } of exported) {
    const spec: ExportSpec<object> = {
      list,
      listRoute: `${app.prefix}/${name.replace("inventory-", "inventory/")}`,
      createdAtOf: name === "events" ? async (_pool, _account, id) => timeOfUuidv7(id) : createdAtIn(list.table),
    };
    app.get(
      `/exports/${name}`,
      {
        // A HEAD would have to read all of it to say what a GET says.
        exposeHeadRoute: false,
        config: { permission, streams: record },
        schema: { tags: ["Exportaciones"], summary: `Exportar ${spanish}`, querystring: query },
      },
      (request, reply) => sendExport(exportDeps, request, reply, spec),
    );
  }
}

interface Exported {
  name: string;
  spanish: string;
  permission: Scope;
  record: TSchema;
  query: TObject;
  list: ListSpec<object>;
}

function of<Query extends object>(
  name: string,
  spanish: string,
  permission: Scope,
  record: TSchema,
  query: TObject,
  list: ListSpec<Query>,
): Exported {
  const { limit: _, ...filters } = query.properties;
  const properties = { ...filters, starting_after: startingAfter };
  return {
    name,
    spanish,
    permission,
    record,
    query: Type.Object(properties, { additionalProperties: false }),
    list: list as ListSpec<object>,
  };
}

function createdAtIn(table: string): ExportSpec<object>["createdAtOf"] {
  return async (pool, accountId, id) => {
    const text = `select created_at from ${table} where account_id = $1 and id = $2`;
    const { rows } = await pool.query<{ created_at: Date }>(prepared(text, [accountId, id]));
    return rows[0]?.created_at;
  };
}
