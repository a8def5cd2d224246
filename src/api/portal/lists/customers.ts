import type { Customer } from "../../../business/customers/schema.ts";
import { listOf } from "./list.ts";
import { contactChannels, customerName, identityOf, personTypes } from "./words.ts";

export const customerList = listOf<Customer>()({
  title: "Clientes",
  path: "/records/customers",
  file: "/tables/customers",
  right: "customers:read",
  filters: {
    q: {
      name: "q",
      label: "Buscar",
      kind: "search",
      least: 2,
      placeholder: "Nombre, documento, teléfono o correo",
    },
  },
  columns: {
    full_name: { title: "Cliente", type: "text", value: customerName, isOnPageOnly: true },
    identity: { title: "Documento", type: "text", value: identityOf, isOnPageOnly: true },
    name: { title: "Nombre", type: "text", value: ({ name }) => name },
    last_name: { title: "Apellido", type: "text", value: ({ last_name }) => last_name },
    document_type: { title: "Tipo de documento", type: "text", value: ({ document_type }) => document_type },
    document_number: { title: "Número de documento", type: "text", value: ({ document_number }) => document_number },
    person_type: { title: "Persona", type: "text", value: ({ person_type }) => personTypes[person_type].inFiles },
    email: { title: "Correo", type: "text", value: ({ email }) => email, isExtra: true },
    phone: { title: "Teléfono", type: "text", value: ({ phone }) => phone },
    contact_channel: {
      title: "Cómo llegó",
      type: "text",
      value: ({ contact_channel }) => contact_channel && contactChannels[contact_channel].inFiles,
    },
    created_at: {
      title: "Creado",
      onPage: "Desde",
      type: "moment",
      value: ({ created_at }) => created_at,
      isExtra: true,
    },
  },
  page: ["full_name", "identity", "phone", "email", "created_at"],
});
