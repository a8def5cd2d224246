import type { Invoice } from "../../src/business/invoices/schema.ts";
import { apidianAuthority } from "../../src/fiscal/authority/apidian/adapter.ts";
import { type FiscalWorker, fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { minute } from "../../src/lib/clock.ts";
import { type Reply, startApidian } from "./apidian.ts";
import { advance, documentsOf, fiscalBusiness, ringUp } from "./fiscal.ts";
import { perTest, sharedService } from "./fixtures.ts";
import { saleBody } from "./records.ts";

/** A service for the file and, for each test, an APIDIAN server, a business that issues through it, and a worker. */
export function apidianPerTest() {
  const service = sharedService();
  const apidian = perTest(() => startApidian());
  const shop = perTest(() => fiscalBusiness(service));
  const worker = perTest(() => workerWith({ token: "secreto" }));

  function workerWith(options: { token: string | undefined; timeoutMs?: number }): FiscalWorker {
    return fiscalWorker(service.deps, apidianAuthority({ url: apidian.url, ...options }));
  }

  async function sellOne(fields: Parameters<typeof saleBody>[1] = {}): Promise<string> {
    const [sale] = await ringUp(service, shop.accountId, (at) => [saleBody(at, fields)]);
    return sale!.id;
  }

  async function documentOf(saleId: string): Promise<Invoice> {
    return (await documentsOf(service, shop.accountId, saleId))[0]!;
  }

  /** Processes what is due, minute by minute, until the document is no longer pending. */
  async function untilDecided(saleId: string, most = 30, by: FiscalWorker = worker): Promise<Invoice> {
    for (let i = 0; i < most; i++) {
      await by.workOff();
      const document = await documentOf(saleId);
      if (document.status !== "pending") return document;
      advance(service, minute);
    }
    return documentOf(saleId);
  }

  /** Gives each reply once, then answers as a correct server. */
  function first(...replies: (Reply | (() => Reply))[]): void {
    const usual = apidian.onSend;
    apidian.onSend = (received) => {
      const reply = replies.shift();
      return reply === undefined ? usual(received) : typeof reply === "function" ? reply() : reply;
    };
  }

  return { service, apidian, shop, worker, workerWith, sellOne, documentOf, untilDecided, first };
}
