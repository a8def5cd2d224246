import { randomUUID } from "node:crypto";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { recordAudit, theOperator } from "../../src/access/accounts/record-audit.ts";
import { requestLog } from "../../src/access/api-keys/request-log.ts";
import { mailTickets } from "../../src/fiscal/documents/mail-tickets.ts";
import { saleBody } from "./records.ts";
import { enrol, type Till } from "./register.ts";
import type { Business, Service } from "./service.ts";

/** A buyer whose name, number and addresses stand nowhere else. */
export const zoraida = {
  name: "Zoraida Eulalia",
  last_name: "Quintanilla Ñáñez",
  email: "zoraida.quintanilla@correo.example",
  phone: "+57 318 765 4321",
  document_number: "1.098.765.432",
};

/** By which a search finds her, however she was written down. */
export const tracesOfZoraida = [
  "zoraida",
  "quintanilla",
  "3187654321",
  "318 765 4321",
  "1098765432",
  "1.098.765.432",
  "ñáñez",
  "nanez",
];

export interface Known {
  customerId: string;
  saleIds: string[];
  till: Till;
}

const capabilities = ["product.remote_edit.1", "ticket_mail.1", "counter_act.1", "business.down.1"];

/** She buys, is quoted and is written about wherever a business can: by the API, at a register, in texts of others. */
export async function meetZoraida(service: Service, { accountId, api }: Business): Promise<Known> {
  const once = () => ({ "idempotency-key": randomUUID() });
  const metadata = { nota: "Vive donde Zoraida Quintanilla" };
  const { body: customer } = await api.post(
    "/customers",
    { ...zoraida, metadata, external_id: "Q-1098765432" },
    once(),
  );
  await api.patch(`/customers/${customer.id}`, { contact_channel: "whatsapp" });
  await api.post("/customers", { name: "Vecino", metadata: { amiga: "Zoraida Eulalia Quintanilla Ñáñez" } }, once());
  await api.get(`/customers?email=${encodeURIComponent(zoraida.email)}`);
  await api.get("/customers?q=zoraida+quintanilla");
  await api.get(`/customers?q=${encodeURIComponent("Zoraida Eulalia Quintanilla Ñáñez")}`);
  const till = await enrol(service, accountId, { capabilities });
  const saleIds = [randomUUID(), randomUUID()] as const;
  const at = new Date().toISOString();
  await till.push([
    ...saleIds.map((id, i) => ({ type: "sale", id, data: saleData(at, i === 0 ? customer.id : null) })),
    { type: "quote", data: quoteData(at, customer.id) },
    { type: "ticket_mail", data: { sale_id: saleIds[1], email: zoraida.email } },
    { type: "counter_act", data: actData(at, saleIds[0]) },
    // What she changed herself at the counter, after the API did: one of both is lost, and told.
    {
      type: "customer",
      id: customer.id,
      base_seq: 0,
      edited_at: "2020-01-01T00:00:00.000Z",
      changed: ["phone"],
      data: { phone: "318-765-4321 (casa)" },
    },
    { type: "customer", id: randomUUID(), data: { name: 7, email: zoraida.email } },
    { type: "stock_movement", data: movementData() },
  ]);
  const saidAt = service.deps.clock.now();
  await withAccountLock(service.deps, accountId, (client) =>
    recordAudit(client, {
      ...{ accountId, at: saidAt, action: "invoice.mailed", actor: theOperator },
      details: { invoice_id: randomUUID(), email: zoraida.email },
    }),
  );
  await mailTickets(service.deps);
  const log = requestLog(service.deps, (error) => {
    throw error;
  });
  await log.stop();
  return { customerId: customer.id, saleIds: [...saleIds], till };
}

function saleData(at: string, customer_id: string | null): object {
  const { id: _id, ...sale } = saleBody(at, {
    customer_id,
    notes: `Llamar a Zoraida al 3187654321 (${zoraida.email})`,
    table_label: customer_id ? "Zoraida" : "Mesa de Zoraida Eulalia Quintanilla Ñáñez",
    occurred_at: at,
  });
  return sale;
}

function quoteData(at: string, customer_id: string): object {
  return {
    ...{ prefix: "COT", number: 1, status: "sent", customer_id, customer_name: `${zoraida.name} ${zoraida.last_name}` },
    ...{ subtotal: 1000, discount: 0, discount_percent: 0, tax: 0, total: 1000, tax_breakdown: [] },
    notes: "Para Zoraida, cédula 1.098.765.432",
    items: [
      {
        ...{ id: randomUUID(), product_id: null, variant_id: null, item_kind: "custom", description: "Algo" },
        ...{ quantity: 1, unit_price: 1000, subtotal: 1000, tax_class: "excluded", taxes: [] },
      },
    ],
    ...{ issued_at: at, expires_at: null, sent_at: at },
  };
}

function actData(at: string, sale_id: string): object {
  return { kind: "discount", occurred_at: at, sale_id, label: "Descuento", amount: 100, detail: "Lo pidió Zoraida" };
}

function movementData(): object {
  const reason = "Devuelto por Zoraida Eulalia Quintanilla Ñáñez";
  return { product_id: randomUUID(), type: "in", quantity: 1, reason, reference: "CC 1098765432" };
}
