import type { Invoice } from "../../src/business/invoices/schema.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { second } from "../../src/lib/clock.ts";
import { advance, documentsOf, fiscalBusiness, plainSale, ringUp, softwarePin } from "./fiscal.ts";
import { perTest, verifiedService } from "./fixtures.ts";
import { openPortal, type Portal } from "./portal.ts";
import type { Service } from "./service.ts";

/** A signed-in owner whose business issues POS documents. */
export async function openIssuing(service: Service, { to = 5000 }: { to?: number } = {}): Promise<Portal> {
  const owner = await openPortal(service);
  await setProfile(service.deps, owner.accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  const range = { kind: "pos", prefix: "EPOS", first: 1, last: to, validUntil: "2099-12-31" } as const;
  await setRange(service.deps, owner.accountId, range);
  return owner;
}

/** Sells for these totals and lets the simulated authority decide; returns the sales' ids. */
export async function sellAndDecide(service: Service, accountId: string, ...totals: number[]): Promise<string[]> {
  const made = await ringUp(service, accountId, (at) => totals.map((total) => plainSale(at, total)));
  await decideAll(service);
  return made.map(({ id }) => id);
}

/** Gives the simulated authority the few seconds it takes to decide. */
export async function decideAll(service: Service): Promise<void> {
  const worker = fiscalWorker(service.deps, authorityFor(service.deps));
  for (let i = 0; i < 4; i++) {
    await worker.workOff();
    advance(service, second);
  }
}

/** A service for the file and, for each test, a new business that issues documents, with a worker. */
export function issuerPerTest() {
  const service = verifiedService();
  const shop = perTest(() => fiscalBusiness(service));
  const worker = perTest(() => fiscalWorker(service.deps, authorityFor(service.deps)));

  /** Sells for a total and returns the sale's id. */
  async function sell(total: number, document_kind: "pos" | "invoice" = "pos", { accountId } = shop): Promise<string> {
    const [sale] = await ringUp(service, accountId, (at) => [plainSale(at, total, { document_kind })]);
    return sale!.id;
  }

  async function documentOf(saleId: string): Promise<Invoice> {
    return (await documentsOf(service, shop.accountId, saleId))[0]!;
  }

  /** Moves the clock in steps and processes what falls due. */
  async function pass(ms: number, stepMs = second): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await worker.workOff();
      advance(service, stepMs);
    }
    await worker.workOff();
  }

  /** The documents in the shop's events of a type. */
  async function eventsOf(type: string): Promise<{ id: string; status: string }[]> {
    const { body } = await shop.api.get(`/events?type=${type}&limit=100`);
    return body.data.map((event: { data: { object: Invoice } }) => event.data.object);
  }

  return { service, shop, worker, sell, documentOf, pass, eventsOf };
}
