import type { Customer } from "../../../business/customers/schema.ts";
import { contactChannelWords, personTypeWords } from "../lists/words.ts";
import type { Column } from "../tables/table.ts";

export const customerColumns: readonly Column<Customer>[] = [
  { title: "Nombre", type: "text", value: ({ name }) => name },
  { title: "Apellido", type: "text", value: ({ last_name }) => last_name },
  { title: "Tipo de documento", type: "text", value: ({ document_type }) => document_type },
  { title: "Número de documento", type: "text", value: ({ document_number }) => document_number },
  { title: "Persona", type: "text", value: ({ person_type }) => personTypeWords[person_type] },
  { title: "Correo", type: "text", value: ({ email }) => email },
  { title: "Teléfono", type: "text", value: ({ phone }) => phone },
  {
    title: "Cómo llegó",
    type: "text",
    value: ({ contact_channel }) => (contact_channel === null ? null : contactChannelWords[contact_channel]),
  },
  { title: "Creado", type: "moment", value: ({ created_at }) => new Date(created_at) },
];
