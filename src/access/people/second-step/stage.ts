import { randomBytes } from "node:crypto";
import type { Client, Queryable } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { day } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { hashToken } from "../../../lib/token.ts";
import { codeLifeMinutes } from "../../../mail/mail-kinds.ts";
import { queueMail } from "../../../mail/queue-mail.ts";
import { codeMail } from "../../../mail/templates.ts";
import { browserName } from "../browser-name.ts";
import { codeExpiry, mailedCode, tooManyCodes } from "../mailed-code.ts";
import type { Person } from "../person.ts";
import { knownKinds, type StepKind } from "./kinds.ts";

/** Beyond this a day, no more codes are mailed to somebody of whom no code was typed right. */
const codesPerDay = 10;
/** Of whatever kind; a mailed code has fewer. */
export const maxStageTries = 10;

/** Somebody whose password was right and who has not shown the rest yet. */
export interface Stage {
  id: string;
  person_id: string;
  account_id: string;
  password_mark: Buffer;
  kinds: StepKind[];
  known_since: Date | null;
  remote_address: string | null;
  user_agent: string | null;
  attempts: number;
  lost_at: Date | null;
}

export interface OpenedStage {
  /** For the cookie of the browser that asked, and of no other. */
  token: string;
  id: string;
  kinds: StepKind[];
  expires_at: Date;
}

/** Of a password, what tells whether it is still the same. */
export function markOf({ password_hash }: Pick<Person, "password_hash">): Buffer {
  return hashToken(password_hash);
}

/** Remembers that a password was right, for ten minutes; mails the code if it is what is asked. */
export async function openStage(
  deps: CoreDeps,
  entering: {
    person: Pick<Person, "id" | "email" | "password_hash">;
    accountId: string;
    kinds: StepKind[];
    knownSince: Date | undefined;
    remoteAddress: string | null;
    userAgent: string | null;
  },
): Promise<OpenedStage> {
  const { person, accountId, kinds, knownSince, remoteAddress, userAgent } = entering;
  const now = deps.clock.now();
  const [id, token, expiresAt] = [uuidv7(now), randomBytes(32).toString("base64url"), codeExpiry(now)];
  await deps.partitions.ensure(now);
  await transaction(deps.pool, async (client) => {
    await client.query(sql`select from people where id = ${person.id} for update`);
    await client.query(sql`
      insert into sign_in_stages (id, hash, person_id, account_id, password_mark, kinds, known_since, remote_address, user_agent,
        created_at, expires_at)
      values (${id}, ${hashToken(token)}, ${person.id}, ${accountId}, ${markOf(person)}, ${kinds}, ${knownSince ?? null},
        ${remoteAddress}, ${userAgent?.slice(0, 300) ?? null}, ${now}, ${expiresAt})`);
    if (kinds.includes("mailed_code"))
      await mailStageCode(deps, client, {
        id,
        personId: person.id,
        email: person.email,
        accountId,
        remoteAddress,
        userAgent,
      });
  });
  deps.mail?.emit();
  return { token, id, kinds, expires_at: expiresAt };
}

/** Mails the code of a stage, unless too many of the day were not used. The caller holds the person's row. */
export async function mailStageCode(
  deps: CoreDeps,
  client: Client,
  stage: {
    id: string;
    personId: string;
    email: string;
    accountId: string;
    remoteAddress: string | null;
    userAgent: string | null;
    isLost?: boolean;
  },
): Promise<void> {
  const now = deps.clock.now();
  const { rows } = await client.query<{ count: number; oldest: Date | null }>(sql`
    select count(*)::int as count, min(mailed_at) as oldest from sign_in_stages
    where person_id = ${stage.personId} and mailed_at > ${new Date(now.getTime() - day)} and used_at is null`);
  const { count, oldest } = oneRow(rows);
  if (count >= codesPerDay) throw tooManyCodes(new Date((oldest ?? now).getTime() + day), now);
  await client.query(sql`update sign_in_stages set mailed_at = ${now} where id = ${stage.id}`);
  const action = {
    title: stage.isLost ? "entrar sin su segundo paso y quitarlo" : "entrar a su portal desde un navegador nuevo",
    lines: [
      `Navegador: ${browserName(stage.userAgent)}`,
      ...(stage.remoteAddress === null ? [] : [`Dirección de internet: ${stage.remoteAddress}`]),
      ...(stage.isLost
        ? ["Con este código se quitan sus aplicaciones de códigos, sus llaves de acceso y sus códigos de recuperación."]
        : []),
    ],
  };
  await queueMail(client, stage.accountId, now, codeMail(stageCode(deps, stage), action, codeLifeMinutes), stage.email);
}

/** The one that is mailed for losing every factor is another than that of a new browser. */
export function stageCode(
  { config }: Pick<CoreDeps, "config">,
  { id, isLost }: { id: string; isLost?: boolean },
): string {
  return mailedCode(config.secretKeys, isLost ? "lost second steps" : "sign-in codes", id);
}

/** Whose stage a cookie is for, without a try. */
export async function findStage(
  db: Queryable,
  token: string | undefined,
  now: Date,
): Promise<Pick<Stage, "id" | "person_id">> {
  const { rows } = await db.query<Pick<Stage, "id" | "person_id">>(sql`
    select id, person_id from sign_in_stages
    where hash = ${hashToken(token ?? "")} and used_at is null and expires_at > ${now} and attempts < ${maxStageTries}`);
  if (!rows[0]) throw new ApiError("SECOND_STEP_EXPIRED");
  return rows[0];
}

/** The stage of a cookie, with one more try counted against it. */
export async function tryStage(db: Queryable, token: string | undefined, now: Date): Promise<Stage> {
  const { rows } = await db.query<Omit<Stage, "kinds"> & { kinds: string[] }>(sql`
    update sign_in_stages set attempts = attempts + 1
    where hash = ${hashToken(token ?? "")} and used_at is null and expires_at > ${now} and attempts < ${maxStageTries}
    returning id, person_id, account_id, password_mark, kinds, known_since, remote_address, user_agent, attempts, lost_at`);
  const stage = rows[0];
  if (!stage) throw new ApiError("SECOND_STEP_EXPIRED");
  return { ...stage, kinds: knownKinds(stage.kinds) };
}

/** Ends what was begun with a password that counts no more, and with it the count of its mailed codes. */
export async function forgetStages(client: Client, personId: string): Promise<void> {
  await client.query(sql`delete from sign_in_stages where person_id = ${personId} and used_at is null`);
}

/** Uses the stage up: whoever comes second with it finds nothing. */
export async function finishStage(client: Client, id: string, now: Date): Promise<void> {
  const { rowCount } = await client.query(sql`
    update sign_in_stages set used_at = ${now} where id = ${id} and used_at is null`);
  if (rowCount === 0) throw new ApiError("SECOND_STEP_EXPIRED");
}
