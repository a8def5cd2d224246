import { expect, test } from "vitest";
import { catchUp } from "../../src/access/people/person.ts";
import { sql } from "../../src/db/sql.ts";
import { day } from "../../src/lib/clock.ts";
import { startMaintenance } from "../../src/operations/start/maintenance.ts";
import { purgeClosed } from "../../src/privacy/business/purge.ts";
import { enrolTotp, openDoor } from "../support/doors.ts";
import { advance } from "../support/fiscal.ts";
import { perTest } from "../support/fixtures.ts";
import { grepDatabase } from "../support/grep-database.ts";
import { addMember } from "../support/people.ts";
import { openPortal } from "../support/portal.ts";
import { startService } from "../support/service.ts";

const service = perTest(() => startService({ TRUST_PROXY: "1", RETENTION_DAYS: "people=10" }));

/** One round of housekeeping. */
async function tidy(): Promise<void> {
  await startMaintenance(service.deps).stop();
}

async function isKnown(id: string): Promise<boolean> {
  return (await service.deps.pool.query(sql`select from people where id = ${id}`)).rowCount !== 0;
}

/** A member who did all that leaves something of her. */
async function busyMember(accountId: string) {
  const email = `luzmarina.${accountId}@example.com`;
  const { personId } = await addMember(service, accountId, "owner", { name: "Luz Marina Rojas", email });
  const door = openDoor(service, { agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" });
  expect((await door.signIn(email)).status).toBe(201);
  await enrolTotp(service, door);
  await door.signIn(email, "no es esta");
  await door.post("/password-resets", { email });
  expect((await door.get("/account")).status).toBe(200);
  return { personId, email, door };
}

test("whoever belongs to no business is forgotten after the operator's term, and nothing of hers stays with people", async () => {
  const owner = await openPortal(service);
  const { personId, email } = await busyMember(owner.accountId);
  expect((await owner.delete(`/people/${personId}`)).status).toBe(204);
  await tidy();
  advance(service, 9 * day);
  await tidy();
  expect(await isKnown(personId)).toBe(true);

  advance(service, 2 * day);
  await tidy();
  expect(await isKnown(personId)).toBe(false);
  // The audit log and the mails have terms of their own.
  const left = await grepDatabase(service.deps.pool, [email, "Luz Marina Rojas", personId]);
  expect(left.filter((place) => !/^(audit_log|mails)\./.test(place))).toEqual([]);
});

test("who is invited again, or belongs to another business, stays", async () => {
  const owner = await openPortal(service);
  const other = await openPortal(service);
  const invited = await addMember(service, owner.accountId, "manager");
  const member = await addMember(service, owner.accountId, "manager");
  for (const { personId } of [invited, member]) expect((await owner.delete(`/people/${personId}`)).status).toBe(204);
  await tidy();
  advance(service, 11 * day);
  const invitation = { email: invited.email.toUpperCase(), role: "manager", location_ids: null };
  expect((await owner.post("/people/invitations", invitation)).status).toBe(401);
  await service.deps.pool.query(sql`
    insert into invitations (id, account_id, hash, email, role, invited_by, created_at, mailed_at, expires_at)
    values (gen_random_uuid(), ${other.accountId}, '\\x01', ${invitation.email}, 'manager', ${other.accountId},
      now(), now(), ${new Date(service.deps.clock.now().getTime() + day)})`);
  await service.deps.pool.query(sql`
    insert into memberships (person_id, account_id, role, created_at, updated_at)
    values (${member.personId}, ${other.accountId}, 'manager', now(), now())`);
  await tidy();
  expect([await isKnown(invited.personId), await isKnown(member.personId)]).toEqual([true, true]);
  const { rows } = await service.deps.pool.query(sql`select alone_since from people where id = ${member.personId}`);
  expect(rows).toEqual([{ alone_since: null }]);

  advance(service, 2 * day);
  await tidy();
  expect([await isKnown(invited.personId), await isKnown(member.personId)]).toEqual([false, true]);
});

test("a founder who left is not made an owner again by her account", async () => {
  const owner = await openPortal(service);
  const heir = await addMember(service, owner.accountId, "owner");
  const heirs = openDoor(service);
  await heirs.signIn(heir.email);
  expect((await heirs.send("DELETE", `/people/${owner.accountId}`)).status).toBe(204);
  await tidy();
  advance(service, 11 * day);
  await tidy();
  expect(await isKnown(owner.accountId)).toBe(false);
  await catchUp(service.deps.pool, { id: owner.accountId });
  expect(await isKnown(owner.accountId)).toBe(false);
});

test("a closed business goes with its people, second steps and all", async () => {
  const owner = await openPortal(service);
  const { personId } = await busyMember(owner.accountId);
  const { name } = (await owner.get("/account/closing")).body;
  expect((await owner.confirmed("/account/close", { name })).status).toBe(201);
  advance(service, 31 * day);
  expect(await purgeClosed(service.deps, service.deps.clock.now())).toBe(1);
  expect([await isKnown(personId), await isKnown(owner.accountId)]).toEqual([false, false]);
});

test("forgetting a person knows every table that refers to one", async () => {
  const { readFileSync } = await import("node:fs");
  const text = readFileSync(new URL("../../src/access/people/forget-people.ts", import.meta.url), "utf8");
  const { rows } = await service.deps.pool.query<{ name: string }>(`
    select conrelid::regclass::text as name from pg_constraint where confrelid = 'people'::regclass and contype = 'f'`);
  const tied = ["memberships", "invitations"];
  for (const { name } of rows.filter((row) => !tied.includes(row.name))) expect(text).toContain(`delete from ${name}`);
});
