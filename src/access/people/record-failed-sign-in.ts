import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { day, hour } from "../../lib/clock.ts";
import type { Actor } from "../accounts/record-audit.ts";
import { recordRepeatedAudit } from "../accounts/record-repeated-audit.ts";
import { homeOf, personById } from "./person.ts";
import { tell } from "./told/tell.ts";

/** What was wrong, and what the person is told of a run of it. */
const failing = {
  "session.failed": { kind: "failures", title: "alguien intenta entrar con contraseñas equivocadas" },
  "second_step.failed": {
    kind: "second_step_failures",
    title: "alguien que sabe su contraseña prueba códigos equivocados",
  },
} as const;

interface Failed {
  personId: string;
  remoteAddress: string | null;
  action: keyof typeof failing;
  /** The session in which it was tried; without one, the business is where her next session would open. */
  within?: { id: string; accountId: string };
}

/** Beyond this, attempts from further addresses within the hour are counted in one entry without an address. */
const maxAddressesPerHour = 5;

/**
 * Records for the owner that somebody tried a wrong password. The response does not wait for it, because its duration would
 * reveal that the account exists.
 */
export function recordFailedSignIn(deps: CoreDeps, personId: string, remoteAddress: string | null): void {
  recordFailure(deps, { personId, remoteAddress, action: "session.failed" });
}

/** The same of a wrong code, by whoever knew the password. */
export function recordFailure(deps: CoreDeps, failed: Failed): void {
  record(deps, failed).catch((error: Error) =>
    deps.log.warn({ err: error, person_id: failed.personId }, "failed sign-in not written into the audit log"),
  );
}

async function record(deps: CoreDeps, failed: Failed): Promise<void> {
  const { personId, remoteAddress, action, within } = failed;
  const at = deps.clock.now();
  const [home, person] = [await homeOf(deps.pool, personId), await personById(deps.pool, personId)];
  const accountId = within?.accountId ?? home?.id;
  if (accountId === undefined || !person) return;
  await deps.partitions.ensure(at);
  await transaction(deps.pool, async (client) => {
    await client.query(sql`select 1 from accounts where id = ${accountId} for no key update`);
    const { rows } = await client.query<{ remote_address: string | null }>(sql`
      select distinct remote_address from audit_log
      where account_id = ${accountId} and created_at > ${new Date(at.getTime() - hour)} and action = ${action}
        and person_id = ${personId} and remote_address is not null`);
    const hasOwnEntry = rows.length < maxAddressesPerHour || rows.some((row) => row.remote_address === remoteAddress);
    const from = { sessionId: within?.id ?? null, remoteAddress: hasOwnEntry ? remoteAddress : null, personId };
    const actor: Actor = { kind: within ? "owner" : "stranger", ...from };
    // Whom it was tried as: she need not be whoever tried.
    await recordRepeatedAudit(client, { accountId, at, action, details: { email: person.email }, actor });
    await tellFailures(deps, client, { ...failed, accountId, at });
  });
  deps.mail?.emit();
}

/** As many as lock a source: fewer are somebody who mistypes. */
const runOfFailures = 5;

/** Tells a run of failures once a day. Whoever reads it decides whether it was she who mistyped. */
async function tellFailures(
  deps: CoreDeps,
  client: Client,
  { accountId, personId, remoteAddress, action, at }: Failed & { accountId: string; at: Date },
): Promise<void> {
  const { kind, title } = failing[action];
  const { rowCount: isTold } = await client.query(sql`
    select from security_notices
    where person_id = ${personId} and account_id = ${accountId} and kind = ${kind}
      and created_at > ${new Date(at.getTime() - day)} limit 1`);
  if (isTold) return;
  const { rows } = await client.query<{ failures: number }>(sql`
    select coalesce(sum(coalesce(times, 1)), 0)::int as failures from audit_log
    where account_id = ${accountId} and created_at > ${new Date(at.getTime() - hour)} and action = ${action}
      and person_id = ${personId}`);
  const { failures } = oneRow(rows);
  if (failures < runOfFailures) return;
  await tell(deps, client, {
    ...{ kind, title, accountId, actorId: personId, at, about: {} },
    lines: [
      `Intentos en la última hora: ${failures}`,
      ...(remoteAddress === null ? [] : [`Dirección de internet: ${remoteAddress}`]),
    ],
  });
}
