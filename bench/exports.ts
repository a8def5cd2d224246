import { readFileSync } from "node:fs";
import { connect } from "node:net";
import pg from "pg";
import { sales } from "../src/business/sales/resource.ts";
import { withoutTimeouts } from "../src/db/pool.ts";
import { writing } from "../src/engine/writing/writing.ts";
import { saleBody } from "../test/support/records.ts";
import type { BenchOptions } from "./options.ts";
import { type Bench, type BenchShop, newShop, startBench } from "./support/dataset.ts";
import { type Figure, inTurns, share } from "./support/measure.ts";
import { type Server, startServer } from "./support/servers.ts";

/** Exports all sales, compared with COPY … TO STDOUT of the same bodies in the same order; also its memory use. */
export async function run({ rounds, rows, note }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  try {
    const shop = await newShop(bench);
    note(`filling ${rows} sales…`);
    await fillSales(bench, shop, rows);
    const server = await startServer("ours", bench.url);
    try {
      return await measure(bench, shop, server, { rounds, rows });
    } finally {
      await server.stop();
    }
  } finally {
    await bench.stop();
  }
}

async function measure(
  bench: Bench,
  shop: BenchShop,
  server: Server,
  { rounds, rows }: { rounds: number; rows: number },
) {
  // The first response loads code and fills caches; only then is the idle memory typical.
  await download(server.url, "/public/v1/exports/sales?status=none", shop.key);
  const idleMb = residentMb(server.pid);
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(server.pid))), 20);
  const speeds = await inTurns(
    () => mbPerSecond(() => download(server.url, "/public/v1/exports/sales", shop.key)),
    () => mbPerSecond(() => copyOut(bench.url, shop.accountId)),
    rounds,
  );
  clearInterval(watch);
  const round = (value: number) => Math.round(value * 10) / 10;
  const allowedMb = 100;
  const usedMb = Math.max(0, peakMb - idleMb);
  return [
    share(`GET /exports/sales, ${rows} sales, against COPY`, "MB/s", speeds),
    {
      name: `memory of an export over ${round(idleMb)} MB idle, against what is allowed`,
      unit: "MB",
      ours: round(usedMb),
      limit: allowedMb,
      ratio: Math.round((usedMb / allowedMb) * 1000) / 1000,
    },
  ];
}

async function mbPerSecond(transfer: () => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  const bytes = await transfer();
  return bytes / 1e6 / ((performance.now() - startedAt) / 1000);
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

/** Receives the bytes without parsing them: the client's own work must not slow the measurement. */
function download(url: string, path: string, key: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let bytes = 0;
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    );
    socket.on("data", (chunk) => {
      if (bytes === 0 && !chunk.toString("latin1").startsWith("HTTP/1.1 200")) reject(new Error(chunk.toString()));
      bytes += chunk.length;
    });
    socket.once("end", () => resolve(bytes));
    socket.once("error", reject);
  });
}

/** The limit: PostgreSQL's own export, received by the same driver and discarded. */
async function copyOut(databaseUrl: string, accountId: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await new Promise((resolve, reject) => {
      let bytes = 0;
      const query = new pg.Query(
        `copy (select body from sales where account_id = '${accountId}' order by created_at desc, id desc) to stdout`,
      ) as pg.Query & { handleCopyData(message: { chunk: Buffer }): void; callback(error: Error | null): void };
      query.handleCopyData = ({ chunk }) => (bytes += chunk.length);
      query.callback = (error) => (error ? reject(error) : resolve(bytes));
      client.query(query);
    });
  } finally {
    await client.end();
  }
}

/** Writes a thousand sales through the service, then copies them in SQL, in the order in which they would have arrived. */
async function fillSales(bench: Bench, shop: BenchShop, rows: number): Promise<void> {
  const modelSales = 1000;
  await writing(bench, shop.accountId, (write) => {
    for (let i = 0; i < modelSales; i++) write.put(sales, { body: saleBody(write.at.toISOString()) });
  });
  await withoutTimeouts(bench.pool, async (client) => {
    // Keep only the index that the export reads; the others would take most of the time.
    const { rows: others } = await client.query<{ indexname: string }>(
      "select indexname from pg_indexes where tablename = 'sales' and indexname not in ('sales_pkey', 'sales_created')",
    );
    for (const { indexname } of others) await client.query(`drop index ${indexname}`);
    await client.query(
      `insert into sales (account_id, id, created_at, updated_at, seq, status, document_kind, occurred_at, body)
       select account_id, new_id, at, at, n, status, document_kind, occurred_at,
         replace(replace(body::text, id::text, new_id::text),
           to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::json
       from (select s.*, n, gen_random_uuid() as new_id, s.created_at - n * interval '1 minute' as at
             from sales s, generate_series(1, $2::int) n where account_id = $1 order by n desc) as made`,
      [shop.accountId, Math.max(0, Math.round(rows / modelSales) - 1)],
    );
    await client.query("vacuum analyze sales");
  });
}
