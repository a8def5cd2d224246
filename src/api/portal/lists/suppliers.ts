import type { Supplier } from "../../../business/suppliers/schema.ts";
import { listOf } from "./list.ts";
import { identityOf, termWords } from "./words.ts";

export const supplierList = listOf<Supplier>()({
  title: "Proveedores",
  path: "/records/suppliers",
  file: "/tables/suppliers",
  right: "purchases:read",
  filters: {
    q: { name: "q", label: "Buscar", kind: "search", least: 2, placeholder: "Nombre, NIT, contacto o correo" },
  },
  columns: {
    name: { title: "Proveedor", type: "text", value: ({ name }) => name },
    identity: { title: "Documento", type: "text", value: identityOf, none: "Sin NIT", isOnPageOnly: true },
    document_type: { title: "Tipo de documento", type: "text", value: ({ document_type }) => document_type },
    document_number: { title: "Número de documento", type: "text", value: ({ document_number }) => document_number },
    contact_name: { title: "Contacto", type: "text", value: ({ contact_name }) => contact_name },
    phone: { title: "Teléfono", type: "text", value: ({ phone }) => phone },
    email: { title: "Correo", type: "text", value: ({ email }) => email, isExtra: true },
    term: { title: "Plazo", type: "text", value: ({ term_days }) => termWords(term_days) },
    active: { title: "Se le compra", type: "flag", value: ({ active }) => active, isExtra: true },
    notes: { title: "Notas", type: "text", value: ({ notes }) => notes },
    created_at: {
      title: "Creado",
      onPage: "Desde",
      type: "moment",
      value: ({ created_at }) => created_at,
      isExtra: true,
    },
  },
  page: ["name", "identity", "contact_name", "phone", "term", "active"],
});
