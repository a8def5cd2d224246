import { runningTasks } from "../../lib/concurrency-limit.ts";
import { ApiError } from "../../lib/errors.ts";

/** Where a sign-in request comes from: the name its attempts are counted under, and whether it signed in before. */
export interface RequestSource {
  name: string;
  isKnown: boolean;
  /** Since when, of a browser that signed in before. */
  knownSince?: Date;
}

/** Two hashes of 0.2 s run at once, so the last waits about two seconds. Known sources get places of their own. */
const maxUnknown = 16;
const maxTotal = 24;
/** More than the five failures that lock, so that only a flood reaches it. */
const maxPerSource = 8;
const retryAfterSeconds = 3;

const all = "all";
const running = runningTasks();

/**
 * Runs work that hashes a password. When the queue is full the request is refused before it counts as an attempt. Neither
 * one source nor one account can fill the queue, and unknown sources cannot take the places of known ones.
 */
export async function inHashingQueue<T>(source: RequestSource, account: string, work: () => Promise<T>): Promise<T> {
  const names = [source.name, `${source.isKnown ? "known" : "strangers"} of ${account}`];
  const isFull = running.count(all) >= (source.isKnown ? maxTotal : maxUnknown);
  if (isFull || names.some((name) => running.count(name) >= maxPerSource)) throw queueFull();
  return running.run([all, ...names], work);
}

function queueFull(): ApiError {
  return new ApiError("INTERNAL_ERROR", {
    status: 503,
    headers: { "retry-after": String(retryAfterSeconds) },
    message: "Hay demasiados ingresos al mismo tiempo. Espere los segundos de `Retry-After` y vuelva a intentar.",
  });
}
