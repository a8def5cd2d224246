import { randomUUID } from "node:crypto";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { type Draft, openRegister, type Register } from "../../simulator/register.ts";
import { type Fetch, syncClient } from "../../simulator/sync-client.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { invoiceBody, quoteBody, saleBody, variantBody, warehouseBody } from "./records.ts";
import { upload } from "./register.ts";
import type { Business, Service } from "./service.ts";
import type { Action, Edited, Mishap } from "./shop-actions.ts";
import { floorProblems, type Known } from "./shop-floor-checks.ts";

/** A simulated shop whose registers, API clients and network follow a script. */
export interface ShopFloor {
  accountId: string;
  act(action: Action): Promise<void>;
  /** All registers come online, upload everything and receive everything. */
  settle(): Promise<void>;
  /** The violations found after settling. */
  problems(): Promise<string[]>;
  close(): Promise<void>;
}

interface Desk {
  register: Register;
  folders: string[];
  /** What happens to the next upload. */
  mishap: Mishap;
  /** Uploads that will arrive a second time. */
  sent: [string, RequestInit][];
  backup: string | undefined;
  reopen(folder: string): Promise<void>;
  /** Its own sales by id, as last recorded, and its open shift. */
  sales: Map<string, { status: string }>;
  shift: string | undefined;
}

export async function openShopFloor(service: Service, folder: string, skews: readonly number[]): Promise<ShopFloor> {
  const shop = await service.business();
  const known: Known = { movements: new Map(), apiWrites: 0 };
  const desks: Desk[] = [];
  for (const [i, skewMs] of skews.entries())
    desks.push(await openDesk(service, shop, join(folder, shop.accountId, String(i)), skewMs));
  const first = desks[0]!.register;
  record(first, [warehouse(true), ...[1, 2, 3].map(() => product())], known);
  await drain(first);
  for (const { register } of desks) await receive(register);
  return {
    accountId: shop.accountId,
    act: (action) => act(shop, desks, action, known),
    async settle() {
      for (const desk of desks) {
        desk.mishap = "none";
        await drain(desk.register);
      }
      for (const { register } of desks) await receive(register);
    },
    problems: () => floorProblems(service, shop.accountId, desks, known),
    async close() {
      for (const { register } of desks) register.close();
    },
  };
}

async function openDesk(service: Service, shop: Business, folder: string, skewMs: number): Promise<Desk> {
  const now = () => new Date(Date.now() + skewMs);
  const through: Fetch = async (url, init) => {
    if (!url.endsWith("/push")) return fetch(url, init);
    desk.sent.push([url, { ...init, signal: null }]);
    if (desk.mishap === "lost") throw new TypeError("lost");
    const answer = await fetch(url, init);
    if (desk.mishap === "unanswered") {
      await answer.text();
      throw new TypeError("unanswered");
    }
    if (desk.mishap === "doubled") await fetch(url, init).then((again) => again.text());
    return answer;
  };
  const client = syncClient(service.baseUrl, through);
  const newCode = async () =>
    (await createEnrolmentCode(service.deps, { accountId: shop.accountId, name: "Caja" })).code;
  const open = (where: string) => openRegister({ folder: where, name: "Caja", client, newCode, now });
  const desk: Desk = {
    register: undefined as unknown as Register,
    folders: [],
    mishap: "none",
    sent: [],
    backup: undefined,
    sales: new Map(),
    shift: undefined,
    async reopen(where) {
      this.register?.close();
      this.register = await open(where);
      if (!this.folders.includes(where)) this.folders.push(where);
      await this.register.pull(0);
    },
  };
  await desk.reopen(folder);
  return desk;
}

async function drain(register: Register): Promise<void> {
  while (register.pending() > 0) await register.push();
}

async function receive(register: Register): Promise<void> {
  while (await register.pull(0));
}

function record(register: Register, drafts: Draft[], known: Known): void {
  register.record(drafts);
  for (const { type, id, data } of drafts) {
    const { product_id, type: direction, quantity } = data as { product_id: string; type: string; quantity: number };
    if (type === "stock_movement") known.movements.set(id, { product_id, type: direction, quantity });
    if (["customer", "product", "category", "warehouse", "quote"].includes(type)) register.catalog.keep(type, id, data);
  }
}

async function act(shop: Business, desks: Desk[], action: Action, known: Known): Promise<void> {
  if (action.kind === "api") return actByApi(shop, desks, action, known);
  if (action.kind === "together") {
    await Promise.all(desks.map((desk) => desk.register.push().catch(() => {})));
    return;
  }
  const desk = desks[action.register % desks.length]!;
  const { register } = desk;
  const products = register.catalog.products();
  const choose = <T>(items: readonly T[], pick: number): T | undefined => items[pick % Math.max(1, items.length)];
  switch (action.kind) {
    case "sell": {
      const items = products.slice(0, 1 + (action.pick % 3));
      const sale = upload(saleBody(new Date().toISOString(), { status: action.pick % 2 === 0 ? "open" : "completed" }));
      const moved = items.map(({ id }) => movement(id, "sale", 1 + (action.pick % 4), sale.id, action.pick % 5 === 0));
      record(register, [{ type: "sale", id: sale.id, data: sale }, ...moved], known);
      desk.sales.set(sale.id, sale);
      return;
    }
    case "pay":
    case "cancel": {
      const sale = choose([...desk.sales.entries()], action.pick);
      if (!sale) return;
      const data = { ...sale[1], status: action.kind === "pay" ? "completed" : "cancelled" };
      desk.sales.set(sale[0], data);
      return record(register, [{ type: "sale", id: sale[0], data }], known);
    }
    case "invoice": {
      const saleId = choose([...desk.sales.keys()], action.pick);
      const invoice = upload(invoiceBody(new Date().toISOString(), { sale_id: saleId ?? randomUUID() }));
      return record(register, [{ type: "invoice", id: invoice.id, data: invoice }], known);
    }
    case "shift": {
      const status = desk.shift ? "closed" : "open";
      const id = desk.shift ?? randomUUID();
      desk.shift = desk.shift ? undefined : id;
      return record(
        register,
        [{ type: "cash_session", id, data: { status, opened_at: new Date().toISOString() } }],
        known,
      );
    }
    case "receive": {
      const one = choose(products, action.pick);
      const id = action.pick % 7 === 0 || !one ? randomUUID() : one.id;
      return record(register, [movement(id, "in", 10, null, action.pick % 3 === 0)], known);
    }
    case "customer":
      return record(register, [{ type: "customer", id: randomUUID(), data: { name: "Ana" } }], known);
    case "category":
      return record(register, [{ type: "category", id: randomUUID(), data: { name: "Bebidas" } }], known);
    case "product":
      return record(register, [product()], known);
    case "warehouse":
      return record(register, [warehouse(false)], known);
    case "quote": {
      const quote = upload(quoteBody(new Date().toISOString()));
      return record(register, [{ type: "quote", id: quote.id, data: quote }], known);
    }
    case "edit": {
      const one = choose(register.catalog.all(action.type), action.pick);
      if (!one) return;
      const data = editOf(action.type, action.field);
      return record(register, [{ type: action.type, id: one.id, data, changed: Object.keys(data) }], known);
    }
    case "delete": {
      const some = register.catalog.all(action.type);
      // The shop always keeps something to sell.
      const one = action.type === "product" && some.length < 3 ? undefined : choose(some, action.pick);
      if (!one) return;
      register.record([{ type: action.type, id: one.id, op: "delete", data: {} }]);
      return register.catalog.drop(one.id);
    }
    case "variants": {
      const one = choose(products, action.pick);
      if (!one) return;
      const added = upload(variantBody("", one.id, { label: `Talla ${action.field % 9}` })) as {
        id: string;
        label: string;
      };
      const kept = one.variants.filter((_, i) => (action.field >> i) % 2 === 0);
      const variants = action.field % 3 === 0 ? kept : [...kept, added];
      return record(register, [{ type: "product", id: one.id, data: { variants }, changed: ["variants"] }], known);
    }
    case "push":
      desk.mishap = action.mishap;
      await register.push().catch(onlyNetwork);
      desk.mishap = "none";
      return;
    case "late": {
      const again = desk.sent[Math.floor(desk.sent.length / 2)];
      if (again) await fetch(again[0], again[1]).then((answer) => answer.text());
      return;
    }
    case "pull":
      await register.pull(0);
      return;
    case "crash":
      return desk.reopen(desk.folders.at(-1)!);
    case "backup":
      desk.backup = `${desk.folders[0]}-backup-${desk.folders.length}`;
      return register.backUp(desk.backup);
    case "restore": {
      if (desk.backup === undefined || !existsSync(desk.backup)) return;
      // What was never uploaded is lost with the old tablet, and nothing promises otherwise.
      await drain(register);
      const restored = `${desk.folders[0]}-restored-${desk.folders.length}`;
      cpSync(desk.backup, restored, { recursive: true });
      return desk.reopen(restored);
    }
  }
}

async function actByApi(shop: Business, desks: Desk[], action: Action & { kind: "api" }, known: Known): Promise<void> {
  const { api } = shop;
  const ids = (type: string) => desks[0]!.register.catalog.all(type).map(({ id }) => id as string);
  const choose = (type: string) => ids(type)[action.pick % Math.max(1, ids(type).length)];
  const count = ({ status }: { status: number }) => {
    if (status < 300) known.apiWrites += 1;
    return status < 300;
  };
  switch (action.what) {
    case "customer":
      count(await api.post("/customers", { name: `Cliente ${action.pick}` }));
      return;
    case "category":
      count(await api.post("/categories", { name: `Categoría ${action.pick}` }));
      return;
    case "edit-customer": {
      const id = choose("customer");
      if (id) count(await api.patch(`/customers/${id}`, { name: `Por la API ${action.pick}`, phone: "320" }));
      return;
    }
    case "edit-product": {
      const id = choose("product");
      if (id) count(await api.patch(`/products/${id}`, { base_price: action.pick, name: `API ${action.pick}` }));
      return;
    }
    case "movement": {
      const product_id = choose("product");
      if (!product_id) return;
      const made = await api.post("/inventory/movements", { product_id, type: "in", quantity: 5, unit_cost: 100 });
      if (count(made)) known.movements.set(made.body.id, { product_id, type: "in", quantity: 5 });
    }
  }
}

function editOf(type: Edited, field: number): { [name: string]: unknown } {
  const edits: { [type in Edited]: { [name: string]: unknown }[] } = {
    customer: [{ name: `Ana ${field}` }, { phone: String(field) }, { email: `a${field}@b.co` }],
    product: [
      { name: `Pan ${field}` },
      { base_price: field, final_price: field, percent_discount: 0 },
      { active: true, description: `Fresco ${field}` },
    ],
    category: [{ name: `Bebidas ${field}` }, { sort_order: field }],
    quote: [{ notes: `Nota ${field}` }, { status: "accepted" }],
  };
  return edits[type][field % edits[type].length]!;
}

function movement(productId: string, type: string, quantity: number, saleId: string | null, isEarly: boolean): Draft {
  const data = {
    product_id: productId,
    type,
    quantity,
    unit_cost: type === "in" ? 1000 : null,
    sale_id: saleId,
    warehouse_id: isEarly ? randomUUID() : null,
  };
  return { type: "stock_movement", id: randomUUID(), data };
}

function product(): Draft {
  const data = {
    name: "Pan",
    base_price: 500,
    final_price: 500,
    percent_discount: 0,
    active: true,
    sellable: true,
    variants: [],
  };
  return { type: "product", id: randomUUID(), data };
}

function warehouse(isDefault: boolean): Draft {
  const { id, ...data } = upload(warehouseBody("", { is_default: isDefault }));
  return { type: "warehouse", id, data };
}

function onlyNetwork(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}
