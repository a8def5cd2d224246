import type { Client } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { ApiError } from "../../../lib/errors.ts";
import { hashToken } from "../../../lib/token.ts";
import { queueMail } from "../../../mail/queue-mail.ts";
import { objectionMail } from "../../../mail/told-mail.ts";
import { type Actor, recordAudit } from "../../accounts/record-audit.ts";
import { changingPeople } from "../follow-at-counter.ts";
import { ownersOf, type Standing, type StandingRow, standingOf } from "../membership.ts";
import { endPassword } from "../person.ts";
import type { Right } from "../rights.ts";
import { forgetBrowsers } from "../second-step/trusted-browser.ts";
import { endSessions } from "../session.ts";
import { freeze } from "./freezes.ts";
import { type About, isToldKind, type ToldKind, toldKinds } from "./kinds.ts";
import { undoing } from "./undo.ts";

interface Notice {
  event_id: string;
  person_id: string;
  account_id: string;
  kind: string;
  actor_id: string;
  title: string;
  about: string;
  created_at: Date;
}

/**
 * "No fui yo": takes the act back, ends the sessions of whoever did it, and lets her do nothing of the kind for 72 hours. Said by
 * herself, somebody else knows her password: it stops working, and she sets a new one by mail. Said by an owner of somebody else's
 * act, it ends her sessions in this business alone.
 */
export async function object(
  deps: CoreDeps,
  token: string,
  remoteAddress: string,
): Promise<{ email: string; isOwnAct: boolean }> {
  const at = deps.clock.now();
  const found = await findNotice(deps.pool, token, at);
  const isOwnAct = found.person_id === found.actor_id;
  await deps.partitions.ensure(at);
  const actor: Actor = { kind: "owner", sessionId: null, remoteAddress, personId: found.person_id };
  const email = await changingPeople(deps, { accountId: found.account_id, at, actor }, async (client) => {
    // Who is an owner is decided under this lock everywhere.
    await client.query(sql`select from accounts where id = ${found.account_id} for no key update`);
    const notice = await useNotice(client, token, at);
    const { account_id: accountId, actor_id: actorId, kind, standing } = notice;
    const about = JSON.parse(notice.about) as About;
    const rights = standing?.rights ?? new Set<Right>();
    await client.query(sql`select from people where id = ${actorId} for update`);
    await undoing[kind]({ client, accountId, actorId, rights, doneAt: notice.created_at, at, about });
    const { room } = toldKinds[kind];
    if (room !== null && standing) await freeze(client, { accountId, personId: actorId, room, at });
    if (isOwnAct) await endPassword(client, actorId, at);
    await endSessions(client, actorId, null, isOwnAct ? null : accountId);
    await forgetBrowsers(client, actorId);
    await recordAudit(client, {
      accountId,
      at,
      action: "security_notice.objected",
      details: { kind, title: notice.title, ...about },
      actor,
    });
    return tellObjection(deps, client, notice, at);
  });
  deps.mail?.emit();
  // A revoked key must stop working in this process before the response, not when the notification arrives.
  return { email, isOwnAct };
}

async function findNotice(db: Pick<Client, "query">, token: string, at: Date): Promise<Notice> {
  const { rows } = await db.query<Notice>(sql`
    select event_id, person_id, account_id, kind, actor_id, title, about, created_at from security_notices
    where hash = ${hashToken(token)} and expires_at > ${at} and objected_at is null and actor_id is not null`);
  if (!rows[0]) throw new ApiError("OBJECTION_EXPIRED");
  return rows[0];
}

interface UsedNotice extends Notice {
  kind: ToldKind;
  /** Of whoever objects, if she still belongs to the business. */
  standing: Standing | undefined;
}

/** Uses up the links of all who were told of the act: it is taken back once. */
async function useNotice(client: Client, token: string, at: Date): Promise<UsedNotice> {
  const notice = await findNotice(client, token, at);
  const standing = await standingIn(client, notice);
  if (!mayObject(notice, standing)) throw new ApiError("OBJECTION_EXPIRED");
  const { rowCount } = await client.query(sql`
    update security_notices set objected_at = ${at} where event_id = ${notice.event_id} and objected_at is null`);
  const { kind } = notice;
  if (rowCount === 0 || !isToldKind(kind)) throw new ApiError("OBJECTION_EXPIRED");
  return { ...notice, kind, standing };
}

async function standingIn(
  client: Client,
  { account_id, person_id }: Pick<Notice, "account_id" | "person_id">,
): Promise<Standing | undefined> {
  const { rows } = await client.query<StandingRow>(sql`
    select m.role, m.location_ids, r.name as role_name, r.rights as role_rights
    from memberships m left join roles r on r.id = m.role_id
    where m.account_id = ${account_id} and m.person_id = ${person_id}`);
  return rows[0] && standingOf(rows[0]);
}

/**
 * A link outlives its holder's place in the business. Another's act only an owner takes back, her own act on the business whoever
 * belongs to it, and what is of her person alone she herself.
 */
function mayObject({ kind, person_id, actor_id }: Notice, standing: Standing | undefined): boolean {
  if (person_id !== actor_id) return standing?.role === "owner";
  return standing !== undefined || (isToldKind(kind) && toldKinds[kind].of === "person");
}

/** Tells whoever objected, the owners, and whose act it was: she finds herself outside. Resolves with the address of the first. */
async function tellObjection(
  deps: CoreDeps,
  client: Client,
  { person_id, actor_id, account_id, title, kind, standing }: UsedNotice,
  at: Date,
): Promise<string> {
  const { rows } = await client.query<{ id: string; email: string }>(sql`
    select id, email from people where id in (${person_id}, ${actor_id}) order by id <> ${person_id}`);
  const [{ email }, actor] = [oneRow(rows.slice(0, 1)), rows[1]];
  const mail = objectionMail(deps.config.publicUrl, { title, ...toldKinds[kind], by: email });
  const owners = standing ? await ownersOf(client, account_id) : [];
  const told = new Set([email, ...(actor ? [actor.email] : []), ...owners.map((owner) => owner.email)]);
  for (const to of told) await queueMail(client, account_id, at, mail, to);
  return email;
}
