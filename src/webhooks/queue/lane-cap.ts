/** Sends at once to one endpoint, to all endpoints of one account, and by one process. */
export const caps = { perEndpoint: 32, perAccount: 96, perProcess: 1024 };

/** What a lane has in any case, however busy its neighbours: an account's five endpoints share its cap, a process gives one turn. */
export const guaranteed = { inAccount: Math.floor(caps.perAccount / 5), inProcess: 1 };

/** Times its cap that a fast lane keeps claimed in memory, so that no send waits for the database. */
const fetchAhead = 7;

/** How many deliveries a lane may have in flight, given what the other lanes of its account and of the process have. */
export function laneCap(busy: { restOfAccount: number; restOfProcess: number }): number {
  return Math.min(
    caps.perEndpoint,
    Math.max(guaranteed.inAccount, caps.perAccount - busy.restOfAccount),
    Math.max(guaranteed.inProcess, caps.perProcess - busy.restOfProcess),
  );
}

/**
 * How many deliveries to claim for a lane now. Only an endpoint whose last answers were fast has some claimed ahead: behind a
 * hanging one they would wait for its 10 s, and their lease would run out.
 */
export function claimSize(
  cap: number,
  lane: { inFlight: number; waiting: readonly unknown[]; isFast: boolean },
): number {
  const wanted = lane.isFast ? cap * (1 + fetchAhead) : cap;
  return Math.max(0, wanted - lane.inFlight - lane.waiting.length);
}
