import type { Fetch } from "../register/protocol.ts";
import type { Chance } from "./chance.ts";

/** The share of requests that each fault affects. */
export interface FaultRates {
  /** The request never arrives. */
  lost: number;
  /** The request arrives, but its response is lost. */
  unanswered: number;
  /** The request arrives twice at once. */
  duplicated: number;
  /** The request arrives again much later, after others. */
  repeatedLate: number;
}

export const badDay: FaultRates = { lost: 0.04, unanswered: 0.04, duplicated: 0.04, repeatedLate: 0.03 };

/** A fetch with faults. Only uploads are affected: they must survive every fault. */
export function faultyNetwork(real: Fetch, chance: Chance, rates: FaultRates, isOffline: () => boolean): Fetch {
  const late: [string, RequestInit][] = [];
  return async (url, init) => {
    if (isOffline()) throw new TypeError("offline");
    if (init.method !== "POST" || !url.endsWith("/push")) return real(url, init);
    if (late.length > 0 && chance.happens(0.3)) {
      const [lateUrl, lateInit] = late.shift()!;
      await real(lateUrl, { ...lateInit, signal: AbortSignal.timeout(10_000) }).then((response) => response.text());
    }
    if (chance.happens(rates.lost)) throw new TypeError("the request was lost");
    if (chance.happens(rates.repeatedLate)) late.push([url, init]);
    if (chance.happens(rates.duplicated))
      void real(url, init)
        .then((response) => response.text())
        .catch(() => {});
    const response = await real(url, init);
    if (chance.happens(rates.unanswered)) {
      await response.text();
      throw new TypeError("the response was lost");
    }
    return response;
  };
}
