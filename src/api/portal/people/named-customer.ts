import type { Customer } from "../../../business/customers/schema.ts";

/** A customer as other records' pages name it. */
export type NamedCustomer = Pick<
  Customer,
  "id" | "name" | "last_name" | "document_type" | "document_number" | "email" | "phone"
>;

/** From a customer's stored body. */
export function namedCustomer(body: string | null): NamedCustomer | null {
  if (body === null) return null;
  const { id, name, last_name, document_type, document_number, email, phone } = JSON.parse(body) as Customer;
  return { id, name, last_name, document_type, document_number, email, phone };
}
