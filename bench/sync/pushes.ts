import { Agent, request } from "node:http";
import { cpuMeter } from "../support/cpu.ts";
import type { Bench } from "../support/dataset.ts";
import { type Figure, median, share } from "../support/measure.ts";
import { startServer } from "../support/servers.ts";
import { bareInserts, openBareShop, runBare } from "./bare-inserts.ts";
import { type BenchProduct, makeBatch, makeProducts, productCount, salesPerBatch } from "./baskets.ts";
import { type BenchDevice, makeDevices } from "./devices.ts";

/** Registers that upload at the same time, each in its own shop. */
const registers = 4;
const batchesPerRound = 120;
const minSalesPerSecond = 2000;

/** Sales per second through /sync/v1, compared with bare INSERTs of the same rows, in turns. */
export async function measurePushes(bench: Bench, rounds: number, note: (text: string) => void): Promise<Figure[]> {
  const devices = await makeDevices(bench, 2 * registers, 1);
  const products = devices.map(makeProducts);
  const server = await startServer("ours", bench.url);
  const agent = new Agent({ keepAlive: true, maxSockets: registers });
  try {
    for (const [i, device] of devices.entries())
      await post(agent, server.url, device, pushText(catalog(products[i]!), 1));
    // Half of the shops push; the rows of the others are inserted.
    const pushing = devices
      .slice(0, registers)
      .map((device, i) => ({ device, products: products[i]!, next: productCount + 1 }));
    const inserting = await Promise.all(
      devices.slice(registers).map(async (device, i) => {
        const own = products[registers + i]!;
        return {
          products: own,
          shop: await openBareShop(
            bench.pool,
            device,
            own.map(({ id }) => id),
          ),
        };
      }),
    );
    const measureOurs = (spent: () => number) =>
      timed(spent, pushing, (register) => {
        const records = makeBatch(register.products, new Date());
        const text = pushText(records, register.next);
        register.next += records.length;
        return () => post(agent, server.url, register.device, text);
      });
    const measureBare = (spent: () => number) =>
      timed(spent, inserting, (register) => {
        const statements = bareInserts(register.shop, makeBatch(register.products, new Date()), new Date());
        return () => runBare(bench.pool, statements);
      });
    const meter = await cpuMeter(bench.pool);
    const ours: number[] = [];
    const bare: number[] = [];
    const cpu: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const [pushed, pushedCpu] = await measureOurs(() => meter([server.pid]));
      const [inserted, insertedCpu] = await measureBare(() => meter([process.pid]));
      // The first round is a warm-up.
      if (round > 0) {
        ours.push(pushed);
        bare.push(inserted);
        cpu[0].push(pushedCpu);
        cpu[1].push(insertedCpu);
        note(`pushes: ${Math.round(pushed)} sales/s, bare inserts ${Math.round(inserted)} sales/s`);
      }
    }
    const speed: [number, number] = [median(ours), median(bare)];
    return [
      share("push of 50 sales, 3 lines and movements, of bare INSERTs", "sales/s", speed),
      share("push of 50 sales, of the least wanted", "sales/s", [speed[0], minSalesPerSecond]),
      // Elapsed time depends on the machine's other load; CPU time much less.
      share("push of 50 sales, by CPU time, of bare INSERTs", "sales/CPU s", [median(cpu[0]), median(cpu[1])]),
    ];
  } finally {
    agent.destroy();
    await server.stop();
  }
}

/** Sales per second of elapsed time, and of CPU time. Every batch is made beforehand. */
async function timed<Register>(
  spent: () => number,
  all: readonly Register[],
  makeBatchOf: (register: Register) => () => Promise<void>,
): Promise<[number, number]> {
  const ready = all.map((register) => Array.from({ length: batchesPerRound / registers }, () => makeBatchOf(register)));
  const before = spent();
  const started = performance.now();
  await Promise.all(
    ready.map(async (batches) => {
      for (const send of batches) await send();
    }),
  );
  const sales = batchesPerRound * salesPerBatch;
  return [(sales * 1000) / (performance.now() - started), sales / (spent() - before)];
}

export function pushText(records: readonly object[], firstSeq: number): string {
  const at = new Date().toISOString();
  const numbered = records.map((record, i) => ({
    device_seq: firstSeq + i,
    op: "upsert",
    base_seq: 0,
    edited_at: at,
    changed: null,
    ...record,
  }));
  return JSON.stringify({ sent_at: at, records: numbered });
}

export function catalog(products: readonly BenchProduct[]): object[] {
  return products.map(({ id, ...data }) => ({ type: "product", id, data }));
}

function post(agent: Agent, baseUrl: string, { token }: BenchDevice, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${baseUrl}/sync/v1/push`,
      { agent, method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () =>
          response.statusCode === 200 && !text.includes("quarantined")
            ? resolve()
            : reject(new Error(text.slice(0, 500))),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
