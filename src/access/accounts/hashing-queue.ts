import { ApiError } from "../../lib/errors.ts";

/** On whose behalf a password is hashed: what it is counted under, and whether it is known from an earlier sign-in. */
export interface RequestSource {
  name: string;
  isKnown: boolean;
}

/** Two hashes of 0.2 s run at once, so the last of these waits about two seconds; strangers leave room for known ones. */
const mostOfStrangers = 16;
const mostInAll = 24;
/** More than the five failures that lock, so that only a flood meets it. */
const mostEach = 8;
const retryAfterSeconds = 3;

let inAll = 0;
const counts = new Map<string, number>();

/**
 * Does work that hashes a password, if there is room for it; if not, it is refused before it is counted as a try. Neither one
 * source nor one account can take up all the room, and strangers take none from those the account knows.
 */
export async function inHashingQueue<T>(source: RequestSource, account: string, work: () => Promise<T>): Promise<T> {
  const names = [source.name, `${source.isKnown ? "known" : "strangers"} of ${account}`];
  const isFull = inAll >= (source.isKnown ? mostInAll : mostOfStrangers);
  if (isFull || names.some((name) => (counts.get(name) ?? 0) >= mostEach)) throw tooManyAtOnce();
  inAll += 1;
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  try {
    return await work();
  } finally {
    inAll -= 1;
    for (const name of names) {
      const left = counts.get(name)! - 1;
      if (left === 0) counts.delete(name);
      else counts.set(name, left);
    }
  }
}

function tooManyAtOnce(): ApiError {
  return new ApiError("INTERNAL_ERROR", {
    status: 503,
    headers: { "retry-after": String(retryAfterSeconds) },
    message: "Hay demasiados ingresos al mismo tiempo. Espere los segundos de `Retry-After` y vuelva a intentar.",
  });
}
