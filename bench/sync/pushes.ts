import { Agent, request } from "node:http";
import { cpuMeter } from "../support/cpu.ts";
import type { Bench } from "../support/dataset.ts";
import { type Figure, median, share } from "../support/measure.ts";
import { startServer } from "../support/servers.ts";
import { bareInserts, runBare } from "./bare-inserts.ts";
import { type BenchProduct, makeBatch, makeProducts, salesPerBatch } from "./baskets.ts";
import { type BenchDevice, makeDevices } from "./devices.ts";

/** Registers that upload at the same time, each in its own shop. */
const registers = 4;
const batchesPerRound = 60;
const minSalesPerSecond = 2000;

/** Sales per second through /sync/v1, compared with bare INSERTs of the same rows, in turns. */
export async function measurePushes(bench: Bench, rounds: number, note: (text: string) => void): Promise<Figure[]> {
  const devices = await makeDevices(bench, registers, 1);
  const products = devices.map(makeProducts);
  const server = await startServer("ours", bench.url);
  const agent = new Agent({ keepAlive: true, maxSockets: registers });
  const next = devices.map(() => 1);
  try {
    for (const [i, device] of devices.entries())
      await post(agent, server.url, device, catalogPush(products[i]!, next[i]!)).then(
        () => (next[i]! += products[i]!.length),
      );
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

  async function measureOurs(spent: () => number): Promise<[number, number]> {
    const ready = devices.map((_, i) =>
      Array.from({ length: batchesPerRound / registers }, () => {
        const records = makeBatch(products[i]!, new Date());
        const text = pushText(records, next[i]!);
        next[i]! += records.length;
        return text;
      }),
    );
    return timed(spent, async (i) => {
      for (const text of ready[i]!) await post(agent, server.url, devices[i]!, text);
    });
  }

  async function measureBare(spent: () => number): Promise<[number, number]> {
    const ready = devices.map(({ accountId }, i) =>
      Array.from({ length: batchesPerRound / registers }, () =>
        bareInserts(accountId, makeBatch(products[i]!, new Date()), 1, new Date()),
      ),
    );
    return timed(spent, async (i) => {
      for (const statements of ready[i]!) await runBare(bench.pool, statements);
    });
  }

  /** Sales per second of elapsed time, and of CPU time. */
  async function timed(spent: () => number, work: (register: number) => Promise<void>): Promise<[number, number]> {
    const before = spent();
    const started = performance.now();
    await Promise.all(devices.map((_, i) => work(i)));
    const sales = batchesPerRound * salesPerBatch;
    return [(sales * 1000) / (performance.now() - started), sales / (spent() - before)];
  }
}

function pushText(records: readonly object[], firstSeq: number): string {
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

function catalogPush(products: readonly BenchProduct[], firstSeq: number): string {
  return pushText(
    products.map(({ id, ...data }) => ({ type: "product", id, data })),
    firstSeq,
  );
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
