import { randomUUID } from "node:crypto";
import { asInvoice, bringBack } from "./bring-back.ts";
import type { Chance } from "./chance.ts";
import type { Draft, Register } from "./register.ts";
import { movement, type Sold, sell } from "./sell.ts";
import { newOrderTaker } from "./take-orders.ts";
import { addTaxes, type ClosedShift, type TaxSums, zText } from "./z-text.ts";

/** The person at a register. Each action is recorded completely before the next one. */
export interface Cashier {
  /** Does one random thing, most often a sale. */
  act(): void;
  closeShift(): void;
  sales(): number;
}

interface Shift {
  id: string;
  opened_at: string;
  cash: number;
  paidOut: number;
  /** Cash given back for returns. The server counts it: it is not in the uploaded sums. */
  refunded: number;
  count: number;
  total: number;
  payments: Map<string, { count: number; amount: number }>;
  taxes: TaxSums;
  movements: object[];
}

const salesPerShift = 40;

export function newCashier(
  register: Register,
  chance: Chance,
  now: () => Date,
  { sold = 0, print }: { sold?: number; print?: ((text: string) => void) | undefined } = {},
): Cashier {
  let shift: Shift | undefined;
  let salesCount = sold;
  const recent: Sold[] = [];
  const open: Sold[] = [];

  const counter = () => ({
    products: register.catalog.products(),
    customerIds: register.catalog.all("customer").map(({ id }) => id as string),
    warehouseId: (register.catalog.all("warehouse").find((one) => one.is_default)?.id ?? null) as string | null,
    cashSessionId: shift?.id ?? null,
    chance,
  });

  function ringUp(): void {
    shift ??= openShift(register, now());
    const sold = sell(counter(), now());
    salesCount += 1;
    // At a table people pay later: the sale is open first and completed afterwards.
    if (chance.happens(0.1)) {
      open.push(sold);
      register.record([{ type: "sale", id: sold.id, data: { ...sold.data, status: "open", table_label: "Mesa 3" } }]);
      return;
    }
    complete(sold);
  }

  function complete(sold: Sold): void {
    register.record([{ type: "sale", id: sold.id, data: sold.data }, ...sold.movements]);
    recent.push(sold);
    if (shift) count(shift, sold);
    if (shift && shift.count >= salesPerShift) closeShift();
  }

  /** The customer brings everything back: the sale is cancelled and the stock returns. */
  function cancel(): void {
    const sold = recent.pop();
    if (!sold) return;
    const back = sold.movements.map(({ data }) => {
      const { product_id, warehouse_id, quantity } = data as {
        product_id: string;
        warehouse_id: string;
        quantity: number;
      };
      return movement(product_id, warehouse_id, "in", quantity, sold.id);
    });
    register.record([{ type: "sale", id: sold.id, data: { ...sold.data, status: "cancelled" } }, ...back]);
  }

  /** The customer brings something back. The server issues the note, and moves the stock and the shift's cash. */
  function takeBack(): void {
    const sold = recent.pop();
    if (!sold) return;
    shift ??= openShift(register, now());
    const { record, refund } = bringBack(sold, shift.id, chance, now());
    shift.refunded += refund;
    register.record([record]);
  }

  /** The customer needs an invoice after all. */
  function changeDocument(): void {
    const buyers = register.catalog.all("customer").filter((one) => one.document_number);
    const sold = recent.at(-1);
    if (!sold || buyers.length === 0 || sold.data.document_kind === "invoice") return;
    const changed = asInvoice(sold, chance.pick(buyers).id);
    recent[recent.length - 1] = changed;
    register.record([{ type: "sale", id: changed.id, data: changed.data }]);
  }

  function closeShift(): void {
    if (!shift) return;
    for (const sold of open.splice(0)) complete(sold);
    if (!shift) return;
    const closed = shiftRecord(register, shift, now());
    register.record([closed]);
    print?.(zText(asPrinted(closed.data as ClosedShift, shift), shift.taxes));
    shift = undefined;
  }

  const orders = newOrderTaker({
    ...{ register, chance, counter, complete: completeOrder },
    openShift() {
      shift ??= openShift(register, now());
    },
  });
  function completeOrder(sold: Sold): void {
    salesCount += 1;
    complete(sold);
  }

  const actions: [share: number, action: () => void][] = [
    [0.03, cancel],
    [0.03, takeBack],
    [0.02, changeDocument],
    [0.06, () => open.length > 0 && complete(open.shift()!)],
    [0.03, () => register.record([newCustomer(chance)])],
    [0.02, () => editCustomer(register, chance)],
    [0.02, () => editPrice(register, chance)],
    [0.02, () => receiveGoods(register, chance, counter().warehouseId)],
    [0.02, () => register.record([newQuote(sell(counter(), now()), now())])],
    [0.02, () => shift && payOut(register, shift, now())],
  ];
  return {
    act() {
      if (counter().products.length === 0 || orders.act(now())) return;
      for (const [share, action] of actions) {
        if (chance.happens(share)) {
          action();
          return;
        }
      }
      ringUp();
    },
    closeShift,
    sales: () => salesCount,
  };
}

function openShift(register: Register, at: Date): Shift {
  const shift: Shift = {
    id: randomUUID(),
    opened_at: at.toISOString(),
    cash: 0,
    paidOut: 0,
    refunded: 0,
    count: 0,
    total: 0,
    payments: new Map(),
    taxes: new Map(),
    movements: [],
  };
  register.record([shiftRecord(register, shift, null)]);
  return shift;
}

function count(shift: Shift, { data }: Sold): void {
  const entry = shift.payments.get(data.payment_method) ?? { count: 0, amount: 0 };
  shift.payments.set(data.payment_method, { count: entry.count + 1, amount: entry.amount + data.total });
  if (data.payment_method === "CASH") shift.cash += data.total;
  shift.count += 1;
  shift.total += data.total;
  addTaxes(shift.taxes, data.tax_breakdown);
}

function payOut(register: Register, shift: Shift, at: Date): void {
  shift.paidOut += 20_000;
  const occurred_at = at.toISOString();
  shift.movements.push({ id: randomUUID(), type: "out", amount: 20_000, reason: "Pago a proveedor", occurred_at });
  register.record([shiftRecord(register, shift, null)]);
}

function shiftRecord(register: Register, shift: Shift, closedAt: Date | null): Draft {
  const expected = 100_000 + shift.cash - shift.paidOut;
  const data = {
    status: closedAt ? "closed" : "open",
    register_name: register.name,
    opened_at: shift.opened_at,
    closed_at: closedAt?.toISOString() ?? null,
    opening_amount: 100_000,
    cash_sales: shift.cash,
    cash_out: shift.paidOut,
    expected_amount: expected,
    counted_amount: closedAt ? expected - shift.refunded : null,
    sales_count: shift.count,
    sales_total: shift.total,
    payments: [...shift.payments].map(([payment_method, { count, amount }]) => ({ payment_method, count, amount })),
    movements: shift.movements,
  };
  return { type: "cash_session", id: shift.id, data: structuredClone(data) };
}

/** The drawer knows what was given back; the server counts it itself, so the upload leaves it out. */
function asPrinted(closed: ClosedShift, { refunded }: Shift): ClosedShift {
  return { ...closed, cash_refunds: refunded, expected_amount: closed.expected_amount - refunded };
}

function newCustomer(chance: Chance): Draft {
  const name = chance.pick(["Ana Lucía", "Jhon Jairo", "Valentina", "Carlos", "María Fernanda"]);
  const data = {
    name,
    phone: `300 ${chance.between(1_000_000, 9_999_999)}`,
    document_number: String(chance.between(1e6, 1e9)),
  };
  return { type: "customer", id: randomUUID(), data };
}

function editCustomer(register: Register, chance: Chance): void {
  const customers = register.catalog.all("customer");
  if (customers.length === 0) return;
  const { id } = chance.pick(customers);
  const phone = `301 ${chance.between(1_000_000, 9_999_999)}`;
  register.catalog.keep("customer", id, { phone });
  register.record([{ type: "customer", id, data: { phone }, changed: ["phone"] }]);
}

function editPrice(register: Register, chance: Chance): void {
  const product = chance.pick(register.catalog.products());
  const price = Math.max(50, Math.round((product.base_price * chance.between(95, 106)) / 5000) * 50);
  const fields = { base_price: price, final_price: price, percent_discount: 0 };
  register.catalog.keep("product", product.id, fields);
  register.record([{ type: "product", id: product.id, data: fields, changed: Object.keys(fields) }]);
}

function receiveGoods(register: Register, chance: Chance, warehouseId: string | null): void {
  const product = chance.pick(register.catalog.products());
  if (product.variants.length > 0) return;
  const cost = Math.round(product.base_price * 0.7);
  register.record([movement(product.id, warehouseId, "in", chance.between(6, 48), null, cost)]);
}

function newQuote({ data }: Sold, at: Date): Draft {
  const {
    status: _,
    payment_method,
    cash_session_id,
    tip_amount,
    table_label,
    occurred_at,
    items,
    total,
    ...rest
  } = data;
  const lines = (items as { unit_cost: unknown }[]).map(({ unit_cost, ...line }) => ({ ...line, discount_percent: 0 }));
  const quote = {
    ...rest,
    total: total - (tip_amount as number),
    status: "sent",
    prefix: "COT",
    number: null,
    items: lines,
    issued_at: at.toISOString(),
    sent_at: at.toISOString(),
    expires_at: null,
  };
  return { type: "quote", id: randomUUID(), data: quote };
}
