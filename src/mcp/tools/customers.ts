import type { Static } from "typebox";
import { documentTypes, personTypes } from "../../business/customers/schema.ts";
import { label, line, oneOf, text, uuid } from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";
import type { Json } from "../api-calls.ts";
import { confirmationField, editOnce, makeOnce } from "../change.ts";
import { defineTool, type ToolContext } from "../tool.ts";
import { defaultShown, limitField, shortCustomer } from "./words.ts";

const Wanted = Type.Object(
  {
    text: label(100, { minLength: 2, description: "Parte del nombre, el correo, el teléfono o el documento." }),
    limit: limitField(),
  },
  { additionalProperties: false },
);

export const findCustomer = defineTool({
  name: "find_customer",
  title: "Buscar un cliente",
  description: "Busca clientes por nombre, correo, teléfono o documento.",
  scopes: ["customers:read"],
  input: Wanted,
  async run({ text: q, limit = defaultShown }: Static<typeof Wanted>, { api }) {
    const { body } = await api.get("/customers", { q, limit });
    return { customers: body.data.map(shortCustomer), has_more: body.has_more };
  },
});

const fields = {
  last_name: Type.Optional(line(120, { description: "Apellidos." })),
  phone: Type.Optional(line(30, { description: "Teléfono." })),
  email: Type.Optional(text(200, { format: "email", description: "Correo." })),
  person_type: Type.Optional(oneOf(personTypes, { description: "`person`, natural; `company`, jurídica." })),
  document_type: Type.Optional(oneOf(documentTypes, { description: "Tipo de documento." })),
  document_number: Type.Optional(line(30, { description: "Número de documento." })),
};

const New = Type.Object(
  { name: label(120, { description: "Nombre o razón social." }), ...fields, confirmation: confirmationField },
  { additionalProperties: false },
);
type New = Static<typeof New>;

export const createCustomer = defineTool({
  name: "create_customer",
  title: "Crear un cliente",
  description: "Crea un cliente. La vista previa dice si ya hay alguno con ese documento o ese correo.",
  scopes: ["customers:write"],
  writes: { destroys: false },
  input: New,
  async run(input: New, context) {
    const { confirmation, ...body } = input;
    const alike = confirmation === undefined ? await findAlike(context, body) : [];
    const change = {
      ...{ tool: "create_customer", input, action: "assistant.customer_created" as const },
      preview: {
        summary: `Se crearía el cliente ${nameOf(body)}.`,
        customer: body,
        ...(alike.length > 0 && { warnings: ["Ya hay clientes con ese documento o ese correo."], alike }),
      },
      details: ({ id }: { id: string }) => ({ customer_id: id, fields: Object.keys(body) }),
    };
    const result = await makeOnce(context, change, "/customers", body);
    return "preview" in result ? result.preview : { done: true, customer: shortCustomer(result.made) };
  },
});

async function findAlike({ access, api }: ToolContext, { document_number, email }: New): Promise<object[]> {
  if (!access.scopes.has("customers:read")) return [];
  const found = new Map<string, object>();
  for (const query of [{ document_number }, { email }]) {
    if (!Object.values(query)[0]) continue;
    const { body } = await api.get("/customers", { ...query, limit: 5 });
    for (const one of body.data) found.set(one.id, shortCustomer(one));
  }
  return [...found.values()];
}

const Changes = Type.Object(
  {
    customer_id: uuid({ description: "El cliente; búsquelo con `find_customer`." }),
    name: Type.Optional(label(120, { description: "Nombre o razón social." })),
    ...fields,
    confirmation: confirmationField,
  },
  { additionalProperties: false, minProperties: 2 },
);
type Changes = Static<typeof Changes>;

export const updateCustomer = defineTool({
  name: "update_customer",
  title: "Editar un cliente",
  description: "Cambia datos de un cliente. Solo se tocan los que se envían.",
  scopes: ["customers:read", "customers:write"],
  writes: { destroys: true },
  input: Changes,
  async run(input: Changes, context) {
    const { customer_id, confirmation: _, ...changes } = input;
    const path = `/customers/${customer_id}`;
    const current = await context.api.get(path);
    const partOf = (body: Json) =>
      Object.fromEntries(Object.keys(changes).map((name) => [name, body[name] as unknown]));
    const change = {
      ...{ tool: "update_customer", input, action: "assistant.customer_updated" as const },
      preview: {
        summary: `Se editaría el cliente ${nameOf(current.body)}.`,
        ...{ customer_id, before: partOf(current.body), after: changes },
      },
      details: () => ({ customer_id, fields: Object.keys(changes) }),
    };
    const result = await editOnce(context, change, {
      ...{ path, current, partOf, changes },
      read: () => context.api.get(path),
    });
    return "preview" in result ? result.preview : { done: true, customer: shortCustomer(result.made) };
  },
});

function nameOf({ name, last_name }: { name: string; last_name?: string | null | undefined }): string {
  return [name, last_name].filter(Boolean).join(" ");
}
