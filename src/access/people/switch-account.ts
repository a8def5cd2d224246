import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { ApiError } from "../../lib/errors.ts";
import { recordAudit } from "../accounts/record-audit.ts";
import { roleIn, type StandingRow, standingOf } from "./membership.ts";
import { homeOf } from "./person.ts";
import { hashFor, openSession, type Session } from "./session.ts";

/** Opens a session where a person still belongs, after the business of the one she had was closed. */
export async function openElsewhere(
  deps: CoreDeps,
  { personId }: Session,
  from: { remoteAddress: string | null; userAgent: string | null },
): Promise<string | undefined> {
  const at = deps.clock.now();
  await deps.partitions.ensure(at);
  return transaction(deps.pool, async (client) => {
    const home = await homeOf(client, personId);
    if (!home?.active) return undefined;
    const opened = await openSession({ pool: client, clock: deps.clock }, home.id, { personId, ...from });
    await client.query(sql`update people set last_account_id = ${home.id} where id = ${personId}`);
    const { remoteAddress } = from;
    await recordAudit(client, {
      accountId: home.id,
      at,
      action: "session.opened",
      details: {},
      actor: { kind: "owner", sessionId: opened.id, remoteAddress, personId, role: opened.role },
    });
    return opened.token;
  });
}

/**
 * Goes on with the same session in another business of its person. What waits for a code stays with the business in which it
 * was asked for.
 */
export async function switchAccount(
  deps: CoreDeps,
  { id, personId }: Session,
  to: { accountId: string; token: string; remoteAddress: string | null },
): Promise<void> {
  const { accountId, token, remoteAddress } = to;
  const at = deps.clock.now();
  await transaction(deps.pool, async (client) => {
    const { rows } = await client.query<StandingRow & { active: boolean }>(sql`
      select m.role, m.location_ids, r.name as role_name, r.rights as role_rights, a.active
      from memberships m join accounts a on a.id = m.account_id left join roles r on r.id = m.role_id
      where m.person_id = ${personId} and m.account_id = ${accountId} for share of m`);
    const [membership] = rows;
    if (!membership)
      throw new ApiError("NOT_FOUND", {
        param: "account_id",
        message: "Usted no hace parte de ese negocio. Vuelva a entrar para ver los suyos.",
      });
    if (!membership.active) throw new ApiError("ACCOUNT_INACTIVE");
    const hash = hashFor({ token, role: membership.role, personId, accountId });
    const moved = await client.query(sql`
      update portal_sessions set account_id = ${accountId}, person_id = ${personId}, hash = ${hash}
      where id = ${id} and coalesce(person_id, account_id) = ${personId}`);
    if (moved.rowCount === 0) throw new ApiError("SESSION_REQUIRED");
    await client.query(sql`update people set last_account_id = ${accountId} where id = ${personId}`);
    await recordAudit(client, {
      accountId,
      at,
      action: "session.opened",
      details: {},
      actor: { kind: "owner", sessionId: id, remoteAddress, personId, role: roleIn(standingOf(membership)) },
    });
  });
}
