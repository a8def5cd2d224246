import type { Client } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { announceChange } from "../../accounts/announce-change.ts";
import { returnToCounter } from "../follow-at-counter.ts";
import { knownRights, type Right } from "../rights.ts";
import { kindsOf } from "../second-step/factors.ts";
import { giveRecoveryCodesBack, removeRecoveryCodes } from "../second-step/recovery-codes.ts";
import { endSessions } from "../session.ts";
import { roleGivenBack } from "./give-back.ts";
import type { About, ToldKind } from "./kinds.ts";

interface Undoing {
  client: Client;
  accountId: string;
  actorId: string;
  /** What whoever takes it back may do in the business today: she gives nobody more. */
  rights: ReadonlySet<Right>;
  /** When the act was done, and now. */
  doneAt: Date;
  at: Date;
  about: About;
}

/** Null is every sede. */
const sedesOf = ({ location_ids }: About): string[] | null => (location_ids ? [...location_ids] : null);

/** Takes back each kind of act, as far as it still stands. The only owner that is left stays one: a business without is nobody's. */
export const undoing: Readonly<Record<ToldKind, (undo: Undoing) => Promise<void>>> = {
  new_browser: async () => {},
  failures: async () => {},
  async factor_added({ client, actorId, about, doneAt, at }) {
    await client.query(sql`
      update factors set removed_at = ${at}
      where id = ${about.factor_id ?? null} and person_id = ${actorId} and removed_at is null`);
    await giveRecoveryCodesBack(client, actorId, doneAt);
    // They come back with the factor that was removed, if that was not she either.
    if ((await kindsOf(client, actorId)).length === 0) await removeRecoveryCodes(client, actorId, at);
  },
  async factor_removed({ client, actorId, about, doneAt }) {
    await client.query(sql`
      update factors set removed_at = null where id = ${about.factor_id ?? null} and person_id = ${actorId}`);
    await giveRecoveryCodesBack(client, actorId, doneAt);
  },
  // All that went at that moment comes back.
  async second_step_reset({ client, actorId, doneAt }) {
    await client.query(sql`
      update factors set removed_at = null where person_id = ${actorId} and removed_at = ${doneAt}`);
    await giveRecoveryCodesBack(client, actorId, doneAt);
  },
  async recovery_codes_made({ client, actorId, doneAt }) {
    await giveRecoveryCodesBack(client, actorId, doneAt);
  },
  async person_invited({ client, accountId, about, doneAt }) {
    await client.query(sql`
      delete from invitations where id = ${about.invitation_id ?? null} and account_id = ${accountId}`);
    const { rows } = await client.query<{ person_id: string }>(sql`
      delete from memberships m using people p
      where p.id = m.person_id and m.account_id = ${accountId} and lower(p.email) = lower(${about.email ?? ""})
        and m.created_at >= ${doneAt} and (m.role <> 'owner' or exists (
          select from memberships other
          where other.account_id = m.account_id and other.role = 'owner' and other.person_id <> m.person_id))
      returning m.person_id`);
    for (const { person_id } of rows) await endSessions(client, person_id, null, accountId);
  },
  async person_removed(undo) {
    const { client, accountId, about, at } = undo;
    const given = await roleGivenBack(client, undo);
    if (!given) return;
    await client.query(sql`
      insert into memberships (person_id, account_id, role, role_id, location_ids, created_at, updated_at)
      select p.id, ${accountId}, ${given.role}, ${given.role_id}, ${sedesOf(about)}::uuid[], ${at}, ${at}
      from people p where p.id = ${about.member_id ?? null}
      on conflict do nothing`);
    await returnToCounter(client, { accountId, personId: about.member_id ?? null, endedAt: undo.doneAt });
  },
  async role_raised(undo) {
    const { client, accountId, about, at } = undo;
    const given = await roleGivenBack(client, undo);
    if (!given) return;
    await client.query(sql`
      update memberships m set role = ${given.role}, role_id = ${given.role_id}, location_ids = ${sedesOf(about)}::uuid[],
        updated_at = ${at}
      where m.person_id = ${about.member_id ?? null} and m.account_id = ${accountId}
        and (m.role <> 'owner' or exists (
          select from memberships other
          where other.account_id = m.account_id and other.role = 'owner' and other.person_id <> m.person_id))`);
  },
  async role_widened({ client, accountId, rights, about, at }) {
    const before = knownRights(about.role_rights ?? []);
    if (before.some((right) => !rights.has(right))) return;
    await client.query(sql`
      update roles set rights = ${before}, updated_at = ${at}
      where id = ${about.role_id ?? null} and account_id = ${accountId}`);
  },
  async key_made({ client, accountId, about, at }) {
    await client.query(sql`
      update api_keys set revoked_at = ${at}
      where id = ${about.api_key_id ?? null} and account_id = ${accountId} and revoked_at is null`);
    await announceChange(client, "access");
  },
};
