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

/** Sends one request. So many senders do that at once, each again and again with a pause in between. */
interface Sending {
  senders: number;
  pauseMs: number;
  send(options: NeighbourAttack): Promise<number>;
}

/** Every operation is sent by two senders; forty are new in each second. */
const repeats: Sending = {
  senders: 80,
  pauseMs: 200,
  send({ url, keys }) {
    const turn = sent++;
    return statusOf(`${url}/public/v1/customers`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${keys[turn % keys.length]}`,
        "content-type": "application/json",
        "idempotency-key": `${run}-${Math.floor(Date.now() / 1_000)}-${turn % 40}`,
      },
      body: JSON.stringify({ name: "Ana" }),
    });
  },
};

const run = randomUUID();
let sent = 0;

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

const uploads: Sending = {
  senders: 2,
  pauseMs: 5,
  send({ url, cookie }) {
    if (made.length === 0) made.push(...files.map((make) => make()));
    return statusOf(`${url}/portal/api/product-imports?file_name=lista`, {
      method: "POST",
      headers: { cookie, "content-type": "application/octet-stream" },
      body: new Uint8Array(made[sent++ % made.length]!),
    });
  },
};

const guesses: Sending = {
  senders: 20,
  pauseMs: 20,
  send: ({ url }) =>
    statusOf(`${url}/public/v1/customers`, { headers: { authorization: `Bearer ${newToken("mst_test_")}` } }),
};

const sendings: Record<Attack, Sending> = { repeats, files: uploads, keys: guesses };

async function statusOf(address: string, init: RequestInit): Promise<number> {
  const response = await fetch(address, init);
  await response.arrayBuffer();
  return response.status;
}

let options: NeighbourAttack;
let isOver = true;
let ended = Promise.resolve(new Map<string, number>());

async function attack({ senders, pauseMs, send }: Sending): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const repeatedly = async () => {
    while (!isOver) {
      const status = String(await send(options).catch(() => "cut"));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await delay(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: senders }, repeatedly));
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
    ended = attack(sendings[message]);
  }
});
