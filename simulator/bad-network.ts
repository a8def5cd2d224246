import type { Chance } from "./chance.ts";
import type { Fetch } from "./sync-client.ts";

/** How bad the network is: the share of requests that each mishap befalls. */
export interface Weather {
  /** Never arrives. */
  lost: number;
  /** Arrives, and its answer does not come back. */
  unanswered: number;
  /** Arrives twice. */
  doubled: number;
  /** Arrives once more, much later, after others. */
  late: number;
}

export const badDay: Weather = { lost: 0.04, unanswered: 0.04, doubled: 0.04, late: 0.03 };

/** A fetch with mishaps. Uploads only: they are what must survive them. */
export function badNetwork(real: Fetch, chance: Chance, weather: Weather, isOffline: () => boolean): Fetch {
  const late: [string, RequestInit][] = [];
  return async (url, init) => {
    if (isOffline()) throw new TypeError("offline");
    if (init.method !== "POST" || !url.endsWith("/push")) return real(url, init);
    if (late.length > 0 && chance.happens(0.3)) {
      const [lateUrl, lateInit] = late.shift()!;
      await real(lateUrl, { ...lateInit, signal: AbortSignal.timeout(10_000) }).then((answer) => answer.text());
    }
    if (chance.happens(weather.lost)) throw new TypeError("the request was lost");
    if (chance.happens(weather.late)) late.push([url, init]);
    if (chance.happens(weather.doubled))
      void real(url, init)
        .then((answer) => answer.text())
        .catch(() => {});
    const answer = await real(url, init);
    if (chance.happens(weather.unanswered)) {
      await answer.text();
      throw new TypeError("the answer was lost");
    }
    return answer;
  };
}
