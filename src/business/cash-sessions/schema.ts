import type { Static } from "typebox";
import { constant, instant, listQuery, nullable, oneOf, recordVersion, uuid } from "../../engine/resources/fields.ts";
import { locationField, locationFilter } from "../../engine/resources/placed.ts";
import { Type } from "../../lib/schema.ts";

export const cashSessionStatuses = ["open", "closed", "suspended"] as const;

export const CashMovement = Type.Object(
  {
    object: constant("cash_movement"),
    id: uuid(),
    cash_session_id: uuid(),
    type: oneOf(["in", "out"]),
    amount: Type.Integer({ exclusiveMinimum: 0 }),
    reason: nullable(Type.String()),
    created_by: nullable(Type.String()),
    occurred_at: instant(),
    created_at: instant(),
    updated_at: instant(),
  },
  { $id: "cash_movement" },
);
export type CashMovement = Static<typeof CashMovement>;

const PaymentTotal = Type.Object(
  { payment_method: Type.String(), count: Type.Integer(), amount: Type.Integer() },
  { $id: "payment_total" },
);

const at = "2026-09-28T19:05:09.120Z";

export const CashSession = Type.Object(
  {
    object: constant("cash_session"),
    id: uuid(),
    status: oneOf(cashSessionStatuses),
    register_id: nullable(uuid()),
    register_name: Type.String({ examples: ["Caja 1"] }),
    opened_at: instant(),
    closed_at: nullable(instant()),
    opened_by: nullable(Type.String()),
    closed_by: nullable(Type.String()),
    opening_amount: Type.Integer(),
    cash_sales: Type.Integer(),
    cash_refunds: Type.Integer(),
    cash_in: Type.Integer(),
    cash_out: Type.Integer(),
    expected_amount: Type.Integer({
      description: "Apertura + ventas − devoluciones + entradas − salidas, en efectivo.",
    }),
    counted_amount: nullable(Type.Integer()),
    difference: nullable(Type.Integer({ description: "Contado − esperado." })),
    sales_count: Type.Integer(),
    sales_total: Type.Integer(),
    payments: Type.Array(PaymentTotal),
    notes: nullable(Type.String()),
    movements: Type.Array(CashMovement),
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
    ...locationField,
  },
  {
    $id: "cash_session",
    examples: [
      {
        object: "cash_session",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c19",
        status: "closed",
        register_id: null,
        register_name: "Caja 1",
        opened_at: "2026-09-28T12:00:00.000Z",
        closed_at: at,
        opened_by: "Ana",
        closed_by: "Ana",
        opening_amount: 100000,
        cash_sales: 250000,
        cash_refunds: 0,
        cash_in: 0,
        cash_out: 20000,
        expected_amount: 330000,
        counted_amount: 330000,
        difference: 0,
        sales_count: 14,
        sales_total: 310000,
        payments: [{ payment_method: "CASH", count: 10, amount: 250000 }],
        notes: null,
        movements: [
          {
            object: "cash_movement",
            id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c20",
            cash_session_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c19",
            type: "out",
            amount: 20000,
            reason: "Pago a proveedor",
            created_by: "Ana",
            occurred_at: at,
            created_at: at,
            updated_at: at,
          },
        ],
        created_at: at,
        updated_at: at,
        version: 1,
        location_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51",
      },
    ],
  },
);
export type CashSession = Static<typeof CashSession>;

export const CashSessionQuery = listQuery({
  status: Type.Optional(oneOf(cashSessionStatuses)),
  ...locationFilter,
});
export type CashSessionQuery = Static<typeof CashSessionQuery>;
