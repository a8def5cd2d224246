import { randomBytes } from "node:crypto";
import type { Client } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { hour } from "../../../lib/clock.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { hashToken } from "../../../lib/token.ts";
import { queueMail } from "../../../mail/queue-mail.ts";
import { toldMail } from "../../../mail/told-mail.ts";
import type { Actor } from "../../accounts/record-audit.ts";
import { calledBy, type Owner, ownersOf } from "../membership.ts";
import { personById } from "../person.ts";
import { type About, type ToldKind, toldKinds } from "./kinds.ts";

const objectableMs = 72 * hour;

export interface Told {
  kind: ToldKind;
  accountId: string;
  /** Who did it, or whom it was done as. */
  actorId: string;
  title: string;
  /** "Clave: ERP" */
  lines: readonly string[];
  about: About;
  at: Date;
  /** Given where others than whoever did it are told: they read who did it, and from where. */
  by?: Actor;
  /** Whom it touches as well; only an owner takes it back. */
  alsoTo?: readonly Pick<Owner, "id" | "email">[];
}

/** Tells the owners as well what touches the business, and nobody but herself what touches only her. */
const toOwners: readonly ToldKind[] = [
  "second_step_reset",
  "person_invited",
  "person_removed",
  "role_raised",
  "role_widened",
  "key_made",
];

/** Tells by mail and in the bell, in the transaction of the act. The day's partition of mails must exist. */
export async function tell(deps: CoreDeps, client: Client, told: Told): Promise<void> {
  const lines = [...told.lines, ...(await doneBy(client, told))];
  const mails = await noteTold(deps, client, { ...told, lines });
  for (const { email, link } of mails) {
    const mail = toldMail(deps.config.publicUrl, { ...told, lines, undone: toldKinds[told.kind].undone, link });
    await queueMail(client, told.accountId, told.at, mail, email);
  }
}

async function doneBy(client: Client, { by, actorId }: Told): Promise<string[]> {
  if (!by) return [];
  const person = await personById(client, actorId);
  return [...(person ? [`Lo hizo: ${calledBy(person)}`] : []), ...whereOf(by)];
}

/** From where, as far as it is known. */
export function whereOf({ remoteAddress }: Actor): string[] {
  return remoteAddress === null ? [] : [`Dirección de internet: ${remoteAddress}`];
}

/** Puts it into the bell alone, for whoever writes the mail herself. Resolves with each who is told, and her link. */
export async function noteTold(
  deps: CoreDeps,
  client: Client,
  { kind, accountId, actorId, title, lines, about, at, alsoTo = [] }: Told,
): Promise<{ personId: string; email: string; link: string | undefined }[]> {
  const eventId = uuidv7(at);
  const mails = [];
  const told = await whoIsTold(client, { kind, accountId, actorId });
  const touched = alsoTo.filter(({ id }) => !told.some((one) => one.id === id));
  for (const { id, email } of [...told, ...touched]) {
    const token = randomBytes(32).toString("base64url");
    await client.query(sql`
      insert into security_notices (id, event_id, hash, person_id, account_id, kind, actor_id, title, lines, about, created_at, expires_at)
      values (${uuidv7(at)}, ${eventId}, ${hashToken(token)}, ${id}, ${accountId}, ${kind}, ${actorId}, ${title}, ${[...lines]},
        ${JSON.stringify(about)}, ${at}, ${new Date(at.getTime() + objectableMs)})`);
    const link = touched.some((one) => one.id === id) ? undefined : `${deps.config.publicUrl}/no-fui-yo#${token}`;
    mails.push({ personId: id, email, link });
  }
  return mails;
}

async function whoIsTold(
  client: Client,
  { kind, accountId, actorId }: Pick<Told, "kind" | "accountId" | "actorId">,
): Promise<{ id: string; email: string }[]> {
  const actor = await personById(client, actorId);
  const owners = toOwners.includes(kind) ? await ownersOf(client, accountId) : [];
  return [...(actor ? [actor] : []), ...owners.filter(({ id }) => id !== actorId)];
}
