import autocannon from "autocannon";

/** One line of a benchmark: our figure and the limit, measured in the same run. */
export interface Figure {
  name: string;
  unit: string;
  ours: number;
  limit: number;
  ratio: number;
}

export interface Target {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  /** Called for each request, so that requests can differ. */
  request?: () => { path?: string; headers?: Record<string, string>; body?: string };
}

/** Requests per second to one target. Any response other than 2xx fails the benchmark. */
export async function requestsPerSecond(target: Target, seconds: number, connections: number): Promise<number> {
  const { request, ...rest } = target;
  const result = await autocannon({
    ...rest,
    connections,
    duration: seconds,
    ...(request && { requests: [{ setupRequest: (base: object) => ({ ...base, ...request() }) }] }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.url}: ${result.non2xx} answers other than 2xx, ${result.errors} errors`);
  }
  return result.requests.total / result.duration;
}

/** In so many rounds of some seconds V8 has compiled what is called often: its threads then use hardly any processor. */
export const warmUps = 5;

/** Measures both in turns, so that noise on the machine affects both alike. */
export async function inTurns(
  ours: () => Promise<number>,
  limit: () => Promise<number>,
  rounds: number,
): Promise<[number, number]> {
  const results: [number[], number[]] = [[], []];
  for (let i = 0; i < warmUps + rounds; i++) {
    const [one, other] = [await ours(), await limit()];
    if (i < warmUps) continue;
    results[0].push(one);
    results[1].push(other);
  }
  return [median(results[0]), median(results[1])];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** The value that this part of them does not exceed: 0.95 for the p95. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1]!;
}

/** A figure whose ratio is ours / limit. */
export function share(name: string, unit: string, [ours, limit]: [number, number]): Figure {
  return { name, unit, ours: round(ours), limit: round(limit), ratio: Math.round((ours / limit) * 1000) / 1000 };
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 1000) / 1000;
}
