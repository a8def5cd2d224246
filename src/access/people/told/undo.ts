import type { Client } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { announceChange } from "../../accounts/announce-change.ts";
import { endSessions } from "../session.ts";
import type { About, ToldKind } from "./kinds.ts";

interface Undoing {
  client: Client;
  accountId: string;
  actorId: string;
  /** When the act was done, and now. */
  doneAt: Date;
  at: Date;
  about: About;
}

/** Takes back each kind of act, as far as it still stands. */
export const undoing: Readonly<Record<ToldKind, (undo: Undoing) => Promise<void>>> = {
  new_browser: async () => {},
  failures: async () => {},
  async factor_added({ client, actorId, about, at }) {
    await client.query(sql`
      update factors set removed_at = ${at}
      where id = ${about.factor_id ?? null} and person_id = ${actorId} and removed_at is null`);
    await client.query(sql`
      delete from recovery_codes where person_id = ${actorId} and not exists (
        select from factors where person_id = ${actorId} and confirmed_at is not null and removed_at is null)`);
  },
  async factor_removed({ client, actorId, about }) {
    await client.query(sql`
      update factors set removed_at = null where id = ${about.factor_id ?? null} and person_id = ${actorId}`);
  },
  // All that went at that moment comes back, but for the recovery codes: they are made anew.
  async second_step_reset({ client, actorId, doneAt }) {
    await client.query(sql`
      update factors set removed_at = null where person_id = ${actorId} and removed_at = ${doneAt}`);
  },
  async person_invited({ client, accountId, about, doneAt }) {
    await client.query(sql`
      delete from invitations where id = ${about.invitation_id ?? null} and account_id = ${accountId}`);
    const { rows } = await client.query<{ person_id: string }>(sql`
      delete from memberships m using people p
      where p.id = m.person_id and m.account_id = ${accountId} and lower(p.email) = lower(${about.email ?? ""})
        and m.created_at >= ${doneAt} and m.role <> 'owner'
      returning m.person_id`);
    for (const { person_id } of rows) await endSessions(client, person_id, null, accountId);
  },
  async person_removed({ client, accountId, about, at }) {
    await client.query(sql`
      insert into memberships (person_id, account_id, role, role_id, location_ids, created_at, updated_at)
      select p.id, ${accountId}, ${about.role ?? null}, ${about.role_id ?? null}, ${[...(about.location_ids ?? [])]}, ${at}, ${at}
      from people p where p.id = ${about.member_id ?? null}
      on conflict do nothing`);
    if (!about.location_ids)
      await client.query(sql`
        update memberships set location_ids = null where person_id = ${about.member_id ?? null} and account_id = ${accountId}`);
  },
  // The only owner that is left stays one: a business without an owner is nobody's.
  async role_raised({ client, accountId, about, at }) {
    await client.query(sql`
      update memberships m set role = ${about.role ?? null}, role_id = ${about.role_id ?? null}, updated_at = ${at}
      where m.person_id = ${about.member_id ?? null} and m.account_id = ${accountId}
        and (m.role <> 'owner' or exists (
          select from memberships other
          where other.account_id = m.account_id and other.role = 'owner' and other.person_id <> m.person_id))`);
  },
  async key_made({ client, accountId, about, at }) {
    await client.query(sql`
      update api_keys set revoked_at = ${at}
      where id = ${about.api_key_id ?? null} and account_id = ${accountId} and revoked_at is null`);
    await announceChange(client, "access");
  },
};
