/** The most requests in flight at once: to one endpoint, to all endpoints of one account, and by one process. */
export const caps = { perEndpoint: 32, perAccount: 96, perProcess: 1024 };

/** What every endpoint gets however busy the others are: a fifth of its account's cap, since an account has at most five. */
export const guaranteed = { inAccount: Math.floor(caps.perAccount / 5), inProcess: 1 };

/** A fast endpoint keeps this many times its cap claimed in memory, so that no send waits for the database. */
const fetchAhead = 7;

/** How many requests an endpoint may have in flight, given those of the rest of its account and of the process. */
export function endpointCap(busy: { restOfAccount: number; restOfProcess: number }): number {
  return Math.min(
    caps.perEndpoint,
    Math.max(guaranteed.inAccount, caps.perAccount - busy.restOfAccount),
    Math.max(guaranteed.inProcess, caps.perProcess - busy.restOfProcess),
  );
}

/**
 * How many deliveries to claim for an endpoint now. Only one that lately responded fast has some claimed ahead: behind a
 * hanging one they would wait for its 10 s, and their lease would run out. Those that wait behind another of their record take no
 * room, up to as many again: they must not keep other records waiting, nor may a record of a thousand versions fill the memory.
 */
export function claimSize(
  cap: number,
  queue: { inFlight: number; waiting: readonly unknown[]; behind: number; isFast: boolean },
): number {
  const wanted = queue.isFast ? cap * (1 + fetchAhead) : cap;
  return Math.max(0, wanted - queue.inFlight - (queue.waiting.length - Math.min(queue.behind, wanted)));
}

/**
 * How many deliveries of one record to claim at once. They are sent one after the other, so that to a slow endpoint the second would only
 * wait; and a record of many versions must leave the room to others.
 */
export function claimPerRecord({ isFast }: { isFast: boolean }): number {
  return isFast ? 1 + fetchAhead : 1;
}
