import { randomUUID } from "node:crypto";
import type { Sale } from "../../src/business/sales/schema.ts";
import type { Authority } from "../../src/fiscal/authority/authority.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { claimDocuments } from "../../src/fiscal/documents/claim-documents.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { second } from "../../src/lib/clock.ts";
import { iva } from "../../src/taxes/tax-classes.ts";
import type { CorrectionAction } from "./correction-actions.ts";
import { documentProblems, type Floor, settledProblems } from "./correction-checks.ts";
import { advance, fiscalBusiness } from "./fiscal.ts";
import { openAgain } from "./portal.ts";
import { cashSessionBody, customerBody, productBody, warehouseBody } from "./records.ts";
import { ableToReturn, enrol, type Till, upload } from "./register.ts";
import { bag, returnOf, saleOf } from "./returning.ts";
import type { Service } from "./service.ts";

/** A shop whose sales are made, changed, returned and given other documents as a script says. */
export interface CorrectionFloor {
  act(action: CorrectionAction): Promise<void>;
  /** What no moment may show. */
  problems(): Promise<string[]>;
  /** The authority is back and decides everything; then the sums must be right. */
  settle(): Promise<string[]>;
}

const goods = [
  { unit_price: 3200, taxes: [iva(19)] },
  { unit_price: 15_900, taxes: [iva(5)] },
  { unit_price: 2601, taxes: [] },
  { unit_price: 0, taxes: [bag], tax_class: "bag" as const },
];

export async function openCorrectionFloor(service: Service): Promise<CorrectionFloor> {
  const floor = await openFloor(service);
  return {
    act: (action) => act(floor, action),
    problems: () => documentProblems(floor),
    async settle() {
      floor.isAway = false;
      for (let round = 0; round < 3; round++) {
        await act(floor, { kind: "customer" });
        await work(floor, 40);
        await act(floor, { kind: "resend" });
      }
      await work(floor, 700);
      return [...(await documentProblems(floor)), ...(await settledProblems(floor))];
    },
  };
}

interface Busy extends Floor {
  authority: Authority;
  isAway: boolean;
  tills: Till[];
  /** Buyers who are named and have not arrived. */
  awaited: string[];
  buyerId: string;
  numbers: number;
}

async function openFloor(service: Service): Promise<Busy> {
  const shop = await fiscalBusiness(service);
  const at = new Date().toISOString();
  const tills = [
    await enrol(service, shop.accountId, { capabilities: ableToReturn }),
    await enrol(service, shop.accountId, { name: "Caja 2", capabilities: ableToReturn }),
  ];
  const products = goods.map((one) => productBody(at, { tax_class: one.tax_class ?? "standard" }));
  const shift = cashSessionBody(at);
  const buyer = customerBody(at, { document_type: "NIT", document_number: "901234567-7" });
  await tills[0]!.push([
    { type: "warehouse", data: upload(warehouseBody(at)) },
    ...products.map((one) => ({ type: "product", id: one.id, data: upload(one) })),
    { type: "cash_session", id: shift.id, data: upload(shift) },
    { type: "customer", id: buyer.id, data: upload(buyer) },
  ]);
  const real = authorityFor(service.deps);
  const away = { kind: "unavailable", message: "En este momento el servicio no está disponible." } as const;
  const floor: Busy = {
    service,
    accountId: shop.accountId,
    api: shop.api,
    owner: await openAgain(service, shop, ""),
    tills,
    productIds: products.map(({ id }) => id),
    sold: [],
    moved: new Map(),
    shift,
    awaited: [],
    buyerId: buyer.id,
    numbers: 0,
    isAway: false,
    authority: {
      send: async (submission) => (floor.isAway ? away : real.send(submission)),
      query: async (submission) => (floor.isAway ? away : real.query(submission)),
    },
  };
  return floor;
}

async function act(floor: Busy, action: CorrectionAction): Promise<void> {
  switch (action.kind) {
    case "sell":
      return sell(floor, action);
    case "return":
      return bringBack(floor, action);
    case "invoice":
      return giveInvoice(floor, action);
    case "work":
      return work(floor, action.seconds);
    case "kill":
      return killWorker(floor);
    case "outage":
    case "recovery":
      floor.isAway = action.kind === "outage";
      return;
    case "customer": {
      const at = new Date().toISOString();
      for (const id of floor.awaited.splice(0))
        await floor.tills[0]!.put("customer", { ...upload(customerBody(at, { document_number: "71234567" })), id });
      return;
    }
    case "resend": {
      const { data } = (await floor.owner.get("/invoices/unissued")).body;
      for (const { id } of data) await floor.owner.post(`/invoices/${id}/resend`);
      return;
    }
    case "shift":
      floor.shift = {
        ...floor.shift,
        cash_sales: floor.shift.cash_sales + 1000,
        expected_amount: floor.shift.expected_amount + 1000,
      };
      await floor.tills[0]!.put("cash_session", upload(floor.shift));
      return;
    default:
      return change(floor, action);
  }
}

async function sell(
  floor: Busy,
  { register, lines, document, tip }: CorrectionAction & { kind: "sell" },
): Promise<void> {
  const till = floor.tills[register % floor.tills.length]!;
  const late = document === "late" ? randomUUID() : null;
  if (late) floor.awaited.push(late);
  const isInvoice = document === "invoice" || document === "late";
  const basket = lines.map(([product, quantity]) => ({
    ...goods[product]!,
    quantity,
    product_id: floor.productIds[product]!,
  }));
  const sale = saleOf(
    basket,
    {
      status: document === "open" ? "open" : "completed",
      document_kind: isInvoice ? "invoice" : "pos",
      customer_id: late ?? (isInvoice ? floor.buyerId : null),
      cash_session_id: floor.shift.id,
    },
    0,
    tip ? 1000 : 0,
  );
  floor.sold.push({ sale, register });
  await till.push([
    { type: "sale", id: sale.id, data: upload(sale) },
    ...(document === "register" ? [ownDocument(floor, sale)] : []),
    ...(document === "open" ? [] : takeFromStock(floor, sale)),
  ]);
}

/** A document that the register issued itself. */
function ownDocument(floor: Busy, sale: Sale) {
  floor.numbers += 1;
  const { total, tax } = sale;
  const data = {
    sale_id: sale.id,
    document_type: "pos_document",
    type_document_id: 15,
    status: "issued",
    prefix: "CAJA",
    number: floor.numbers,
    cufe: "ab".repeat(48),
    subtotal: total - tax - sale.tip_amount,
    tax,
    total,
    issued_at: sale.occurred_at,
  };
  return { type: "invoice", data };
}

function takeFromStock(floor: Busy, sale: Sale, type: "sale" | "in" = "sale") {
  return sale.items.map(({ product_id, quantity }) => {
    move(floor, product_id!, type === "sale" ? -quantity : quantity);
    const origin_type = type === "sale" ? "sale" : "reversal";
    return { type: "stock_movement", data: { product_id, type, quantity, origin_type, sale_id: sale.id } };
  });
}

function move(floor: Floor, productId: string, quantity: number): void {
  floor.moved.set(productId, (floor.moved.get(productId) ?? 0) + quantity);
}

function pickSold(floor: Floor, pick: number) {
  return floor.sold[pick % Math.max(1, floor.sold.length)];
}

/** A register pays an open sale, changes a sale's notes, cancels one, or uploads one again. */
async function change(
  floor: Busy,
  { kind, pick }: CorrectionAction & { kind: "pay" | "edit" | "cancel" | "repeat" },
): Promise<void> {
  const sold = pickSold(floor, pick);
  if (!sold) return;
  const { sale } = sold;
  if (kind === "pay" && sale.status !== "open") return;
  if (kind === "cancel" && sale.status !== "completed") return;
  // A register that knows of returns takes back the rest instead of cancelling; whoever does not, cancels without goods.
  const wasReturned = kind === "cancel" && (await floor.api.get(`/returns?sale_id=${sale.id}`)).body.data.length > 0;
  const records =
    kind === "pay"
      ? takeFromStock(floor, sale)
      : kind === "cancel" && !wasReturned
        ? takeFromStock(floor, sale, "in")
        : [];
  const status = kind === "pay" ? "completed" : kind === "cancel" ? "cancelled" : sale.status;
  sold.sale = { ...sale, status, ...(kind === "edit" && { notes: `nota ${pick}` }) };
  await floor.tills[sold.register % floor.tills.length]!.push([
    { type: "sale", id: sale.id, data: upload(sold.sale) },
    ...records,
  ]);
}

async function bringBack(
  floor: Busy,
  { by, register, pick, quantities, cash }: CorrectionAction & { kind: "return" },
): Promise<void> {
  const sale = pickSold(floor, pick)?.sale;
  if (!sale) return;
  const wanted = sale.items.map((_, i) => quantities[i % quantities.length]);
  const { lines, ...made } = returnOf(
    sale,
    wanted,
    cash ? { payment_method: "CASH", cash_session_id: floor.shift.id } : {},
  );
  if (lines.length === 0) return;
  if (by === "register") await floor.tills[register % floor.tills.length]!.put("return", { ...made, lines });
  else await floor.owner.post(`/sales/${sale.id}/returns`, { id: made.id, lines, payment_method: made.payment_method });
}

async function giveInvoice(floor: Busy, { by, pick }: CorrectionAction & { kind: "invoice" }): Promise<void> {
  const sold = pickSold(floor, pick);
  if (!sold) return;
  if (by === "portal") {
    await floor.owner.post(`/sales/${sold.sale.id}/invoice`, { customer_id: floor.buyerId });
    return;
  }
  const asked: Sale = { ...sold.sale, document_kind: "invoice", customer_id: sold.sale.customer_id ?? floor.buyerId };
  await floor.tills[sold.register % floor.tills.length]!.put("sale", upload(asked));
}

async function work({ service, authority }: Busy, seconds: number): Promise<void> {
  const worker = fiscalWorker(service.deps, authority);
  const steps = Math.min(seconds, 12);
  for (let i = 0; i < steps; i++) {
    await worker.workOff();
    advance(service, (seconds / steps) * second);
  }
  await worker.workOff();
}

/** A worker dies after it took documents: some were sent, and nobody noted the answers. */
async function killWorker({ service, authority }: Busy): Promise<void> {
  const { deps } = service;
  const taken = { secretKey: deps.config.secretKey, now: deps.clock.now(), most: 4, leaseMs: 1 };
  const claimed = await claimDocuments(deps.pool, taken);
  for (const [i, { submission, progress }] of claimed.entries())
    if (i % 2 === 0 && progress.state === "queued" && !progress.doubt) await authority.send(submission);
}
