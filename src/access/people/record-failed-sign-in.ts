import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { day, hour } from "../../lib/clock.ts";
import { recordRepeatedAudit } from "../accounts/record-repeated-audit.ts";
import { homeOf } from "./person.ts";
import { tell } from "./told/tell.ts";

const action = "session.failed";
/** Beyond this, attempts from further addresses within the hour are counted in one entry without an address. */
const maxAddressesPerHour = 5;

/**
 * Records for the owner that somebody tried a wrong password. The response does not wait for it, because its duration would
 * reveal that the account exists.
 */
export function recordFailedSignIn(deps: CoreDeps, personId: string, remoteAddress: string | null): void {
  record(deps, personId, remoteAddress).catch((error: Error) =>
    deps.log.warn({ err: error, person_id: personId }, "failed sign-in not written into the audit log"),
  );
}

/** In the business where her next session would open. */
async function record(deps: CoreDeps, personId: string, remoteAddress: string | null): Promise<void> {
  const at = deps.clock.now();
  const home = await homeOf(deps.pool, personId);
  if (!home) return;
  const accountId = home.id;
  await deps.partitions.ensure(at);
  await transaction(deps.pool, async (client) => {
    await client.query(sql`select 1 from accounts where id = ${accountId} for no key update`);
    const { rows } = await client.query<{ remote_address: string | null }>(sql`
      select distinct remote_address from audit_log
      where account_id = ${accountId} and created_at > ${new Date(at.getTime() - hour)} and action = ${action}
        and remote_address is not null`);
    const hasOwnEntry = rows.length < maxAddressesPerHour || rows.some((row) => row.remote_address === remoteAddress);
    const address = hasOwnEntry ? remoteAddress : null;
    const actor = { kind: "stranger", sessionId: null, remoteAddress: address, personId } as const;
    await recordRepeatedAudit(client, { accountId, at, action, details: {}, actor });
    await tellFailures(deps, client, { accountId, personId, remoteAddress, at });
  });
}

/** As many as lock a source: fewer are somebody who mistypes. */
const runOfFailures = 5;

/** Tells a run of failures once a day. Whoever reads it decides whether it was she who mistyped. */
async function tellFailures(
  deps: CoreDeps,
  client: Client,
  {
    accountId,
    personId,
    remoteAddress,
    at,
  }: { accountId: string; personId: string; remoteAddress: string | null; at: Date },
): Promise<void> {
  const { rowCount: isTold } = await client.query(sql`
    select from security_notices
    where person_id = ${personId} and account_id = ${accountId} and kind = 'failures'
      and created_at > ${new Date(at.getTime() - day)} limit 1`);
  if (isTold) return;
  const { rows } = await client.query<{ failures: number }>(sql`
    select coalesce(sum(coalesce(times, 1)), 0)::int as failures from audit_log
    where account_id = ${accountId} and created_at > ${new Date(at.getTime() - hour)} and action = ${action}`);
  const { failures } = oneRow(rows);
  if (failures < runOfFailures) return;
  await tell(deps, client, {
    ...{ kind: "failures", accountId, actorId: personId, at, about: {} },
    title: "alguien intenta entrar con contraseñas equivocadas",
    lines: [
      `Intentos en la última hora: ${failures}`,
      ...(remoteAddress === null ? [] : [`Dirección de internet: ${remoteAddress}`]),
    ],
  });
}
