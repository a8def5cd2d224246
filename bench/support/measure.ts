import autocannon from "autocannon";

/** One line of a benchmark: our figure beside the bare limit, taken in the same run. */
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
  /** Called for each request, so that every one may differ. */
  request?: () => { path?: string; headers?: Record<string, string>; body?: string };
}

/** Requests a second at one target, any answer but the expected one being a failure of the benchmark itself. */
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

/** Takes turns between both, because these machines are noisy: what disturbs one disturbs the other. */
export async function sideBySide(
  ours: () => Promise<number>,
  limit: () => Promise<number>,
  rounds: number,
): Promise<[number, number]> {
  const taken: [number[], number[]] = [[], []];
  await ours();
  await limit();
  for (let i = 0; i < rounds; i++) {
    taken[0].push(await ours());
    taken[1].push(await limit());
  }
  return [median(taken[0]), median(taken[1])];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** More is better: our part of the limit. */
export function share(name: string, unit: string, [ours, limit]: [number, number]): Figure {
  return { name, unit, ours: round(ours), limit: round(limit), ratio: Math.round((ours / limit) * 1000) / 1000 };
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 1000) / 1000;
}
