import { equal, matching } from "../../engine/resources/filters.ts";
import { externalIdColumn } from "../../engine/resources/own-fields.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { searchColumns } from "../../engine/resources/search-columns.ts";
import { documentKey } from "./document-key.ts";
import { Supplier, SupplierQuery } from "./schema.ts";

/** Whom a business buys from. Registers know none of them. */
export const suppliers = defineResource<Supplier>({
  name: "supplier",
  table: "suppliers",
  path: "/suppliers",
  scope: "suppliers",
  tag: { name: "Proveedores", text: "A quién se le compra, con su NIT y su plazo." },
  spanish: { one: "un proveedor", many: "proveedores" },
  schema: Supplier,
  query: SupplierQuery,
  derived: {
    document_key: { type: "text", from: (body) => documentKey(body.document_number) },
    active: { type: "boolean", from: (body) => body.active },
    ...externalIdColumn,
    ...searchColumns(({ name, contact_name, email, phone, document_number }: Supplier) => [
      name,
      contact_name,
      email,
      phone,
      document_number,
    ]),
  },
  private: {},
  events: { created: "supplier.created", updated: "supplier.updated" },
  conditions: (query: SupplierQuery) => [
    ...equal("document_key", query.document_number && (documentKey(query.document_number) ?? "")),
    ...equal("active", query.active),
    ...equal("external_id", query.external_id),
    ...matching(query.q),
  ],
});
