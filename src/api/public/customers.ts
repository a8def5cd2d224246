import { createCustomer } from "../../business/customers/create-customer.ts";
import { Customer, CustomerChanges, CustomerQuery, NewCustomer } from "../../business/customers/schema.ts";
import { customerList, customers } from "../../business/customers/store.ts";
import { updateCustomer } from "../../business/customers/update-customer.ts";
import { ById, IncludeDeleted, listOf, NoQuery } from "../../engine/resources/fields.ts";
import { createOnce } from "./idempotency.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "./reading.ts";
import { updateOne } from "./updating.ts";

const tags = ["Clientes"];

export function customerRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.post(
    "/customers",
    {
      config: { permission: "customers:write", answers: Customer, emits: ["customer.created"] },
      schema: { tags, summary: "Crear un cliente", querystring: NoQuery, body: NewCustomer },
    },
    (request, reply) => createOnce(deps, request, reply, (write) => createCustomer(write, request.body)),
  );
  app.get(
    "/customers",
    {
      config: { permission: "customers:read", answers: listOf(Customer) },
      schema: { tags, summary: "Listar clientes", querystring: CustomerQuery },
    },
    (request, reply) => sendList(deps, request, reply, customerList),
  );
  app.get(
    "/customers/:id",
    {
      config: { permission: "customers:read", answers: Customer },
      schema: { tags, summary: "Leer un cliente", params: ById, querystring: IncludeDeleted },
    },
    (request, reply) => sendOne(deps, request, reply, customers),
  );
  app.patch(
    "/customers/:id",
    {
      config: { permission: "customers:write", answers: Customer, emits: ["customer.updated"] },
      schema: { tags, summary: "Editar un cliente", params: ById, querystring: NoQuery, body: CustomerChanges },
    },
    (request, reply) =>
      updateOne(deps, request, reply, customers, (write, { body }) => updateCustomer(write, body, request.body)),
  );
}
