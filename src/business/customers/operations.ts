import type { Loaded } from "../../engine/resources/resource.ts";
import type { Operations } from "../../engine/writing/operations.ts";
import type { Write } from "../../engine/writing/write.ts";
import { writeOwnFields } from "../../engine/writing/write-own-fields.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { consentAfter } from "./consent.ts";
import { customers } from "./resource.ts";
import { type Customer, CustomerChanges, NewCustomer } from "./schema.ts";

export const customerOperations: Operations<Customer> = {
  create: {
    body: NewCustomer,
    run: createCustomer,
    errors: ["CONFLICT"],
    batch: async (write) => (input) => createCustomer(write, input),
  },
  update: { body: CustomerChanges, run: updateCustomer, errors: ["CONFLICT"] },
};

export async function createCustomer(write: Write, input: NewCustomer): Promise<Customer> {
  const at = write.at.toISOString();
  const body: Customer = {
    object: "customer",
    id: uuidv7(write.at),
    name: input.name,
    last_name: input.last_name ?? null,
    email: input.email ?? null,
    phone: input.phone ?? null,
    person_type: input.person_type ?? "person",
    document_type: input.document_type ?? "CC",
    document_number: input.document_number ?? null,
    contact_channel: input.contact_channel ?? "none",
    ...(await writeOwnFields(write, customers, {}, input)),
    ...consentAfter({}, input, at),
    deleted_at: null,
    created_at: at,
    updated_at: at,
  };
  write.put(customers, { body });
  write.emit("customer.created", body);
  return body;
}

async function updateCustomer(write: Write, current: Loaded<Customer>, changes: CustomerChanges): Promise<Customer> {
  const own = await writeOwnFields(write, customers, current.body, changes);
  const at = write.at.toISOString();
  const said = consentAfter(current.body, changes, at);
  const body: Customer = { ...current.body, ...changes, ...own, ...said, updated_at: at };
  write.put(customers, { body });
  write.emit("customer.updated", body);
  return body;
}
