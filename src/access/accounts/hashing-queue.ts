import { ApiError } from "../../lib/errors.ts";

/** Where a sign-in request comes from: the name its attempts are counted under, and whether it signed in before. */
export interface RequestSource {
  name: string;
  isKnown: boolean;
}

/** Two hashes of 0.2 s run at once, so the last waits about two seconds. Known sources get places of their own. */
const maxUnknown = 16;
const maxTotal = 24;
/** More than the five failures that lock, so that only a flood reaches it. */
const maxPerSource = 8;
const retryAfterSeconds = 3;

let total = 0;
const counts = new Map<string, number>();

/**
 * Runs work that hashes a password. When the queue is full the request is refused before it counts as an attempt. Neither
 * one source nor one account can fill the queue, and unknown sources cannot take the places of known ones.
 */
export async function inHashingQueue<T>(source: RequestSource, account: string, work: () => Promise<T>): Promise<T> {
  const names = [source.name, `${source.isKnown ? "known" : "strangers"} of ${account}`];
  const isFull = total >= (source.isKnown ? maxTotal : maxUnknown);
  if (isFull || names.some((name) => (counts.get(name) ?? 0) >= maxPerSource)) throw queueFull();
  total += 1;
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  try {
    return await work();
  } finally {
    total -= 1;
    for (const name of names) {
      const left = counts.get(name)! - 1;
      if (left === 0) counts.delete(name);
      else counts.set(name, left);
    }
  }
}

function queueFull(): ApiError {
  return new ApiError("INTERNAL_ERROR", {
    status: 503,
    headers: { "retry-after": String(retryAfterSeconds) },
    message: "Hay demasiados ingresos al mismo tiempo. Espere los segundos de `Retry-After` y vuelva a intentar.",
  });
}
