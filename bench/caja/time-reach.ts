import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { openSession } from "../../src/access/people/session.ts";
import { readConfig } from "../../src/config.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { makeDeps } from "../../src/operations/make-deps.ts";
import { type Receiver, startReceiver } from "../end-to-end/receiver.ts";
import { type Side, sideSecretKey, startSide } from "../end-to-end/side.ts";
import { percentile } from "../support/measure.ts";
import { fillCounter } from "./fill-counter.ts";
import { chargeExactly } from "./in-page.ts";
import { beginCharge, openPage } from "./open-page.ts";

export interface ReachTimes {
  webhookMs: number;
  documentMs: number;
  priceMs: number;
}

const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** What must cross the service while a customer waits, with all of `mostrador start` running; p95 each. */
export async function timeReach(browser: Browser, samples: number): Promise<ReachTimes> {
  const receiver = await startReceiver();
  let side: Side | undefined;
  try {
    side = await startSide(checkout, receiver, { accounts: 1, path: "/timed", types: ["sale.completed"] });
    const accountId = side.accounts[0]!;
    const deps = makeDeps(side.pool, readConfig({ SECRET_KEY: sideSecretKey, LOG_LEVEL: "silent" }));
    await setProfile(deps, accountId, { nit: "900373923-8", regime: "iva", softwarePin: "12345" });
    await setRange(deps, accountId, { kind: "pos", prefix: "EPOS", first: 1, last: 5000, validUntil: "2099-12-31" });
    await fillCounter(deps, accountId, side.url, 20);
    const page = await openPage(browser, deps, { url: side.url, accountId });
    await page.getByText("Al día").waitFor();
    const { token } = await openSession(deps, accountId);
    const sold = [];
    const priced = [];
    for (let i = 0; i <= samples; i++) {
      sold.push(await timeSale(page, receiver));
      priced.push(await timePrice(page, side.url, `mostrador_session=${token}`, 100_000 + i));
    }
    await page.context().close();
    // The first of each warms up.
    const p95 = (times: number[]) => percentile(times.slice(1), 0.95);
    return {
      webhookMs: p95(sold.map(({ webhookMs }) => webhookMs)),
      documentMs: p95(sold.map(({ documentMs }) => documentMs)),
      priceMs: p95(priced),
    };
  } finally {
    await side?.stop();
    await receiver.stop();
  }
}

/** From the button that charges to the webhook at its receiver, and to the document's number and QR on the ticket. */
async function timeSale(page: Page, receiver: Receiver): Promise<{ webhookMs: number; documentMs: number }> {
  await beginCharge(page);
  const begun = process.hrtime.bigint();
  const sinceMs = (at: bigint) => Number(at - begun) / 1e6;
  await page.evaluate(`(${chargeExactly})()`);
  const document = page.getByRole("img", { name: "Código QR del documento" }).waitFor();
  const documentAt = document.then(() => process.hrtime.bigint());
  let arrived: [string, string][] = [];
  while (arrived.length === 0) {
    await delay(10);
    ({ arrived } = await receiver.report());
  }
  const documentMs = sinceMs(await documentAt);
  await page.getByRole("button", { name: "Nueva venta" }).click();
  return { webhookMs: sinceMs(BigInt(arrived[0]![1])), documentMs };
}

/** From the owner's click in the portal to the price on the counter's screen. */
async function timePrice(page: Page, url: string, cookie: string, price: number): Promise<number> {
  const list = await fetch(`${url}/portal/api/records/products?limit=1`, { headers: { cookie } });
  const { data } = (await list.json()) as { data: { id: string; name: string }[] };
  const { id, name } = data[0]!;
  const begun = performance.now();
  const changed = await fetch(`${url}/portal/api/products/${id}`, {
    method: "PATCH",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ base_price: price, final_price: price }),
  });
  if (!changed.ok) throw new Error(`the price was not changed: ${await changed.text()}`);
  const shown = price.toLocaleString("es-CO");
  await page.locator(".tiles button", { hasText: name }).filter({ hasText: shown }).first().waitFor();
  return performance.now() - begun;
}
