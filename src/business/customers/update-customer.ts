import type { Write } from "../../engine/writing/writing.ts";
import type { Customer, CustomerChanges } from "./schema.ts";
import { customers } from "./store.ts";

export function updateCustomer(write: Write, current: Customer, changes: CustomerChanges): Customer {
  const body: Customer = { ...current, ...changes, updated_at: write.at.toISOString() };
  write.put(customers, { body });
  write.emit("customer.updated", body);
  return body;
}
