import type { NewCustomer } from "../../business/customers/schema.ts";

/** The shop's regular customers. */
export const people: readonly NewCustomer[] = [
  {
    name: "María Fernanda",
    last_name: "Gómez",
    document_number: "1020456789",
    phone: "300 412 7788",
    email: "maria.gomez@example.com",
    contact_channel: "whatsapp",
  },
  {
    name: "Jhon Jairo",
    last_name: "Restrepo",
    document_number: "71234567",
    phone: "311 555 0142",
    contact_channel: "store",
  },
  {
    name: "Valentina",
    last_name: "Ríos",
    document_type: "TI",
    document_number: "1034567890",
    phone: "320 555 0199",
    contact_channel: "instagram",
  },
  {
    name: "Ana Lucía",
    last_name: "Moreno",
    document_type: "CE",
    document_number: "412356",
    email: "ana.moreno@example.com",
  },
  {
    name: "Emily",
    last_name: "Carter",
    document_type: "PASAPORTE",
    document_number: "X1234567",
    email: "emily.carter@example.com",
    contact_channel: "website",
  },
  {
    name: "Panadería La Espiga S.A.S.",
    person_type: "company",
    document_type: "NIT",
    document_number: "901234567-7",
    email: "compras@laespiga.example",
    phone: "604 555 0101",
    contact_channel: "referral",
  },
  {
    name: "Ferretería El Tornillo Ltda.",
    person_type: "company",
    document_type: "NIT",
    document_number: "830112233-1",
    email: "facturas@eltornillo.example",
  },
  {
    name: "Inversiones Daval SAS",
    person_type: "company",
    document_type: "NIT",
    document_number: "900166483-1",
    email: "contabilidad@daval.example",
  },
  {
    name: "Restaurante Doña Rosa S.A.S.",
    person_type: "company",
    document_type: "NIT",
    document_number: "811004567-4",
    phone: "604 555 0177",
    contact_channel: "whatsapp",
  },
  { name: "Distribuciones El Valle", person_type: "company", document_type: "NIT", document_number: "805009876-6" },
];

export const cashiers = ["Luz Dary", "Camilo", "Yesenia"] as const;
