import type { Static } from "typebox";
import {
  constant,
  exactText,
  instant,
  label,
  line,
  listQuery,
  nullable,
  oneOf,
  optional,
  recordVersion,
  text,
  uuid,
} from "../../engine/resources/fields.ts";
import { locationField, locationFilter } from "../../engine/resources/placed.ts";
import { Type } from "../../lib/schema.ts";

const at = "2026-09-28T19:05:09.120Z";

export const StockMovement = Type.Object(
  {
    object: constant("stock_movement"),
    id: uuid(),
    product_id: uuid(),
    variant_id: nullable(uuid()),
    warehouse_id: nullable(uuid({ description: "null cuando el movimiento llegó antes que su bodega." })),
    type: Type.String({
      description: "Tipo como lo registró la caja; por la API, `in`, `out` o `adjustment`.",
      examples: ["in"],
    }),
    quantity: Type.Number({ description: "En la unidad base del producto." }),
    reason: nullable(Type.String()),
    reference: nullable(Type.String()),
    unit_cost: nullable(Type.Number()),
    origin_type: nullable(Type.String({ examples: ["sale"] })),
    sale_id: nullable(uuid()),
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
    ...locationField,
  },
  {
    $id: "stock_movement",
    examples: [
      {
        object: "stock_movement",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c14",
        product_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13",
        variant_id: null,
        warehouse_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c15",
        type: "in",
        quantity: 24,
        reason: "Compra",
        reference: "FV-1029",
        unit_cost: 2100,
        origin_type: null,
        sale_id: null,
        created_at: at,
        updated_at: at,
        version: 1,
        location_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51",
      },
    ],
  },
);
export type StockMovement = Static<typeof StockMovement>;

export const movementTypes = ["in", "out", "adjustment"] as const;
const maxQuantity = 999_999_999;

export const NewMovement = Type.Object(
  {
    product_id: uuid(),
    variant_id: optional(uuid({ description: "Las variantes no llevan existencias en v1: enviarla es un error." })),
    warehouse_id: optional(uuid({ description: "Por omisión, la bodega predeterminada." })),
    type: oneOf(movementTypes, {
      description: "`in` y `out` llevan cantidad positiva; `adjustment`, la diferencia con su signo.",
    }),
    quantity: Type.Number({
      minimum: -maxQuantity,
      maximum: maxQuantity,
      "x-max-decimals": 3,
      "x-documented": { not: { const: 0 } },
      description: "Siempre una diferencia, nunca un total. Hasta 3 decimales; entera para `und` y `doc`.",
    }),
    reason: optional(text(200)),
    reference: optional(line(100)),
    unit_cost: optional(Type.Number({ minimum: 0, maximum: 999_999_999_999 })),
  },
  {
    additionalProperties: false,
    "x-documented": {
      if: { properties: { type: { enum: ["in", "out"] } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { quantity: { exclusiveMinimum: 0 } } },
    },
    examples: [
      {
        product_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13",
        type: "in",
        quantity: 24,
        unit_cost: 2100,
        reason: "Compra",
      },
    ],
  },
);
export type NewMovement = Static<typeof NewMovement>;

export const MovementQuery = listQuery({
  product_id: Type.Optional(uuid({ description: "Movimientos de ese producto." })),
  warehouse_id: Type.Optional(uuid({ description: "Movimientos de esa bodega." })),
  type: exactText(40, { description: "Tipo exacto." }),
  ...locationFilter,
});
export type MovementQuery = Static<typeof MovementQuery>;

export const Warehouse = Type.Object(
  {
    object: constant("warehouse"),
    id: uuid(),
    name: Type.String(),
    address: nullable(Type.String()),
    city: nullable(Type.String()),
    is_default: Type.Boolean(),
    active: Type.Boolean(),
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
    location_id: Type.Optional(
      nullable(
        uuid({ description: "La sede a la que pertenece; `null` si es de todo el negocio. Sin el campo, la primera." }),
      ),
    ),
  },
  {
    $id: "warehouse",
    examples: [
      {
        object: "warehouse",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c15",
        name: "Principal",
        address: "Cra 45 # 12-34",
        city: "Medellín",
        is_default: true,
        active: true,
        created_at: at,
        updated_at: at,
        version: 1,
        location_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51",
      },
    ],
  },
);
export type Warehouse = Static<typeof Warehouse>;

const isDefault = {
  description:
    "Con `true`, pasa a ser la predeterminada y la anterior deja de serlo. Siempre lo es una de las abiertas; la primera, sin pedirlo.",
};

const ownLocation = {
  description: "La sede a la que pertenece; `null` si es de todo el negocio. Al crearla sin decirlo, la primera.",
};

export const NewWarehouse = Type.Object(
  {
    name: label(120),
    is_default: optional(Type.Boolean(isDefault)),
    location_id: Type.Optional(nullable(uuid(ownLocation))),
  },
  { additionalProperties: false, examples: [{ name: "Bodega Sur" }] },
);
export type NewWarehouse = Static<typeof NewWarehouse>;

export const WarehouseChanges = Type.Object(
  {
    name: Type.Optional(label(120)),
    is_default: Type.Optional(Type.Boolean(isDefault)),
    location_id: Type.Optional(nullable(uuid(ownLocation))),
    active: Type.Optional(
      Type.Boolean({
        description: "`false` la cierra y `true` la abre. La predeterminada solo se cierra si es la última.",
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ name: "Bodega Norte", is_default: true }] },
);
export type WarehouseChanges = Static<typeof WarehouseChanges>;

export const WarehouseQuery = listQuery({
  active: Type.Optional(Type.Boolean({ description: "Solo activas (`true`) o inactivas (`false`)." })),
  location_id: Type.Optional(uuid({ description: "Solo las de esa sede; no las de todo el negocio." })),
});
export type WarehouseQuery = Static<typeof WarehouseQuery>;
