import { equal, matching, notDeleted } from "../../engine/resources/filters.ts";
import { externalIdColumn } from "../../engine/resources/own-fields.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { searchColumns } from "../../engine/resources/search-columns.ts";
import { consentDefaults } from "./consent.ts";
import { Customer, CustomerQuery } from "./schema.ts";

export const customers = defineResource<Customer>({
  name: "customer",
  table: "customers",
  path: "/customers",
  scope: "customers",
  tag: { name: "Clientes", text: "Personas y empresas que compran, creadas en una caja o por la API." },
  spanish: { one: "un cliente", many: "clientes" },
  schema: Customer,
  query: CustomerQuery,
  isDeletable: true,
  derived: {
    email_key: { type: "text", from: (body) => body.email?.toLowerCase() ?? null },
    document_number: { type: "text", from: (body) => body.document_number },
    ...externalIdColumn,
    ...searchColumns(({ name, last_name, email, phone, document_number }: Customer) => [
      last_name ? `${name} ${last_name}` : name,
      email,
      phone,
      document_number,
    ]),
  },
  private: {},
  events: { created: "customer.created", updated: "customer.updated", deleted: "customer.deleted" },
  // Whoever asked to be forgotten stays so, whatever a register still had to say of her.
  isFinal: ({ erased_at }) => erased_at !== undefined,
  merged: {
    needs: ["name"],
    defaults: {
      name: "",
      last_name: null,
      email: null,
      phone: null,
      person_type: "person",
      document_type: "CC",
      document_number: null,
      contact_channel: "none",
      external_id: null,
      metadata: null,
      ...consentDefaults,
    },
  },
  conditions: (query: CustomerQuery) => [
    ...notDeleted(query.include_deleted),
    ...equal("email_key", query.email?.toLowerCase()),
    ...equal("document_number", query.document_number),
    ...equal("external_id", query.external_id),
    ...matching(query.q),
  ],
});
