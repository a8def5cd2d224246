import type { Static } from "typebox";
import {
  constant,
  instant,
  label,
  line,
  listQuery,
  nullable,
  recordVersion,
  text,
  uuid,
} from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";

const at = "2026-09-28T19:05:09.120Z";

export const Location = Type.Object(
  {
    object: constant("location"),
    id: uuid(),
    name: Type.String(),
    address: nullable(Type.String()),
    municipality: nullable(
      Type.String({ description: "Código DANE del municipio, como lo pide la DIAN.", examples: ["05001"] }),
    ),
    phone: nullable(Type.String()),
    establishment_code: nullable(Type.String({ description: "Código del establecimiento de comercio." })),
    ticket_header: nullable(Type.String({ description: "`null`: el del negocio." })),
    ticket_footer: nullable(Type.String({ description: "`null`: el del negocio." })),
    default_warehouse_id: nullable(
      uuid({
        description: "De dónde toman existencias las ventas de sus cajas; `null`: la predeterminada del negocio.",
      }),
    ),
    color: nullable(Type.String({ description: "Su color en las gráficas." })),
    is_first: Type.Boolean({
      description: "La sede con que nació el negocio. Es la de todo registro sin `location_id`.",
    }),
    active: Type.Boolean(),
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
  },
  {
    $id: "location",
    examples: [
      {
        object: "location",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51",
        name: "Caja Norte",
        address: "Cra 45 # 12-34",
        municipality: "05001",
        phone: "604 555 0134",
        establishment_code: "0002",
        ticket_header: null,
        ticket_footer: null,
        default_warehouse_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c15",
        color: "#0f766e",
        is_first: false,
        active: true,
        created_at: at,
        updated_at: at,
        version: 1,
      },
    ],
  },
);
export type Location = Static<typeof Location>;

/** What an owner says of a sede. Null, and so an empty text, is none. */
const details = {
  address: Type.Optional(nullable(line(200))),
  municipality: Type.Optional(
    nullable(
      Type.String({
        pattern: "^([0-9]{5})?$",
        "x-hints": { pattern: "El código del municipio tiene 5 números: 11001 es Bogotá." },
      }),
    ),
  ),
  phone: Type.Optional(nullable(line(40))),
  establishment_code: Type.Optional(nullable(line(20))),
  ticket_header: Type.Optional(nullable(text(300))),
  ticket_footer: Type.Optional(nullable(text(300))),
  default_warehouse_id: Type.Optional(nullable(uuid())),
  color: Type.Optional(
    nullable(
      Type.String({
        pattern: "^#[0-9a-fA-F]{6}$",
        "x-hints": { pattern: "Escriba el color como #0f766e, o déjelo sin color." },
      }),
    ),
  ),
};

export const NewLocation = Type.Object({ name: label(120), ...details }, { additionalProperties: false });
export type NewLocation = Static<typeof NewLocation>;

export const LocationChanges = Type.Object(
  { name: Type.Optional(label(120)), ...details, active: Type.Optional(Type.Boolean()) },
  { additionalProperties: false, minProperties: 1 },
);
export type LocationChanges = Static<typeof LocationChanges>;

export const LocationQuery = listQuery({
  active: Type.Optional(Type.Boolean({ description: "Solo abiertas (`true`) o cerradas (`false`)." })),
});
export type LocationQuery = Static<typeof LocationQuery>;
