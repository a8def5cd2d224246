import { randomUUID } from "node:crypto";
import type { BenchOptions } from "./options.ts";
import { type Bench, newShop, startBench } from "./support/dataset.ts";
import { type Figure, inTurns, requestsPerSecond, share } from "./support/measure.ts";
import { startServer } from "./support/servers.ts";

const connections = 24;

/** POST /customers, compared with a bare handler that runs one transaction with the same inserts. */
export async function run({ seconds, rounds }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  try {
    return [await postCustomers(bench, seconds, rounds, 1), await postCustomers(bench, seconds, rounds, 24)];
  } finally {
    await bench.stop();
  }
}

/** With one account all writers queue for its clock; with many they share only the disk. */
async function postCustomers(bench: Bench, seconds: number, rounds: number, accounts: number): Promise<Figure> {
  const shops = await Promise.all(Array.from({ length: accounts }, () => newShop(bench)));
  const ours = await startServer("ours", bench.url);
  const bare = await startServer("bare", bench.url);
  let turn = 0;
  const next = () => shops[turn++ % shops.length]!;
  const body = JSON.stringify({
    name: "María Fernanda",
    last_name: "Gómez",
    email: "maria.gomez@example.com",
    document_number: "1020456789",
  });
  try {
    const figures = await inTurns(
      () =>
        requestsPerSecond(
          {
            url: `${ours.url}/public/v1/customers`,
            method: "POST",
            request: () => ({
              headers: {
                authorization: `Bearer ${next().key}`,
                "content-type": "application/json",
                "idempotency-key": randomUUID(),
              },
              body,
            }),
          },
          seconds,
          connections,
        ),
      () =>
        requestsPerSecond(
          {
            url: `${bare.url}/customers`,
            method: "POST",
            request: () => ({ headers: { "content-type": "application/json", account: next().accountId }, body }),
          },
          seconds,
          connections,
        ),
      rounds,
    );
    return share(`POST /customers, ${accounts} account${accounts > 1 ? "s" : ""}`, "requests/s", figures);
  } finally {
    await ours.stop();
    await bare.stop();
  }
}
