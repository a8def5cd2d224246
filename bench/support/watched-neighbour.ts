import { Worker } from "node:worker_threads";
import type { BenchShop } from "./dataset.ts";
import type { Figure } from "./measure.ts";

export interface Latencies {
  timesMs: number[];
  failed: number;
}

/** An ordinary integrator of another business, whose requests are measured. */
export function watchNeighbour(url: string, { key }: BenchShop) {
  const worker = new Worker(new URL("./neighbour.ts", import.meta.url), { workerData: { url, key } });
  return {
    /** The measurements since the last call. */
    take: () =>
      new Promise<Latencies>((resolve) => {
        worker.once("message", resolve);
        worker.postMessage("take");
      }),
    stop: () => worker.terminate(),
  };
}

/** The median of the rounds' p99. */
export function p99(rounds: readonly Latencies[]): number {
  return quantile(
    rounds.map(({ timesMs }) => quantile(timesMs, 0.99)),
    0.5,
  );
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}

/** A figure of what is allowed. */
export function allowed(name: string, unit: string, ours: number, limit: number): Figure {
  return { name, unit, ours: Math.round(ours * 10) / 10, limit, ratio: Math.round((ours / limit) * 1000) / 1000 };
}

export async function signIn(url: string, email: string): Promise<string> {
  const response = await fetch(`${url}/portal/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "sin importancia" }),
  });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
