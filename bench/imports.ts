import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { openSession } from "../src/access/people/session.ts";
import { startReceiver } from "./end-to-end/receiver.ts";
import { type Side, startSide } from "./end-to-end/side.ts";
import type { BenchOptions } from "./options.ts";
import { type Figure, median, share } from "./support/measure.ts";

const checkout = fileURLToPath(new URL("..", import.meta.url));
/** What an owner may wait for ten thousand rows, where there is no other checkout to compare with. */
const allowedSeconds = 40;

/**
 * A list of products from a file, until the last one is there: the upload with its preview, and the applying. Compared with another
 * checkout (`--against <folder>`), each by its own `npm start` and with its own PostgreSQL, in turns.
 */
export async function run({ rounds, rows, against, note }: BenchOptions): Promise<Figure[]> {
  const receiver = await startReceiver();
  const shops = { accounts: 1 + rounds, path: "/all", types: ["sale.completed"], registers: true };
  const sides: Side[] = [];
  const seconds: Record<Step, [number[], number[]]> = { upload: [[], []], apply: [[], []], whole: [[], []] };
  try {
    for (const folder of [checkout, ...(against === undefined ? [] : [against])])
      sides.push(await startSide(folder, receiver, shops));
    for (let round = 0; round <= rounds; round++)
      for (const [i, side] of sides.entries()) {
        const taken = await importOnce(side, round, rows);
        note(`${i === 0 ? "ours" : "before"}: ${rows} rows in ${taken.whole.toFixed(1)} s`);
        // The first one compiles.
        if (round > 0) for (const step of steps) seconds[step][i]!.push(taken[step]);
      }
  } finally {
    for (const side of sides) await side.stop();
    await receiver.stop();
  }
  const limitOf = (other: readonly number[]) => (other.length > 0 ? median(other) : allowedSeconds);
  return steps.map((step) =>
    share(`import of ${rows} products, ${step}`, "s", [median(seconds[step][0]), limitOf(seconds[step][1])]),
  );
}

interface Import {
  id: string;
  chunks: number;
  applied_chunks: number;
  created_count: number;
}
type Answer = Import & { import: Import };

const steps = ["upload", "apply", "whole"] as const;
type Step = (typeof steps)[number];

async function importOnce(
  { url, pool, accounts, registers }: Side,
  at: number,
  rows: number,
): Promise<Record<Step, number>> {
  await makeWarehouse(url, registers[at]!);
  const { token } = await openSession({ pool, clock: { now: () => new Date() } }, accounts[at]!);
  const cookie = `mostrador_session=${token}`;
  const send = async (path: string, body?: string) => {
    const response = await fetch(`${url}/portal/api${path}`, {
      method: "POST",
      headers: { cookie, ...(body && { "content-type": "text/csv" }) },
      ...(body && { body }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const startedAt = performance.now();
  const { import: planned } = await send("/product-imports", listOf(rows));
  const plannedAt = performance.now();
  for (;;) {
    const state = await send(`/product-imports/${planned.id}/apply`);
    if (state.applied_chunks < state.chunks) continue;
    if (state.created_count !== rows) throw new Error(`${state.created_count} of ${rows} products were made`);
    break;
  }
  const [upload, apply] = [plannedAt - startedAt, performance.now() - plannedAt].map((ms) => ms / 1000);
  return { upload: upload!, apply: apply!, whole: upload! + apply! };
}

/** A bodega, as a register makes it: a list with stock needs one. */
async function makeWarehouse(url: string, token: string): Promise<void> {
  const sent_at = new Date().toISOString();
  const data = { name: "Local", is_default: true, active: true };
  const records = [{ device_seq: 1, type: "warehouse", id: randomUUID(), op: "upsert", edited_at: sent_at, data }];
  const { status } = await fetch(`${url}/sync/v1/push`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ sent_at, records }),
  });
  if (status !== 200) throw new Error(`the bodega was answered ${status}`);
}

function listOf(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, i) => `${7_700_000_000_000 + i};Producto número ${i};Grupo ${i % 20};${1_000 + i};${500 + i};${1 + (i % 50)}`,
  );
  return ["SKU;Nombre;Categoría;Precio;Costo;Existencias", ...lines].join("\n");
}
