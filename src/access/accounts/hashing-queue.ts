import { runningTasks } from "../../lib/concurrency-limit.ts";
import { ApiError } from "../../lib/errors.ts";

/** On whose behalf a password is hashed: what it is counted under, and whether it is known from an earlier sign-in. */
export interface Asker {
  name: string;
  isKnown: boolean;
}

/** Two hashes of 0.2 s run at once, so the last of these waits about two seconds; strangers leave room for known ones. */
const mostOfStrangers = 16;
const mostInAll = 24;
/** More than the five failures that lock, so that only a flood meets it. */
const mostEach = 8;
const retryAfterSeconds = 3;

const all = "all";
const running = runningTasks();

/**
 * Does work that hashes a password, if there is room for it; if not, it is refused before it is counted as a try. Neither one
 * asker nor one account can take up all the room, and strangers take none from those the account knows.
 */
export async function inHashingQueue<T>(asker: Asker, account: string, work: () => Promise<T>): Promise<T> {
  const names = [asker.name, `${asker.isKnown ? "known" : "strangers"} of ${account}`];
  const isFull = running.count(all) >= (asker.isKnown ? mostInAll : mostOfStrangers);
  if (isFull || names.some((name) => running.count(name) >= mostEach)) throw tooManyAtOnce();
  return running.run([all, ...names], work);
}

function tooManyAtOnce(): ApiError {
  return new ApiError("INTERNAL_ERROR", {
    status: 503,
    headers: { "retry-after": String(retryAfterSeconds) },
    message: "Hay demasiados ingresos al mismo tiempo. Espere los segundos de `Retry-After` y vuelva a intentar.",
  });
}
