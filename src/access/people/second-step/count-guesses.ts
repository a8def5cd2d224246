import type { Pool } from "../../../db/pool.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { ApiError } from "../../../lib/errors.ts";
import type { RequestSource } from "../../accounts/hashing-queue.ts";
import { countTry, forgetTry } from "../count-failures.ts";
import { recordFailure } from "../record-failed-sign-in.ts";

/** Second steps are counted like passwords, each person's by themselves: a guesser of one cannot lock the other. */
const keyOf = (personId: string) => `second step of ${personId}`;

/** Counts a try before it is compared, so that a thousand at once do not outrun the lock. Resolves with how many are left. */
export async function countGuess(pool: Pool, personId: string, source: RequestSource, now: Date): Promise<number> {
  try {
    return await countTry(pool, keyOf(personId), source, now);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "SIGN_IN_LOCKED") throw error;
    throw new ApiError("SECOND_STEP_LOCKED", { headers: error.headers });
  }
}

/** Tries the second step of somebody; that the answer was wrong is written down, and a run of it told. */
export async function noteWrong<T>(
  deps: CoreDeps,
  of: { personId: string; remoteAddress: string | null; within?: { id: string; accountId: string } },
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof ApiError && error.code === "CODE_INCORRECT")
      recordFailure(deps, { ...of, action: "second_step.failed" });
    throw error;
  }
}

export async function forgetGuess(pool: Pool, personId: string, source: RequestSource): Promise<void> {
  await forgetTry(pool, keyOf(personId), source);
}
