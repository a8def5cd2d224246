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
  searchQuery,
  text,
  uuid,
} from "../../engine/resources/fields.ts";
import { externalIdFilter, newOwnFields, ownFieldChanges, ownFields } from "../../engine/resources/own-fields.ts";
import { Type } from "../../lib/schema.ts";
import { documentTypes } from "../customers/schema.ts";

export const maxTermDays = 365;

export const Supplier = Type.Object(
  {
    object: constant("supplier"),
    id: uuid(),
    name: Type.String(),
    document_type: oneOf(documentTypes),
    document_number: nullable(Type.String({ description: "Su NIT o documento, como se escribió." })),
    contact_name: nullable(Type.String({ description: "Con quién se habla." })),
    email: nullable(Type.String({ description: "A donde se le envían los pedidos." })),
    phone: nullable(Type.String()),
    term_days: Type.Integer({ description: "Días que da para pagar; 0, de contado." }),
    notes: nullable(Type.String()),
    active: Type.Boolean({ description: "`false`: ya no se le compra." }),
    ...ownFields,
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
  },
  {
    $id: "supplier",
    examples: [
      {
        object: "supplier",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c71",
        name: "Distribuidora La Sabana S.A.S.",
        document_type: "NIT",
        document_number: "900373923-8",
        contact_name: "Jorge Prieto",
        email: "pedidos@lasabana.example",
        phone: "601 555 0134",
        term_days: 30,
        notes: null,
        active: true,
        external_id: "PRO-118",
        metadata: { zona: "norte" },
        created_at: "2026-09-28T19:05:09.120Z",
        updated_at: "2026-09-28T19:05:09.120Z",
        version: 1,
      },
    ],
  },
);
export type Supplier = Static<typeof Supplier>;

const email = { format: "email", description: "A donde se le envían los pedidos." };
const term = { minimum: 0, maximum: maxTermDays, description: "Días que da para pagar; 0, de contado." };
const isActive = { description: "`false`: ya no se le compra." };

export const NewSupplier = Type.Object(
  {
    name: label(120),
    document_type: optional(oneOf(documentTypes, { description: "Tipo de documento; por omisión, `NIT`." })),
    document_number: optional(
      line(30, { description: "Su NIT con dígito de verificación, o su documento; distinto del de los demás." }),
    ),
    contact_name: optional(line(120, { description: "Con quién se habla." })),
    email: optional(text(200, email)),
    phone: optional(line(30)),
    term_days: optional(Type.Integer({ ...term, description: "Días que da para pagar; por omisión 0, de contado." })),
    notes: optional(text(1000)),
    active: optional(Type.Boolean({ description: "`false`: ya no se le compra; por omisión, `true`." })),
    ...newOwnFields,
  },
  {
    additionalProperties: false,
    examples: [{ name: "Distribuidora La Sabana S.A.S.", email: "pedidos@lasabana.example", term_days: 30 }],
  },
);
export type NewSupplier = Static<typeof NewSupplier>;

export const SupplierChanges = Type.Object(
  {
    name: Type.Optional(label(120)),
    document_type: Type.Optional(oneOf(documentTypes)),
    document_number: Type.Optional(nullable(line(30))),
    contact_name: Type.Optional(nullable(line(120, { description: "Con quién se habla." }))),
    email: Type.Optional(nullable(text(200, email))),
    phone: Type.Optional(nullable(line(30))),
    term_days: Type.Optional(Type.Integer(term)),
    notes: Type.Optional(nullable(text(1000))),
    active: Type.Optional(Type.Boolean(isActive)),
    ...ownFieldChanges,
  },
  { additionalProperties: false, minProperties: 1, examples: [{ term_days: 45, phone: null }] },
);
export type SupplierChanges = Static<typeof SupplierChanges>;

export const SupplierQuery = listQuery({
  document_number: exactText(30, { description: "NIT o documento, con o sin puntos y dígito de verificación." }),
  active: Type.Optional(
    Type.Boolean({ description: "Solo a los que se les compra (`true`) o a los que ya no (`false`)." }),
  ),
  ...externalIdFilter,
  q: searchQuery,
});
export type SupplierQuery = Static<typeof SupplierQuery>;
