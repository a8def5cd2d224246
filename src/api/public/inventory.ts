import { createMovement } from "../../business/inventory/create-movement.ts";
import {
  MovementQuery,
  NewMovement,
  StockMovement,
  Warehouse,
  WarehouseQuery,
} from "../../business/inventory/schema.ts";
import { movementList, stockMovements, warehouseList, warehouses } from "../../business/inventory/store.ts";
import { ById, listOf, NoQuery } from "../../engine/resources/fields.ts";
import { createOnce } from "./idempotency.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "./reading.ts";

const tags = ["Inventario"];

export function inventoryRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.post(
    "/inventory/movements",
    {
      config: {
        permission: "inventory:write",
        answers: StockMovement,
        emits: ["inventory.movement.created"],
        errors: ["NOT_FOUND", "NO_WAREHOUSE", "VARIANT_STOCK_UNSUPPORTED", "COMPOSITE_STOCK_UNSUPPORTED"],
      },
      schema: { tags, summary: "Registrar un movimiento de inventario", querystring: NoQuery, body: NewMovement },
    },
    (request, reply) => createOnce(deps, request, reply, (write) => createMovement(write, request.body)),
  );
  app.get(
    "/inventory/movements",
    {
      config: { permission: "inventory:read", answers: listOf(StockMovement) },
      schema: { tags, summary: "Listar movimientos de inventario", querystring: MovementQuery },
    },
    (request, reply) => sendList(deps, request, reply, movementList),
  );
  app.get(
    "/inventory/movements/:id",
    {
      config: { permission: "inventory:read", answers: StockMovement },
      schema: { tags, summary: "Leer un movimiento de inventario", params: ById, querystring: NoQuery },
    },
    (request, reply) => sendOne(deps, request, reply, stockMovements),
  );
  app.get(
    "/warehouses",
    {
      config: { permission: "inventory:read", answers: listOf(Warehouse) },
      schema: { tags, summary: "Listar bodegas", querystring: WarehouseQuery },
    },
    (request, reply) => sendList(deps, request, reply, warehouseList),
  );
  app.get(
    "/warehouses/:id",
    {
      config: { permission: "inventory:read", answers: Warehouse },
      schema: { tags, summary: "Leer una bodega", params: ById, querystring: NoQuery },
    },
    (request, reply) => sendOne(deps, request, reply, warehouses),
  );
}
