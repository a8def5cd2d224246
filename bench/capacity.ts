import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { syncClient } from "../register/sync-client.ts";
import { newCashier } from "../simulator/cashier.ts";
import { newChance } from "../simulator/chance.ts";
import { openRegister, type Register } from "../simulator/register.ts";
import { starterCatalog } from "../simulator/starter-catalog.ts";
import { createEnrolmentCode } from "../src/access/devices/create-enrolment-code.ts";
import { dailyTables } from "../src/operations/daily-tables.ts";
import { measuredNames, readCosts, sizeFor } from "./capacity/model.ts";
import { modelledShops } from "./capacity/table.ts";
import type { BenchOptions } from "./options.ts";
import { cpuMeter } from "./support/cpu.ts";
import { type Bench, newShop, startBench } from "./support/dataset.ts";
import { type Figure, share } from "./support/measure.ts";
import { residentMegabytes } from "./support/memory.ts";
import { type Server, startServer } from "./support/servers.ts";

const shops = 4;
const registersPerShop = 2;
/** A register uploads this many things at once when it is connected. */
const actionsPerUpload = 3;

/** What one sale costs the service, PostgreSQL, the disk and the network, under the simulator's registers. */
export async function run({ seconds, rounds, note, chart }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  const server = await startServer("ours", bench.url);
  const folder = await mkdtemp(join(tmpdir(), "mostrador-capacity-"));
  const counted = { bytes: 0 };
  try {
    const registers = await openShops(bench, server, folder, counted);
    const meter = await cpuMeter(bench.pool);
    // A warm-up: statements are prepared, and files of the write-ahead log exist.
    await sellFor(registers, seconds * 1000);
    const read = async () => ({
      service: meter([server.pid]) - meter([]),
      database: meter([]),
      bytes: counted.bytes,
      wal: await walBytes(bench),
      disk: await diskBytes(bench),
    });
    const before = await read();
    const started = performance.now();
    const sales = await sellFor(registers, seconds * rounds * 1000);
    const tookSeconds = (performance.now() - started) / 1000;
    const after = await read();
    note(`${sales} sales in ${tookSeconds.toFixed(1)} s at ${registers.length} registers of ${shops} shops`);
    const figures = figuresOf(sales, before, after, await residentMegabytes(server.pid));
    const cost = readCosts(figures);
    const sizes = modelledShops.map((count) => sizeFor(count, cost));
    chart({
      file: "capacity",
      title: "Cores by the number of shops",
      unit: "cores",
      along: "shops",
      at: modelledShops,
      series: [
        { name: "of the service", values: sizes.map(({ processes }) => processes) },
        { name: "of PostgreSQL", values: sizes.map(({ databaseCores }) => databaseCores) },
      ],
    });
    for (const register of registers) register.close();
    return [...figures, share("sales, of those at the peak of 20 000 shops", "sales/s", [sales / tookSeconds, 625])];
  } finally {
    await server.stop();
    await bench.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Reading {
  service: number;
  database: number;
  bytes: number;
  wal: number;
  disk: { kept: number; passing: number };
}

function figuresOf(sales: number, before: Reading, after: Reading, megabytes: number): Figure[] {
  const kilobytes = (more: number) => more / sales / 1000;
  const service = sales / (after.service - before.service);
  const database = sales / (after.database - before.database);
  const kept = kilobytes(after.disk.kept - before.disk.kept);
  const passing = kilobytes(after.disk.passing - before.disk.passing);
  return [
    share(measuredNames.service, "sales/core s", [service, database]),
    share(measuredNames.database, "sales/core s", [database, service]),
    share(measuredNames.memory, "MB", [megabytes, 600]),
    share(measuredNames.kept, "kB", [kept, kept + passing]),
    share(measuredNames.passing, "kB", [passing, kept + passing]),
    share(measuredNames.wal, "kB", [kilobytes(after.wal - before.wal), kept + passing]),
    share(measuredNames.traffic, "kB", [kilobytes(after.bytes - before.bytes), kept + passing]),
  ];
}

async function openShops(
  bench: Bench,
  server: Server,
  folder: string,
  counted: { bytes: number },
): Promise<Register[]> {
  const registers: Register[] = [];
  for (let shop = 0; shop < shops; shop++) {
    const { accountId } = await newShop(bench);
    for (let till = 0; till < registersPerShop; till++) {
      const name = `Caja ${shop}-${till}`;
      const newCode = async () => (await createEnrolmentCode(bench, { accountId, name })).code;
      const client = syncClient(server.url, countingFetch(counted));
      const register = await openRegister({ folder: join(folder, name), name, client, newCode, now: () => new Date() });
      if (till === 0) register.record(starterCatalog());
      while (register.pending() > 0) await register.push();
      while (await register.pull(0));
      registers.push(register);
    }
  }
  return registers;
}

/** All registers sell, upload and load changes, one step after the other each. Returns how many sales were uploaded. */
async function sellFor(registers: readonly Register[], ms: number): Promise<number> {
  const until = performance.now() + ms;
  const sold = await Promise.all(
    registers.map(async (register, i) => {
      const cashier = newCashier(register, newChance(i + 1), () => new Date());
      while (performance.now() < until) {
        for (let action = 0; action < actionsPerUpload; action++) cashier.act();
        while (register.pending() > 0) await register.push();
        while (await register.pull(0));
      }
      cashier.closeShift();
      while (register.pending() > 0) await register.push();
      return cashier.sales();
    }),
  );
  return sold.reduce((sum, sales) => sum + sales, 0);
}

/** Counts the bytes of bodies in both directions. */
function countingFetch(counted: { bytes: number }): typeof fetch {
  return async (input, init) => {
    if (typeof init?.body === "string") counted.bytes += Buffer.byteLength(init.body);
    const answer = await fetch(input, init);
    const body = await answer.arrayBuffer();
    counted.bytes += body.byteLength;
    const isEmpty = answer.status === 204 || answer.status === 304;
    return new Response(isEmpty ? null : body, { status: answer.status, headers: answer.headers });
  };
}

async function walBytes({ pool }: Bench): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>("select pg_current_wal_insert_lsn() - '0/0' as bytes");
  return rows[0]!.bytes;
}

/** Tables and indexes: of the daily tables, whose days are dropped, and of all others. */
async function diskBytes({ pool }: Bench): Promise<{ kept: number; passing: number }> {
  const daily = dailyTables.map(({ table }) => `${table}_%`);
  const { rows } = await pool.query<{ kept: number; passing: number }>(
    `select coalesce(sum(bytes) filter (where not is_daily), 0) as kept, coalesce(sum(bytes) filter (where is_daily), 0) as passing
     from (select pg_total_relation_size(oid) as bytes, relispartition and relname like any($1::text[]) as is_daily
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace) sized`,
    [daily],
  );
  return rows[0]!;
}
