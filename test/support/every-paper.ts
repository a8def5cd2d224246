import type { Actor } from "../../src/access/accounts/record-audit.ts";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { quotes } from "../../src/business/quotes/resource.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import type { Deps } from "../../src/deps.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { readDayClosing, readShiftClosing } from "../../src/fiscal/closing/closing.ts";
import { returnSale } from "../../src/fiscal/corrections/return-sale.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { defaultLook, setLook } from "../../src/fiscal/profile/look.ts";
import { day, second } from "../../src/lib/clock.ts";
import { newRequestId } from "../../src/lib/request-id.ts";
import type { Paper } from "../../src/paper/paper.ts";
import { closingPaper } from "../../src/paper/papers/closing-paper.ts";
import { documentPaper } from "../../src/paper/papers/document-paper.ts";
import { quotePaper } from "../../src/paper/papers/quote-paper.ts";
import { readDocument } from "../../src/paper/papers/read-document.ts";
import { returnPaper } from "../../src/paper/papers/return-paper.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { changeSale, ringUp } from "./fiscal.ts";
import { everyClass, type Goods, issuePapers, newBuyer, saleOf } from "./papers.ts";
import { cashSessionBody, quoteBody, quoteItemBody, store } from "./records.ts";

const adjectives = [
  "grande de la finca",
  "con descripción larga que ocupa más de una línea del tiquete angosto",
  "",
  "x 12",
];

/** Sixty lines: one of every class of tax, and names of every length. */
export const sixtyLines: Goods[] = [
  ...everyClass,
  ...Array.from({ length: 60 - everyClass.length }, (_, i): Goods => {
    const { description, ...one } = everyClass[i % 5]!;
    return { ...one, description: `${description} ${adjectives[i % 4]} ${i + 1}`.replaceAll("  ", " ") };
  }),
];

const longName = "Comercializadora Internacional de Productos del Campo y Abarrotes La Gran Esquina de Laureles S.A.S.";

/** A paper of every kind, by a name for its file. */
export async function furnishPapers(deps: Deps, accountId: string, actor: Actor): Promise<Record<string, Paper>> {
  await issuePapers(deps, accountId);
  await setLook(
    deps,
    accountId,
    {
      ...defaultLook,
      name: longName,
      address: "Carrera 76 # 33A-45, local 102, centro comercial Unicentro",
      city: "Medellín",
      phone: "604 555 0134",
      email: "facturacion@lagranesquinadelaureles.example",
      footer: "Gracias por preferirnos. Cambios dentro de los 8 días con su documento de compra.",
    },
    actor,
  );
  const shift = await openShift(deps, accountId);
  const buyer = await newBuyer({ deps }, accountId, {
    name: longName,
    email: "cuentas.por.pagar@lagranesquina.example",
  });
  const invoiced = { document_kind: "invoice", customer_id: buyer.id, payment_method: "TRANSFER" } as const;
  const [invoice, pos, credited, returned, whole, pending] = await ringUp({ deps }, accountId, (at) =>
    [
      saleOf(at, sixtyLines, { ...invoiced, discount_percent: 10 }),
      saleOf(at, everyClass, { tip: 12_000, payment_method: "NEQUI" }),
      saleOf(at, sixtyLines, invoiced),
      saleOf(at, sixtyLines, { discount_percent: 5 }),
      saleOf(at, everyClass),
      saleOf(at, everyClass.slice(0, 2)),
    ].map((sale): Sale => ({ ...sale, cash_session_id: shift })),
  );
  await decide(deps);
  const back = async ({ id }: Sale, some: Sale["items"], reason: string | null) => {
    const lines = some.map(({ id: item_id, quantity }) => ({ item_id, quantity }));
    const asked = { lines, payment_method: "CASH", reason };
    const { record } = await returnSale(deps, accountId, id, asked, {
      ...{ actor, requestId: newRequestId() },
      allow: async () => {},
    });
    return record;
  };
  const partly = await back(returned!, returned!.items.slice(0, 40), "Venía golpeado y el empaque estaba roto");
  const wholly = await back(whole!, whole!.items, null);
  const creditedPartly = await back(invoice!, invoice!.items.slice(0, 9), "No era lo que pidió");
  const cancelled = await changeSale({ deps }, accountId, credited!.id, { status: "cancelled" });
  await decide(deps);
  const [late] = await ringUp({ deps }, accountId, (at) => [saleOf(at, everyClass)]);
  const documentOf = async (id: string) => documentPaper((await readDocument(deps, accountId, id))!);
  const now = deps.clock.now();
  const quote = await quoteAll(deps, accountId, buyer.id);
  return {
    factura: await documentOf(invoice!.invoices[0]!.id),
    pos: await documentOf(pos!.invoices[0]!.id),
    "pos-pendiente": await documentOf(late!.invoices[0]!.id),
    "pos-corto": await documentOf(pending!.invoices[0]!.id),
    "nota-credito": await documentOf(cancelled.invoices.at(-1)!.id),
    "nota-credito-parcial": await documentOf(creditedPartly.invoice_id!),
    "nota-ajuste": await documentOf(partly.invoice_id!),
    "nota-ajuste-total": await documentOf(wholly.invoice_id!),
    anulada: await documentOf(credited!.invoices[0]!.id),
    devolucion: (await returnPaper(deps, accountId, partly.id))!,
    "devolucion-total": (await returnPaper(deps, accountId, wholly.id))!,
    cotizacion: (await quotePaper(deps, accountId, quote, now))!,
    "cotizacion-vencida": (await quotePaper(deps, accountId, quote, new Date(now.getTime() + 9 * day)))!,
    "z-turno": await closingPaper(deps, accountId, (await readShiftClosing(deps.pool, accountId, shift))!, now),
    "z-dia": await closingPaper(deps, accountId, await readDayClosing(deps.pool, accountId, bogotaDate(now)), now),
  };
}

/** A shift that counted 500 pesos too little, with something of everything. */
async function openShift(deps: Deps, accountId: string): Promise<string> {
  const drawer = { cash_sales: 3_481_500, cash_in: 50_000, cash_out: 120_000, expected_amount: 3_511_500 };
  const [session] = await store(deps, accountId, cashSessions, (at) => [
    {
      body: cashSessionBody(at, { ...drawer, register_name: "Caja 1 del segundo piso", opened_by: "Ana Lucía Moreno" }),
    },
  ]);
  return session!.id;
}

async function quoteAll(deps: Deps, accountId: string, customerId: string): Promise<string> {
  const [quote] = await store(deps, accountId, quotes, (at) => {
    const { items, subtotal, discount, tax, total, tax_breakdown } = saleOf(at, sixtyLines, { discount_percent: 10 });
    const lines = items.map(({ object: _, unit_cost: __, ...item }) => quoteItemBody(item));
    const expires_at = new Date(Date.parse(at) + 8 * day).toISOString();
    const notes = "Precios sujetos a existencias. La entrega se hace en dos días hábiles en el área metropolitana.";
    const amounts = { subtotal, discount, discount_percent: 10, tax, total, tax_breakdown };
    return [{ body: quoteBody(at, { ...amounts, items: lines, customer_id: customerId, expires_at, notes }) }];
  });
  return quote!.id;
}

async function decide(deps: Deps): Promise<void> {
  const worker = fiscalWorker(deps, authorityFor(deps));
  for (let i = 0; i < 4; i++) {
    await worker.workOff();
    deps.clock.shiftTo(deps.clock.offsetMs() + second);
  }
}
