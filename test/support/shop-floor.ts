import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Fetch } from "../../register/protocol.ts";
import { syncClient } from "../../register/sync-client.ts";
import { openRegister, type Register } from "../../simulator/register.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import type { Business, Service } from "./service.ts";
import type { Action, Mishap } from "./shop-actions.ts";
import { floorProblems, type Known } from "./shop-floor-checks.ts";
import { product, type Recorder, record, recordAction, warehouse } from "./shop-floor-records.ts";

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

interface Desk extends Recorder {
  folders: string[];
  /** What happens to the next upload. */
  mishap: Mishap;
  /** Uploads that will arrive a second time. */
  sent: [string, RequestInit][];
  backup: string | undefined;
  reopen(folder: string): Promise<void>;
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

async function act(shop: Business, desks: Desk[], action: Action, known: Known): Promise<void> {
  if (action.kind === "api") return actByApi(shop, desks, action, known);
  if (action.kind === "together") {
    await Promise.all(desks.map((desk) => desk.register.push().catch(() => {})));
    return;
  }
  const desk = desks[action.register % desks.length]!;
  const { register } = desk;
  switch (action.kind) {
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
    default:
      recordAction(desk, action, known);
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

function onlyNetwork(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}
