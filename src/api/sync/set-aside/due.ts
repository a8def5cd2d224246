import { ofAllAccounts } from "../../../db/nodes.ts";
import type { Queryable } from "../../../db/pool.ts";
import { prepared, sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import { minute } from "../../../lib/clock.ts";
import { build } from "../../../lib/version.ts";
import { addTried, type Tried } from "./tried.ts";
import { type SetAside, tryAgain } from "./try-again.ts";

const maxAccounts = 1_000;
/** One account's records are tried in pieces, so that its registers' pushes come in between, and not without end. */
const pieceSize = 50;
const maxPieces = 20;
/** Several processes that start together do not repeat each other's work. */
const restMs = minute;

/**
 * Tries again what waits for a fault of ours to be mended, and everything that another version set aside. Runs at each start
 * and every hour.
 */
export async function tryDueRecords(deps: Deps): Promise<Tried> {
  const before = new Date(deps.clock.now().getTime() - restMs);
  const rows = await ofAllAccounts(deps.pool, async (part) => {
    const text = `select distinct account_id from quarantined_records
      where ((state = 'waiting' and (tried_at is null or tried_at < $1)) or tried_by is distinct from $2)
        and ${part.of("account_id", 4)} limit $3`;
    return (await deps.pool.query<{ account_id: string }>(prepared(text, [before, build, maxAccounts, ...part.values])))
      .rows;
  });
  const all: Tried = { stored: 0, refused: 0, waiting: 0 };
  await forEachAccount(
    rows.map(({ account_id }) => account_id),
    async (accountId) => {
      for (let piece = 0; piece < maxPieces; piece++) {
        const due = await readDue(deps.pool, accountId, before);
        addTried(all, await tryAgain(deps, due));
        if (due.length < pieceSize) break;
      }
    },
  );
  return all;
}

/** An account that cannot be written now does not keep the others from being tried. Throws its error after them. */
export async function forEachAccount(
  accountIds: readonly string[],
  work: (accountId: string) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const accountId of accountIds) await work(accountId).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Those that were tried longest ago come first, so that some that always fail do not keep the others from being tried. */
async function readDue(db: Queryable, accountId: string, before: Date): Promise<SetAside[]> {
  const { rows } = await db.query<SetAside>(sql`
    select account_id, device_id, device_seq, received_at, raw from quarantined_records
    where account_id = ${accountId}
      and ((state = 'waiting' and (tried_at is null or tried_at < ${before})) or tried_by is distinct from ${build})
    order by tried_at nulls first, device_id, device_seq limit ${pieceSize}`);
  return rows;
}

/** What somebody asked to be tried again, whatever was tried before. */
export async function readSetAside(
  db: Queryable,
  { accountId, deviceId }: { accountId: string; deviceId?: string | undefined },
  limit: number,
): Promise<SetAside[]> {
  const { rows } = await db.query<SetAside>(sql`
    select account_id, device_id, device_seq, received_at, raw from quarantined_records
    where account_id = ${accountId} and (${deviceId ?? null}::uuid is null or device_id = ${deviceId ?? null})
    order by tried_at nulls first, device_id, device_seq limit ${limit}`);
  return rows;
}

/** Counted up to this: more is one problem, not many. */
const maxCounted = 100_000;

/** How many records are set aside in the whole installation, by what becomes of them. */
export async function countSetAside(db: Queryable): Promise<Record<"waiting" | "refused", number>> {
  const rows = await ofAllAccounts(db, async (part) => {
    const text = `
      select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state <> 'waiting') as refused
      from (select state from quarantined_records where ${part.of("account_id", 2)} limit $1) counted`;
    return (await db.query<{ waiting: number; refused: number }>(prepared(text, [maxCounted, ...part.values]))).rows;
  });
  const sum = (state: "waiting" | "refused") => rows.reduce((total, row) => total + row[state], 0);
  return { waiting: sum("waiting"), refused: sum("refused") };
}
