import { openCounter } from "../../register/counter.ts";
import type { Fetch, Identity } from "../../register/protocol.ts";
import { openRegister } from "../../register/register.ts";
import { metaOf } from "../../register/store.ts";
import { openIndexedDbStore } from "../../register/stores/indexed-db-store.ts";
import { syncClient } from "../../register/sync-client.ts";
import { newTicket, type Totals, totalsOf } from "../../register/ticket.ts";
import { computeTaxes, type SaleTaxes, type TaxInput } from "../../src/taxes/tax.ts";
import { filled, type RandomTicket, ringUpTicket } from "./ring-up.ts";

// What runs inside Chromium: the register's own core, without Caja's screens. `bundleForPage` makes it one script.

export function taxesOf(inputs: readonly TaxInput[]): SaleTaxes[] {
  return inputs.map((input) => computeTaxes(input));
}

/** The sums of each ticket in a business of its regime. */
export function totalsOfAll(tickets: readonly RandomTicket[], at: string): Totals[] {
  const day = new Date(at);
  return tickets.map((ticket) => totalsOf(filled(newTicket("t", day), ticket), ticket, day));
}

/** Sells every ticket over the browser's database and uploads them; returns what each came to. */
export async function sellAll(
  origin: string,
  identity: Identity,
  tickets: readonly RandomTicket[],
): Promise<[id: string, total: number, tax: number][]> {
  const client = syncClient(origin, ((url, init) => fetch(url, init)) as Fetch, {
    version: "caja test",
    capabilities: ["product.remote_edit.1", "business.down.1"],
  });
  const store = await openIndexedDbStore({ name: identity.device_id });
  await store.commit({ put: metaOf(identity) });
  const around = { now: () => new Date(), newId: () => crypto.randomUUID() };
  const register = await openRegister({ store, client, now: around.now });
  while (await register.pull(0));
  const counter = await openCounter({ store, register, registerName: () => "Caja", ...around });
  await counter.openShift(100_000);
  const sold: [string, number, number][] = [];
  for (const ticket of tickets) {
    const { id, data } = await ringUpTicket(counter, ticket);
    sold.push([id, data.total, data.tax]);
  }
  await counter.closeShift(0);
  while (await register.push());
  store.close();
  return sold;
}
