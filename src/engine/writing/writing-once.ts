import { createHash } from "node:crypto";
import type { Pool } from "../../db/pool.ts";
import { type Statement, sql } from "../../db/sql.ts";
import { clockRow, takeClockFor } from "./account-clock.ts";
import { Draft } from "./draft.ts";
import { type Job, takeOwnTurn, takeTurn } from "./turns.ts";
import type { Write } from "./write.ts";
import { announce, type WritingDeps, withPartitions } from "./writing.ts";

/** An operation that must happen once, whoever repeats it. */
export interface OnceKey {
  key: string;
  fingerprint: Buffer;
  /** Only what is younger than this counts as the same operation. */
  validAfter: Date;
  requestId: string;
}

/** The answer to an operation, kept word for word. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type OnceOutcome =
  | { kind: "done"; answer: Answer }
  | { kind: "replayed"; answer: Answer }
  | { kind: "in-progress" }
  | { kind: "reused" };

const operationsWaiting = new WeakMap<Pool, Set<bigint>>();

/** A write whose key, effect and answer commit together: a crash leaves nothing half done, and no key is ever stuck. */
export async function writingOnce(
  deps: WritingDeps,
  accountId: string,
  once: OnceKey,
  work: (write: Write) => Promise<Answer>,
): Promise<OnceOutcome> {
  return withPartitions(deps, () => writeOnceOnTurn(deps, accountId, once, work));
}

function writeOnceOnTurn(
  deps: WritingDeps,
  accountId: string,
  once: OnceKey,
  work: (write: Write) => Promise<Answer>,
): Promise<OnceOutcome> {
  const operation = operationLock(accountId, once.key);
  const waiting = operationsWaiting.get(deps.pool) ?? new Set();
  operationsWaiting.set(deps.pool, waiting);
  // A repetition is told at once how the operation stands, instead of waiting behind it.
  const isRepetition = waiting.has(operation);
  return new Promise((resolve, reject) => {
    let draft: Draft | undefined;
    let outcome: OnceOutcome;
    const end = () => void (isRepetition || waiting.delete(operation));
    const job: Job = {
      opening: () => [takeClockFor(accountId, deps.clock.now(), operation), findAnswer(accountId, once)],
      async proceed(client, [clock, stored]) {
        // An operation that is done is answered even while another repetition of it holds the lock.
        const earlier = stored!.rows[0] as StoredAnswer | undefined;
        const isFree = clock!.rows.length > 0;
        if (earlier || !isFree) {
          outcome = earlier ? repeated(earlier, once) : { kind: "in-progress" };
          return undefined;
        }
        draft = new Draft(client, accountId, clockRow(clock, accountId), once.requestId);
        const answer = await work(draft);
        outcome = { kind: "done", answer };
        return [...draft.statements(deps.clock.now()), keepAnswer(draft, once, answer)];
      },
      settle(results) {
        end();
        if (draft) announce(deps, accountId, draft, results);
        resolve(outcome);
      },
      fail(error) {
        end();
        reject(error as Error);
      },
    };
    if (isRepetition) takeOwnTurn(deps.pool, job);
    else {
      waiting.add(operation);
      takeTurn(deps.pool, accountId, job);
    }
  });
}

function findAnswer(accountId: string, once: OnceKey): Statement {
  return sql`
    select fingerprint, status, headers, body from idempotency_keys
    where account_id = ${accountId} and key = ${once.key} and created_at > ${once.validAfter}
    order by created_at desc limit 1`;
}

function repeated(earlier: StoredAnswer, once: OnceKey): OnceOutcome {
  if (!earlier.fingerprint.equals(once.fingerprint)) return { kind: "reused" };
  const { status, headers, body } = earlier;
  return { kind: "replayed", answer: { status, headers: JSON.parse(headers), body } };
}

interface StoredAnswer {
  fingerprint: Buffer;
  status: number;
  headers: string;
  body: string;
}

function operationLock(accountId: string, key: string): bigint {
  return createHash("sha256").update(`${accountId}\n${key}`).digest().readBigInt64BE();
}

function keepAnswer(write: Write, once: OnceKey, answer: Answer): Statement {
  return sql`
    insert into idempotency_keys (account_id, key, created_at, fingerprint, status, headers, body)
    values (${write.accountId}, ${once.key}, ${write.at}, ${once.fingerprint}, ${answer.status},
      ${JSON.stringify(answer.headers)}, ${answer.body})`;
}
