import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { createKey } from "../src/access/api-keys/create-key.ts";
import { openSession } from "../src/access/people/session.ts";
import { readConfig } from "../src/config.ts";
import { makeDeps } from "../src/operations/make-deps.ts";
import { launchBrowser } from "../test/support/browser.ts";
import { fillCounter } from "./caja/fill-counter.ts";
import { openPage } from "./caja/open-page.ts";
import { type Receiver, startReceiver } from "./end-to-end/receiver.ts";
import { type Side, sideSecretKey, startSide } from "./end-to-end/side.ts";
import type { BenchOptions } from "./options.ts";
import { type Figure, percentile, share } from "./support/measure.ts";

const checkout = fileURLToPath(new URL("..", import.meta.url));
/** What is allowed, from the moment that a program sends its order. */
const allowedMs = { counter: 2_000, receiver: 1_000 };
/** So that the orders fall anywhere between two questions of the register. */
const longestPauseMs = 1_500;

interface Times {
  counter: number;
  placed: number;
  accepted: number;
}

interface Shop {
  side: Side;
  receiver: Receiver;
  key: string;
  cookie: string;
  page: Page;
}

/** From an order that a program places to the counter's screen and to the receivers of its events, with all of `mostrador start` running. */
export async function run({ rounds, note }: BenchOptions): Promise<Figure[]> {
  const browser = await launchBrowser();
  const receiver = await startReceiver();
  let side: Side | undefined;
  try {
    side = await startSide(checkout, receiver, {
      accounts: 1,
      path: "/timed",
      types: ["order.placed", "order.accepted"],
    });
    const accountId = side.accounts[0]!;
    const deps = makeDeps(side.pool, readConfig({ SECRET_KEY: sideSecretKey, LOG_LEVEL: "silent" }));
    await fillCounter(deps, accountId, side.url, 20);
    const { key } = await createKey(deps, { accountId, name: "bench", scopes: ["orders:read", "orders:write"] });
    const { token } = await openSession(deps, accountId);
    const page = await openPage(browser, deps, { url: side.url, accountId });
    const shop: Shop = { side, receiver, key, cookie: `mostrador_session=${token}`, page };
    await place(shop);
    await page.getByRole("button", { name: /^Pedidos/ }).click();
    await receiver.report();
    const times: Times[] = [];
    // The first warms up.
    for (let i = 0; i <= Math.max(20, rounds * 12); i++) {
      await delay(Math.random() * longestPauseMs);
      times.push(await timeOrder(shop));
    }
    return figuresOf(times.slice(1), note);
  } finally {
    await browser.close();
    await side?.stop();
    await receiver.stop();
  }
}

function figuresOf(times: readonly Times[], note: BenchOptions["note"]): Figure[] {
  const kinds = [
    { name: "order placed → open Caja", of: ({ counter }: Times) => counter, limit: allowedMs.counter },
    { name: "order.placed → receiver", of: ({ placed }: Times) => placed, limit: allowedMs.receiver },
    { name: "order.accepted → receiver", of: ({ accepted }: Times) => accepted, limit: allowedMs.receiver },
  ];
  return kinds.flatMap(({ name, of, limit }) =>
    [0.5, 0.95].map((part) => {
      const ms = percentile(times.map(of), part);
      note(`${name}, p${part * 100}: ${ms.toFixed(0)} ms`);
      return share(`${name}, p${part * 100}`, "ms", [ms, limit]);
    }),
  );
}

async function timeOrder(shop: Shop): Promise<Times> {
  const { page, receiver, side, cookie } = shop;
  const begun = process.hrtime.bigint();
  const order = await place(shop);
  const card = page.getByRole("article", { name: `Pedido ${order.number}`, exact: true });
  const shown = card.waitFor().then(() => msSince(begun, process.hrtime.bigint()));
  const placed = await nextArrival(receiver, begun);
  const counter = await shown;
  const accepted = process.hrtime.bigint();
  await send(`${side.url}/portal/api/orders/${order.id}/accept`, { cookie }, { minutes: 10 });
  const times = { counter, placed, accepted: await nextArrival(receiver, accepted) };
  // Ended, so that the screen stays as full as it was.
  await send(`${side.url}/public/v1/orders/${order.id}/cancel`, ofProgram(shop), {});
  await card.waitFor({ state: "detached" });
  return times;
}

async function nextArrival(receiver: Receiver, begun: bigint): Promise<number> {
  for (;;) {
    const { arrived } = await receiver.report();
    if (arrived[0]) return msSince(begun, BigInt(arrived[0][1]));
    await delay(5);
  }
}

const msSince = (begun: bigint, at: bigint) => Number(at - begun) / 1e6;

function place(shop: Shop): Promise<{ id: string; number: number }> {
  const items = [{ sku: "7700000000000", quantity: 1 }];
  return send(`${shop.side.url}/public/v1/orders`, ofProgram(shop), { source: "Tienda web", items });
}

const ofProgram = ({ key }: Shop) => ({ authorization: `Bearer ${key}`, "idempotency-key": randomUUID() });

async function send(
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<{ id: string; number: number }> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string; number: number };
}
