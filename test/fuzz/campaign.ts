import { setTimeout as delay } from "node:timers/promises";
import { type Chance, newChance } from "../../simulator/chance.ts";
import { errorCatalogue, portalErrorCatalogue, syncErrorCatalogue } from "../../src/lib/errors.ts";
import { brokenHttp } from "./broken-http.ts";
import { type FuzzedRequest, type FuzzedRoute, toBytes } from "./requests.ts";
import { type WireAnswer, wire } from "./wire.ts";

/**
 * The length and the seed of a campaign: a few thousand requests in the suite, as many as FUZZ_REQUESTS says in
 * `npm run test:fuzz`. A seed repeats the same requests; FUZZ_ONLY sends just one of them.
 */
export const plan = {
  requests: Number(process.env.FUZZ_REQUESTS ?? 2000),
  seed: Number(process.env.FUZZ_SEED ?? 1),
  only: process.env.FUZZ_ONLY === undefined ? undefined : Number(process.env.FUZZ_ONLY),
  /** A fresh service after this many requests, so that its data stay small and a replay is short. */
  perService: 5000,
};

/** Who sends the requests, and what the responses must never contain. */
export interface Speaker {
  /** A marker in every text of the other account and in nothing that this one sends. */
  foreignMarker: string;
  /** For callers that number their requests, such as a register: resolves when the previous one has ended. */
  turn?: Promise<unknown>;
}

export interface Target<S extends Speaker> {
  name: string;
  baseUrl: string;
  speakers: readonly S[];
  routes: readonly FuzzedRoute[];
  /** Those that take a secret which no guess finds: they are refused, and their success is tested elsewhere. */
  isSecret?(route: FuzzedRoute): boolean;
  /** The request of one case. */
  make(route: FuzzedRoute, speaker: S, chance: Chance): FuzzedRequest;
  /** Throws when the response is not one that is documented for the request. */
  check(request: FuzzedRequest, answer: WireAnswer, speaker: S): void;
  /** Receives every response after the check: expired credentials are renewed here. */
  after?(request: FuzzedRequest, answer: WireAnswer, speaker: S): void | Promise<void>;
  /** Called now and then between cases: restores what earlier requests used up. */
  refill?(): Promise<void>;
}

interface Tally {
  requests: number;
  byStatus: Record<string, number>;
  /** Routes that succeeded at least once. */
  succeeded: Set<string>;
}

const apiPrefix = /^\/(public\/v1|sync\/v1|portal\/api)(\/|\?|$)/;
const atOnce = 8;
const refillEvery = 250;

/** Sends this many requests, some concurrently; fails at the first wrong response. */
export async function campaign<S extends Speaker>(target: Target<S>, seed: number, count: number): Promise<void> {
  const tally: Tally = { requests: 0, byStatus: {}, succeeded: new Set() };
  const line = wire(target.baseUrl);
  const weights = target.routes.flatMap((route) =>
    Array<FuzzedRoute>(Math.round((route.weight ?? 1) * 10)).fill(route),
  );
  const found = findings();
  let next = 0;
  let refilling = Promise.resolve();

  async function work(): Promise<void> {
    while (next < count) {
      const index = next++;
      if (plan.only !== undefined && plan.only !== index) continue;
      if (index % refillEvery === 0) refilling = refilling.then(() => target.refill?.());
      await refilling;
      await one(index);
    }
  }

  async function one(index: number): Promise<void> {
    // Each case has a generator of its own, so that it does not depend on how the others interleave.
    const chance = newChance((seed * 1_000_003 + index) >>> 0);
    const route = chance.pick(weights);
    const speaker = chance.pick(target.speakers);
    // Now and then two run at the same time all the same: that must do no harm either.
    if (speaker.turn === undefined || chance.happens(0.1)) return act(index, route, speaker, chance);
    const mine = speaker.turn.then(() => act(index, route, speaker, chance));
    speaker.turn = mine.catch(() => {});
    await mine;
  }

  async function act(index: number, route: FuzzedRoute, speaker: S, chance: Chance): Promise<void> {
    const request = target.make(route, speaker, chance);
    const isBroken = chance.happens(0.04);
    if (isBroken && request.method === "HEAD") request.method = "GET";
    const bytes = isBroken ? brokenHttp(request, chance) : toBytes(request, chance);
    tally.requests += 1;
    try {
      const answers = isBroken ? await line.shout(bytes) : [await patiently(bytes, request.method === "HEAD")];
      for (const answer of answers) {
        tally.byStatus[answer.status] = (tally.byStatus[answer.status] ?? 0) + 1;
        const isOfApi = !isBroken && apiPrefix.test(request.target);
        checkAnswer(answer, { isHead: request.method === "HEAD", isOfApi, speaker });
        if (!isOfApi) continue;
        target.check(request, answer, speaker);
        if (answer.status < 300) tally.succeeded.add(`${route.method} ${route.path}`);
        await target.after?.(request, answer, speaker);
      }
    } catch (error) {
      found.add(seed, index, `${route.method} ${route.path}`, bytes, error as Error);
    }
  }

  /** On a busy machine the service may refuse work for a while, as it says it does; only a 503 that stays is a finding. */
  async function patiently(bytes: Buffer, isHead: boolean): Promise<WireAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await line.send(bytes, isHead);
      if (answer.status !== 503 || attempt === 20 || !(Number(answer.headers.get("retry-after")) >= 1)) return answer;
      await delay(500);
    }
  }

  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    line.close();
  }
  found.fail();
  checkReach(target, tally, count);
  if (process.env.FUZZ_REQUESTS)
    console.info(`${target.name}, seed ${seed}: ${tally.requests} requests`, tally.byStatus);
}

/** A campaign whose requests are all refused proves nothing: most routes must have succeeded at least once. */
function checkReach(
  { name, routes, isSecret = () => false }: Pick<Target<Speaker>, "name" | "routes" | "isSecret">,
  tally: Tally,
  count: number,
): void {
  if (plan.only !== undefined || count < 1000) return;
  const open = routes.filter((route) => !isSecret(route));
  const never = open.map((route) => `${route.method} ${route.path}`).filter((one) => !tally.succeeded.has(one));
  if (never.length > open.length / 4) throw new Error(`${name}: these never succeeded: ${never.join(", ")}`);
}

/** The failures, each kind once, with the settings that reproduce it. */
function findings(): {
  add: (seed: number, index: number, route: string, bytes: Buffer, cause: Error) => void;
  fail: () => void;
} {
  const found = new Map<string, string>();
  return {
    add(seed, index, route, bytes, cause) {
      const shown = bytes.toString("latin1", 0, 1000) + (bytes.length > 1000 ? `… ${bytes.length} bytes` : "");
      const kind = `${route} ${cause.message.replace(/[0-9a-f]{8,}|\d+/g, "#").slice(0, 80)}`;
      if (found.has(kind)) return;
      found.set(
        kind,
        `FUZZ_SEED=${seed} FUZZ_ONLY=${index} (without FUZZ_ONLY, all before it too)\n${route}: ${cause.message.slice(0, 1000)}\n${JSON.stringify(shown)}`,
      );
    },
    fail() {
      if (found.size > 0) throw new Error(`${found.size} findings\n\n${[...found.values()].slice(0, 20).join("\n\n")}`);
    },
  };
}

const catalogue: Record<string, { status: number }> = {
  ...errorCatalogue,
  ...syncErrorCatalogue,
  ...portalErrorCatalogue,
};

/** What holds for every response of every API: no server error, nothing of the other account, one error envelope. */
export function checkAnswer(
  { status, headers, text }: WireAnswer,
  { isHead, isOfApi, speaker: { foreignMarker } }: { isHead: boolean; isOfApi: boolean; speaker: Speaker },
): void {
  if (status >= 500) throw new Error(`answered ${status}: ${text}`);
  const said = `${[...headers].flat().join("\n")}\n${text}`;
  if (said.includes(foreignMarker)) throw new Error(`the answer shows the other account's ${foreignMarker}: ${text}`);
  if (/node_modules|\bat \S+ \(|src\/\S+\.ts|violates|SQLSTATE|pg_catalog/.test(errorOf(text)?.message ?? "")) {
    throw new Error(`the response reveals internals: ${text}`);
  }
  if (status < 400) return;
  // Other paths belong to the site, which answers requests for pages with a page.
  if (!isOfApi && status === 404 && headers.get("content-type")?.startsWith("text/html")) return;
  if (headers.get("request-id") === null) throw new Error(`${status} without Request-Id: ${text}`);
  if (isHead) return;
  const error = errorOf(text);
  if (error === undefined) throw new Error(`${status} without the error envelope: ${text}`);
  if (error.request_id !== headers.get("request-id")) throw new Error(`request_id differs: ${text}`);
  if (catalogue[error.code]?.status !== status) throw new Error(`${status} with code ${error.code}: ${text}`);
  if (status === 429 && !(Number(headers.get("retry-after")) >= 1)) throw new Error("429 without Retry-After");
}

function errorOf(text: string): { code: string; message: string; request_id: string } | undefined {
  if (!text.startsWith('{"error":')) return undefined;
  return JSON.parse(text).error;
}
