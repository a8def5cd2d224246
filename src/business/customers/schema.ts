import type { Static } from "typebox";
import {
  constant,
  exactText,
  includeDeleted,
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
import { consent, consentChanges, newConsent } from "./consent.ts";

export const personTypes = ["person", "company"] as const;
export const documentTypes = ["CC", "TI", "NIT", "CE", "PASAPORTE"] as const;
export const contactChannels = ["none", "store", "whatsapp", "instagram", "website", "referral"] as const;

export const Customer = Type.Object(
  {
    object: constant("customer"),
    id: uuid(),
    name: Type.String(),
    last_name: nullable(Type.String()),
    email: nullable(Type.String()),
    phone: nullable(Type.String()),
    person_type: oneOf(personTypes, { description: "`person`, persona natural; `company`, persona jurídica." }),
    document_type: oneOf(documentTypes),
    document_number: nullable(Type.String()),
    contact_channel: nullable(oneOf(contactChannels)),
    ...ownFields,
    ...consent,
    erased_at: Type.Optional(
      Type.Unsafe<string | undefined>(
        instant({ description: "Cuándo se borraron sus datos personales; entonces también está eliminado." }),
      ),
    ),
    deleted_at: nullable(instant()),
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
  },
  {
    $id: "customer",
    examples: [
      {
        object: "customer",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c11",
        name: "María Fernanda",
        last_name: "Gómez",
        email: "maria.gomez@example.com",
        phone: "300 123 4567",
        person_type: "person",
        document_type: "CC",
        document_number: "1020456789",
        contact_channel: "whatsapp",
        external_id: "CRM-1042",
        metadata: { club: "oro" },
        accepts_marketing: true,
        accepts_marketing_at: "2026-09-28T19:05:09.120Z",
        accepts_marketing_source: "Mostrador",
        deleted_at: null,
        created_at: "2026-09-28T19:05:09.120Z",
        updated_at: "2026-09-28T19:05:09.120Z",
        version: 1,
      },
    ],
  },
);
export type Customer = Static<typeof Customer>;

const email = { format: "email", description: "Correo electrónico." };

export const NewCustomer = Type.Object(
  {
    name: label(120),
    last_name: optional(line(120)),
    phone: optional(line(30)),
    email: optional(text(200, email)),
    person_type: optional(oneOf(personTypes)),
    document_type: optional(oneOf(documentTypes)),
    document_number: optional(line(30)),
    contact_channel: optional(oneOf(contactChannels)),
    ...newOwnFields,
    ...newConsent,
  },
  {
    additionalProperties: false,
    examples: [
      { name: "María Fernanda", last_name: "Gómez", email: "maria.gomez@example.com", document_number: "1020456789" },
    ],
  },
);
export type NewCustomer = Static<typeof NewCustomer>;

export const CustomerChanges = Type.Object(
  {
    name: Type.Optional(label(120)),
    last_name: Type.Optional(nullable(line(120))),
    phone: Type.Optional(nullable(line(30))),
    email: Type.Optional(nullable(text(200, email))),
    person_type: Type.Optional(oneOf(personTypes)),
    document_type: Type.Optional(oneOf(documentTypes)),
    document_number: Type.Optional(nullable(line(30))),
    contact_channel: Type.Optional(nullable(oneOf(contactChannels))),
    ...ownFieldChanges,
    ...consentChanges,
  },
  { additionalProperties: false, minProperties: 1, examples: [{ phone: "301 765 4321", last_name: null }] },
);
export type CustomerChanges = Static<typeof CustomerChanges>;

export const CustomerQuery = listQuery({
  email: exactText(200, { description: "Correo exacto, sin distinguir mayúsculas." }),
  document_number: exactText(30, { description: "Número de documento exacto." }),
  ...externalIdFilter,
  q: searchQuery,
  include_deleted: includeDeleted,
});
export type CustomerQuery = Static<typeof CustomerQuery>;
