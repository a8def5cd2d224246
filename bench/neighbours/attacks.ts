import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { newToken } from "../../src/lib/token.ts";
import { grid, inlineText, workbook } from "../../test/support/workbook.ts";

export type Attack = "repeats" | "files" | "keys";

export interface NeighbourAttack {
  url: string;
  /** API keys of the hostile business. */
  keys: string[];
  /** The cookie of its portal session. */
  cookie: string;
}

/** A round of requests; the next one begins as soon as they end. */
type Round = (options: NeighbourAttack) => Promise<number>[];

/** Forty operations, each sent four times. */
function repeats({ url, keys }: NeighbourAttack): Promise<number>[] {
  const operations = Array.from({ length: 40 }, () => randomUUID());
  return [...operations, ...operations, ...operations, ...operations].map((operation, i) =>
    statusOf(`${url}/public/v1/customers`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${keys[i % keys.length]}`,
        "content-type": "application/json",
        "idempotency-key": operation,
      },
      body: JSON.stringify({ name: "Ana" }),
    }),
  );
}

const heading = (address: string, text: string) => inlineText(address, text);
/** Files at the limits: read to their end, or for as long as possible before they are refused. */
const files = [
  () => workbook(grid(10_000, 39)),
  () =>
    workbook(
      grid(10_000, 6, (address, row) => (row === 1 ? heading(address, `X${address}`) : inlineText(address, "a"))),
    ),
  () => workbook(grid(10, 10), { "xl/sharedStrings.xml": `<sst>${"<si><t>a</t></si>".repeat(1_400_000)}</sst>` }),
  () =>
    Buffer.from(
      `SKU;Nombre;Precio\n${Array.from({ length: 10_000 }, (_, i) => `P-${i};${"x".repeat(190)};1`).join("\n")}`,
    ),
];
const made: Buffer[] = [];
let nextFile = 0;

function uploads({ url, cookie }: NeighbourAttack): Promise<number>[] {
  if (made.length === 0) made.push(...files.map((make) => make()));
  return [0, 1].map(() =>
    statusOf(`${url}/portal/api/product-imports?file_name=lista`, {
      method: "POST",
      headers: { cookie, "content-type": "application/octet-stream" },
      body: new Uint8Array(made[nextFile++ % made.length]!),
    }),
  );
}

function guesses({ url }: NeighbourAttack): Promise<number>[] {
  return Array.from({ length: 50 }, () =>
    statusOf(`${url}/public/v1/customers`, { headers: { authorization: `Bearer ${newToken("mst_test_")}` } }),
  );
}

const rounds: Record<Attack, Round> = { repeats, files: uploads, keys: guesses };

async function statusOf(address: string, init: RequestInit): Promise<number> {
  const response = await fetch(address, init);
  await response.arrayBuffer();
  return response.status;
}

let options: NeighbourAttack;
let isOver = true;
let ended = Promise.resolve(new Map<string, number>());

async function attack(round: Round): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  while (!isOver) {
    for (const status of await Promise.all(round(options).map((sent) => sent.catch(() => "cut"))))
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
    // As a client that honours nobody's Retry-After, but has a network between itself and the service.
    await delay(5);
  }
  return statuses;
}

process.on("message", (message: NeighbourAttack | Attack | "stop") => {
  if (typeof message === "object") options = message;
  else if (message === "stop") {
    isOver = true;
    void ended.then((statuses) =>
      process.send!([...statuses].map(([status, times]) => `${status}: ${times}`).join(", ")),
    );
  } else {
    isOver = false;
    ended = attack(rounds[message]);
  }
});
