import { expect, test } from "vitest";
import { sql } from "../../../src/db/sql.ts";
import { hour, minute, second } from "../../../src/lib/clock.ts";
import { type Door, enrolTotp, openDoor } from "../../support/doors.ts";
import { eventually } from "../../support/eventually.ts";
import { sharedService } from "../../support/fixtures.ts";
import { addMember } from "../../support/people.ts";
import { mailsTo, newestCode, password as stolen } from "../../support/portal.ts";
import { openAccount } from "../../support/visitor.ts";

const service = sharedService({ TRUST_PROXY: "1" });
const pass = (ms: number) => service.deps.clock.shiftTo(service.deps.clock.offsetMs() + ms);

async function owner() {
  const { accountId, email } = await openAccount(service);
  const home = openDoor(service, { agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" });
  expect((await home.signIn(email)).status).toBe(201);
  return { accountId, email, home };
}

/** The newest mail with these words in its subject, and the secret of its link. */
async function toldBy(email: string, words: RegExp): Promise<{ text: string; token: string; subject: string }> {
  const mail = await eventually(
    async () => (await mailsTo(service, email)).find(({ subject }) => words.test(subject)),
    20_000,
  );
  return { ...mail, token: /\/no-fui-yo#([\w-]+)/.exec(mail.text)?.[1] ?? "" };
}

const object = (token: string) => openDoor(service).post("/objections", { token });

async function makeKey(home: Door, email: string) {
  const asked = await home.post("/api-keys", { name: "ERP", scopes: ["sales:read"] });
  expect(asked.status, asked.text).toBe(202);
  const made = await home.post(`/confirmations/${asked.body.confirmation_id}`, {
    code: await newestCode(service, email),
  });
  expect(made.status, made.text).toBe(201);
  return made.body as { key: string; api_key: { id: string } };
}

test("a new browser: told with when and where; the link ends every session and the password, and a code sets a new one", async () => {
  const { email, home } = await owner();
  const thief = openDoor(service, { address: "203.0.113.9", agent: "curl/8" });
  expect((await thief.signIn(email)).status).toBe(201);
  const { text, token } = await toldBy(email, /navegador nuevo/);
  expect(text).toContain("203.0.113.9");
  expect(text).toMatch(/hora de Colombia/);
  const answer = await object(token);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.email).toBe(email);
  expect([(await thief.get("/account")).status, (await home.get("/account")).status]).toEqual([401, 401]);
  expect((await thief.signIn(email)).status, "the password is known").toBe(401);
  const reset = { code: await newestCode(service, email), password: "una clave nueva y larga" };
  expect((await home.post(`/password-resets/${answer.body.reset.reset_id}`, reset)).status).toBe(204);
  expect((await home.signIn(email, reset.password)).status).toBe(201);
});

test("the password that somebody else knew is not set again, by the mailed code or in Ajustes, also after a second «no fui yo»", async () => {
  const { email, home } = await owner();
  const set = (body: { reset: { reset_id: string } }, code: string, password: string) =>
    home.post(`/password-resets/${body.reset.reset_id}`, { code, password });
  await makeKey(home, email);
  await openDoor(service, { address: "203.0.113.9", agent: "curl/8" }).signIn(email);
  await object((await toldBy(email, /se creó una clave/)).token);
  const { body } = await object((await toldBy(email, /navegador nuevo/)).token);
  const code = await newestCode(service, email);
  const refused = await set(body, code, stolen);
  expect([refused.status, refused.body.error.param], refused.text).toEqual([400, "password"]);
  expect(refused.body.error.message).toContain("Elija otra");
  const password = "una clave nueva y larga";
  expect((await set(body, code, password)).status).toBe(204);
  expect((await home.signIn(email, password)).status).toBe(201);
  const changed = await home.post("/account/password", { current_password: password, new_password: stolen });
  expect([changed.status, changed.body.error?.param], changed.text).toEqual([400, "new_password"]);
});

test("the link works once, for 72 hours, and another's does nothing", async () => {
  const { email } = await owner();
  await openDoor(service).signIn(email);
  const { token } = await toldBy(email, /navegador nuevo/);
  expect((await object(`${token.slice(0, -1)}x`)).body.error.code).toBe("OBJECTION_EXPIRED");
  const answers = await Promise.all([object(token), object(token), object(token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
  const other = await owner();
  await openDoor(service).signIn(other.email);
  const late = await toldBy(other.email, /navegador nuevo/);
  pass(72 * hour + second);
  expect((await object(late.token)).status).toBe(410);
});

test("a key that somebody else made is revoked, and no other is made for 72 hours", async () => {
  const { email, home } = await owner();
  const { key } = await makeKey(home, email);
  const call = () => service.client({ authorization: `Bearer ${key}` }).get("/customers");
  expect((await call()).status).not.toBe(401);
  const { token, text } = await toldBy(email, /se creó una clave/);
  expect(text).toContain("ERP");
  const { reset } = (await object(token)).body;
  expect((await call()).body.error.code).toBe("API_KEY_REVOKED");
  const password = "una clave nueva y larga";
  await home.post(`/password-resets/${reset.reset_id}`, { code: await newestCode(service, email), password });
  await home.signIn(email, password);
  expect((await home.post("/api-keys", { name: "Otra", scopes: ["sales:read"] })).body.error.code).toBe("FROZEN");
  pass(72 * hour + minute);
  await home.signIn(email, password);
  expect((await home.post("/api-keys", { name: "Otra", scopes: ["sales:read"] })).status).toBe(202);
});

test("a factor that somebody else added is removed again, and one that was removed comes back", async () => {
  const { email, home } = await owner();
  const { factorId, phone } = await enrolTotp(service, home);
  expect((await home.send("DELETE", `/factors/${factorId}`)).status).toBe(204);
  const removed = await toldBy(email, /se quitó una aplicación/);
  const { reset } = (await object(removed.token)).body;
  const password = "una clave nueva y larga";
  await home.post(`/password-resets/${reset.reset_id}`, { code: await newestCode(service, email), password });
  expect((await home.signIn(email, password)).body.second_step.kinds).toEqual(["totp", "recovery_code"]);
  expect((await home.show("totp", phone.next())).status).toBe(201);
  expect((await home.send("DELETE", `/factors/${factorId}`)).body.error.code).toBe("FROZEN");
  const added = await toldBy(email, /se agregó una aplicación/);
  expect((await object(added.token)).status).toBe(200);
  const { rows } = await service.deps.pool.query<{ removed_at: Date | null }>(
    sql`select removed_at from factors where id = ${factorId}`,
  );
  expect(rows[0]?.removed_at).not.toBeNull();
});

test("recovery codes come back with the factor, those used before stay used, and whoever took them has none left", async () => {
  const { email, home } = await owner();
  const { factorId, phone, recoveryCodes } = await enrolTotp(service, home);
  expect((await home.post("/step-up", { kind: "recovery_code", code: recoveryCodes[0]! })).status).toBe(200);
  expect((await home.send("DELETE", `/factors/${factorId}`)).status).toBe(204);
  const removed = await toldBy(email, /se quitó una aplicación/);
  pass(minute);
  const thiefs = await enrolTotp(service, home);
  const added = await toldBy(email, /se agregó una aplicación/);
  expect((await object(removed.token)).status).toBe(200);
  const { reset } = (await object(added.token)).body;
  const password = "una clave nueva y larga";
  const code = await newestCode(service, email);
  const set = await home.post(`/password-resets/${reset.reset_id}`, { code, password });
  expect(set.status, set.text).toBe(204);
  const comesIn = async (code: string) => {
    const door = openDoor(service);
    const asked = await door.signIn(email, password);
    expect(asked.body.second_step?.kinds, asked.text).toEqual(["totp", "recovery_code"]);
    return (await door.show("recovery_code", code)).status;
  };
  expect(await comesIn(recoveryCodes[1]!)).toBe(201);
  expect([await comesIn(recoveryCodes[0]!), await comesIn(thiefs.recoveryCodes[0]!)]).toEqual([422, 422]);
  await home.signIn(email, password);
  expect((await home.show("totp", phone.next())).status).toBe(201);
  expect((await home.get("/second-step")).body.recovery_codes.left).toBe(8);
  const frozen = await home.send("DELETE", `/factors/${factorId}`);
  expect([frozen.body.error.code, frozen.body.error.message]).toEqual([
    "FROZEN",
    expect.stringContaining("tampoco si lo dijo usted"),
  ]);
});

/** Sets a new password after «no fui yo», and says what a recovery code opens with it. */
async function withNewPassword(email: string, home: Door, reset: { reset_id: string }) {
  const password = "una clave nueva y larga";
  const set = await home.post(`/password-resets/${reset.reset_id}`, {
    code: await newestCode(service, email),
    password,
  });
  expect(set.status, set.text).toBe(204);
  const comesIn = async (code: string) => {
    const door = openDoor(service);
    await door.signIn(email, password);
    return (await door.show("recovery_code", code)).status;
  };
  return { password, comesIn };
}

test("recovery codes that somebody else made end, hers come back, and she makes new ones without waiting", async () => {
  const { email, home } = await owner();
  const { factorId, phone, recoveryCodes } = await enrolTotp(service, home);
  pass(minute);
  const thiefs = (await home.post("/recovery-codes")).body.codes as string[];
  const told = await toldBy(email, /códigos de recuperación nuevos/);
  const { reset } = (await object(told.token)).body;
  const { password, comesIn } = await withNewPassword(email, home, reset);
  expect([await comesIn(thiefs[0]!), await comesIn(recoveryCodes[0]!)]).toEqual([422, 201]);
  await home.signIn(email, password);
  expect((await home.show("totp", phone.next())).status).toBe(201);
  expect((await home.send("DELETE", `/factors/${factorId}`)).body.error.code).toBe("FROZEN");
  const anew = await home.post("/recovery-codes");
  expect(anew.status, anew.text).toBe(201);
  expect([await comesIn(recoveryCodes[1]!), await comesIn(anew.body.codes[0])], "a paper that was copied").toEqual([
    422, 201,
  ]);
});

test("what somebody else added takes the recovery codes along that were made after it", async () => {
  const { email, home } = await owner();
  const { recoveryCodes } = await enrolTotp(service, home);
  pass(minute);
  await enrolTotp(service, home);
  pass(minute);
  const thiefs = (await home.post("/recovery-codes")).body.codes as string[];
  const { reset } = (await object((await toldBy(email, /se agregó una aplicación/)).token)).body;
  const { comesIn } = await withNewPassword(email, home, reset);
  expect([await comesIn(thiefs[0]!), await comesIn(recoveryCodes[0]!)]).toEqual([422, 201]);
});

test("an owner takes back what another owner did with people: invitation, role, removal", async () => {
  const { accountId, email, home } = await owner();
  const second_ = await addMember(service, accountId, "owner");
  const member = await addMember(service, accountId, "manager");
  expect(
    (await home.post("/people/invitations", { email: "nueva@example.com", role: "manager", location_ids: null }))
      .status,
  ).toBe(201);
  const invited = await toldBy(second_.email, /se invitó a una persona/);
  expect(invited.text).toContain("nueva@example.com");
  const answer = await object(invited.token);
  expect(answer.body, "it was not her own act: her password is not touched").toEqual({
    email: second_.email,
    reset: null,
  });
  expect((await home.get("/account")).status).toBe(401);
  expect((await home.signIn(email)).status).toBe(201);
  const invitations = await service.deps.pool.query(sql`select from invitations where account_id = ${accountId}`);
  expect(invitations.rowCount).toBe(0);
  const role = { role: "administrator", location_ids: null };
  expect((await home.send("PATCH", `/people/${member.personId}`, role)).body.error.code).toBe("FROZEN");
  pass(72 * hour + minute);
  await home.signIn(email);
  expect((await home.send("PATCH", `/people/${member.personId}`, role)).status).toBe(204);
  await object((await toldBy(second_.email, /puede más que antes/)).token);
  const roleOf = async () =>
    (
      await service.deps.pool.query<{ role: string }>(
        sql`select role from memberships where person_id = ${member.personId}`,
      )
    ).rows[0]?.role;
  expect(await roleOf()).toBe("manager");
  pass(72 * hour + minute);
  await home.signIn(email);
  expect((await home.send("DELETE", `/people/${member.personId}`)).status).toBe(204);
  expect(await roleOf()).toBeUndefined();
  await object((await toldBy(second_.email, /se retiró a una persona/)).token);
  expect(await roleOf()).toBe("manager");
});

test("a raised role is taken back with its sedes, also when the role given back was deleted meanwhile", async () => {
  const { accountId, email, home } = await owner();
  const witness = await addMember(service, accountId, "owner");
  const sedes = (await home.get("/locations")).body.data as { id: string }[];
  const made = await home.post("/roles", { name: "Bodeguero", rights: ["stock:read", "stock:write"] });
  expect(made.status, made.text).toBe(201);
  const member = await addMember(service, accountId, { custom: made.body.id }, { locationIds: [sedes[0]!.id] });
  const raised = { role: "administrator", location_ids: null };
  expect((await home.send("PATCH", `/people/${member.personId}`, raised)).status).toBe(204);
  const told = await toldBy(witness.email, /puede más que antes/);
  expect(told.text).toContain("Bodeguero de una sede");
  expect((await home.send("DELETE", `/roles/${made.body.id}`)).status).toBe(204);
  const again = { name: "Bodeguero", rights: ["stock:read"] };
  expect((await home.post("/roles", again)).status).toBe(201);

  const answer = await object(told.token);
  expect(answer.status, answer.text).toBe(200);
  await home.signIn(email);
  const people = (await home.get("/people")).body;
  const given = people.data.find(({ id }: { id: string }) => id === member.personId);
  expect(given).toMatchObject({ role: { title: "Bodeguero (2)" }, location_ids: [sedes[0]!.id] });
  const role = people.roles.find(({ id }: { id: string }) => id === given.role.id);
  expect(role.rights).toEqual(["stock:read", "stock:write"]);
});

test("more sedes for the same role are told, and taken back", async () => {
  const { accountId, home } = await owner();
  const witness = await addMember(service, accountId, "owner");
  const sedes = (await home.get("/locations")).body.data as { id: string }[];
  const member = await addMember(service, accountId, "manager", { locationIds: [sedes[0]!.id] });
  const raised = { role: "manager", location_ids: null };
  expect((await home.send("PATCH", `/people/${member.personId}`, raised)).status).toBe(204);
  expect((await object((await toldBy(witness.email, /puede más que antes/)).token)).status).toBe(200);
  expect(await standing(accountId, member.personId)).toEqual({ role: "manager", location_ids: [sedes[0]!.id] });
});

async function standing(accountId: string, personId: string) {
  const { rows } = await service.deps.pool.query<{ role: string; location_ids: string[] | null }>(sql`
    select role, location_ids from memberships where account_id = ${accountId} and person_id = ${personId}`);
  return rows[0];
}

test("taking back never leaves a business without an owner: of two who raised each other, one stays", async () => {
  const { accountId, email, home } = await owner();
  const heir = await addMember(service, accountId, "manager");
  const raised = { role: "owner", location_ids: null };
  expect((await home.send("PATCH", `/people/${heir.personId}`, raised)).status).toBe(204);
  const told = await toldBy(email, /puede más que antes/);
  const heirs = openDoor(service);
  await heirs.signIn(heir.email);
  const lowered = await heirs.send("PATCH", `/people/${accountId}`, { role: "accountant", location_ids: null });
  expect(lowered.status, lowered.text).toBe(204);

  expect((await object(told.token)).status).toBe(200);
  expect((await standing(accountId, heir.personId))?.role, "nobody else owns it").toBe("owner");
});

test("an invited owner goes with her invitation, unless nobody else is one", async () => {
  const { accountId, email, home } = await owner();
  const witness = await addMember(service, accountId, "owner");
  const invite = async (address: string) => {
    const asked = await home.post("/people/invitations", { email: address, role: "owner", location_ids: null });
    expect(asked.status, asked.text).toBe(201);
    const [mail] = await mailsTo(service, address);
    const token = /\/invitacion#([\w-]+)/.exec(mail!.text)![1];
    const accepting = { token, name: "Nadie", password: "lluvia sobre tejas" };
    expect((await openDoor(service).post("/invitations/accept", accepting)).status).toBeLessThan(300);
  };
  const owners = async () => {
    const { rows } = await service.deps.pool.query<{ email: string }>(sql`
      select p.email from memberships m join people p on p.id = m.person_id
      where m.account_id = ${accountId} and m.role = 'owner' order by p.email`);
    return rows.map((row) => row.email).toSorted();
  };
  await invite("ladrona@example.com");
  expect((await object((await toldBy(witness.email, /se invitó a una persona/)).token)).status).toBe(200);
  expect(await owners()).toEqual([email, witness.email].toSorted());

  pass(72 * hour + minute);
  await home.signIn(email);
  await invite("heredera@example.com");
  const told = await toldBy(witness.email, /se invitó a una persona/);
  await service.deps.pool.query(sql`
    update memberships set role = 'accountant' where account_id = ${accountId} and person_id in (${accountId}, ${witness.personId})`);
  expect((await object(told.token)).status, "an owner no more").toBe(410);
  expect((await object((await toldBy(email, /se invitó a una persona/)).token)).status, "her own act").toBe(200);
  expect(await owners()).toEqual(["heredera@example.com"]);
});

test("after «no fui yo» an only owner still removes and lowers people, and is not sent to another owner", async () => {
  const { accountId, email, home } = await owner();
  const [member, lowered] = [
    await addMember(service, accountId, "manager"),
    await addMember(service, accountId, "administrator"),
  ];
  const asked = { email: "ladrona@example.com", role: "owner", location_ids: null };
  expect((await home.post("/people/invitations", asked)).status).toBe(201);
  const { body } = await object((await toldBy(email, /se invitó a una persona/)).token);
  const password = "una clave nueva y larga";
  const reset = { code: await newestCode(service, email), password };
  await home.post(`/password-resets/${body.reset.reset_id}`, reset);
  expect((await home.signIn(email, password)).status).toBe(201);
  const refused = [
    await home.post("/people/invitations", asked),
    await home.send("PATCH", `/people/${member.personId}`, { role: "administrator", location_ids: null }),
    await home.post("/roles", { name: "Otro", rights: ["sales:read"] }),
  ];
  for (const answer of refused) {
    expect([answer.status, answer.body.error.code]).toEqual([403, "FROZEN"]);
    expect(answer.body.error.message).not.toContain("otro dueño");
  }
  const less = { role: "accountant", location_ids: null };
  expect((await home.send("PATCH", `/people/${lowered.personId}`, less)).status).toBe(204);
  expect((await home.send("DELETE", `/people/${member.personId}`)).status).toBe(204);
  await addMember(service, accountId, "owner");
  expect((await home.post("/people/invitations", asked)).body.error.message).toContain("otro dueño");
});

test("a role that permits more than before is told to owners and to whoever holds it, and taken back", async () => {
  const { accountId, email, home } = await owner();
  const witness = await addMember(service, accountId, "owner");
  const made = await home.post("/roles", { name: "Bodeguero", rights: ["stock:read"] });
  const path = `/roles/${made.body.id}`;
  const permit = (rights: string[]) => home.send("PUT", path, { name: "Bodeguero", rights });
  const isTold = async (address: string) =>
    (await mailsTo(service, address)).some(({ subject }) => /un rol permite más/.test(subject));
  expect((await permit(["stock:read", "sales:read"])).status).toBe(200);
  expect(await isTold(witness.email), "nobody holds it").toBe(false);
  const holder = await addMember(service, accountId, { custom: made.body.id });
  expect((await permit(["stock:read"])).status).toBe(200);
  expect(await isTold(witness.email), "it permits less").toBe(false);
  expect((await permit(["stock:read", "people"])).status).toBe(200);
  expect((await toldBy(holder.email, /un rol permite más/)).token, "only an owner takes it back").toBe("");
  expect(await isTold(email)).toBe(true);
  const told = await toldBy(witness.email, /un rol permite más/);
  expect(told.text).toContain("Bodeguero");
  expect((await object(told.token)).status).toBe(200);
  await home.signIn(email);
  const { roles } = (await home.get("/people")).body;
  expect(roles.find(({ id }: { id: string }) => id === made.body.id).rights).toEqual(["stock:read"]);
});

test("whoever was removed takes nothing of the business back, and her link is not used up for the others", async () => {
  const { accountId, email, home } = await owner();
  const second = await addMember(service, accountId, "owner");
  const accomplice = await addMember(service, accountId, "owner");
  expect((await home.send("DELETE", `/people/${accomplice.personId}`)).status).toBe(204);
  const { token } = await toldBy(second.email, /se retiró a una persona/);
  expect((await home.send("DELETE", `/people/${second.personId}`)).status).toBe(204);
  expect((await object(token)).status).toBe(410);
  expect(await standing(accountId, accomplice.personId)).toBeUndefined();
  expect((await home.get("/people")).status, "her session goes on").toBe(200);
  const invitation = { email: "otra@example.com", role: "manager", location_ids: null };
  expect((await home.post("/people/invitations", invitation)).status, "nothing is frozen").toBe(201);
  const told = await mailsTo(service, email);
  expect(told.filter(({ subject }) => /se deshizo/.test(subject))).toEqual([]);
});

test("whoever was removed, or may less than before, does not bring back with her own link whom she removed", async () => {
  const { accountId, home } = await owner();
  const made = await home.post("/roles", { name: "Jefe", rights: ["people", "sales:read"] });
  expect(made.status, made.text).toBe(201);
  const removed = async (fate: (personId: string) => Promise<unknown>) => {
    const [manager, other] = [
      await addMember(service, accountId, { custom: made.body.id }),
      await addMember(service, accountId, { custom: made.body.id }),
    ];
    const door = openDoor(service);
    await door.signIn(manager.email);
    expect((await door.send("DELETE", `/people/${other.personId}`)).status).toBe(204);
    const { token } = await toldBy(manager.email, /se retiró a una persona/);
    await fate(manager.personId);
    const { status } = await object(token);
    return {
      status,
      back: await standing(accountId, other.personId),
      signsIn: (await door.signIn(manager.email)).status,
    };
  };
  const gone = await removed((id) => home.send("DELETE", `/people/${id}`));
  expect(gone).toMatchObject({ status: 410, back: undefined });
  const lowered = await removed((id) =>
    home.send("PATCH", `/people/${id}`, { role: "accountant", location_ids: null }),
  );
  expect(lowered, "her password stops working all the same").toEqual({ status: 200, back: undefined, signsIn: 401 });
});

test("whoever was removed still ends her own sessions with the link about her own person", async () => {
  const { accountId, email, home } = await owner();
  const member = await addMember(service, accountId, "manager");
  await openDoor(service).signIn(member.email);
  await openDoor(service, { address: "203.0.113.10" }).signIn(member.email);
  const { token } = await toldBy(member.email, /navegador nuevo/);
  expect((await home.send("DELETE", `/people/${member.personId}`)).status).toBe(204);
  expect((await object(token)).status).toBe(200);
  expect((await openDoor(service).signIn(member.email)).body.error.code).toBe("SIGN_IN_FAILED");
  const told = await mailsTo(service, email);
  expect(
    told.filter(({ subject }) => /se deshizo/.test(subject)),
    "it is not the business's",
  ).toEqual([]);
});

test("a run of wrong passwords is told once a day", async () => {
  const { email } = await owner();
  const guesser = openDoor(service, { address: "203.0.113.77" });
  for (let i = 0; i < 5; i++) await guesser.signIn(email, `no es esta ${i}`);
  const { text } = await toldBy(email, /contraseñas equivocadas/);
  expect(text).toContain("203.0.113.77");
  const others = openDoor(service, { address: "203.0.113.78" });
  for (let i = 0; i < 5; i++) await others.signIn(email, `tampoco ${i}`);
  expect((await mailsTo(service, email)).filter(({ subject }) => /contraseñas equivocadas/.test(subject))).toHaveLength(
    1,
  );
});

test("what another did says who it was and from where; she is told when it is taken back", async () => {
  const { accountId, email, home } = await owner();
  const admin = await addMember(service, accountId, "administrator", { name: "Rosa Marín" });
  const desk = openDoor(service, { address: "203.0.113.90" });
  await desk.signIn(admin.email);
  await makeKey(desk, admin.email);
  const { text, token } = await toldBy(email, /se creó una clave/);
  for (const word of ["Rosa Marín", "203.0.113.90"]) expect(text).toContain(word);
  const { data } = (await home.get("/notices")).body;
  expect(JSON.stringify(data)).toContain("Lo hizo: Rosa Marín");
  expect((await object(token)).status).toBe(200);
  expect((await desk.get("/account")).status).toBe(401);
  const undone = await toldBy(admin.email, /se deshizo/);
  for (const word of [email, "Durante 72 horas"]) expect(undone.text).toContain(word);
  await home.post("/people/invitations", { email: "nuevo@example.com", role: "accountant", location_ids: null });
  const other = await addMember(service, accountId, "owner");
  await home.send("PATCH", `/people/${admin.personId}`, { role: "owner", location_ids: null });
  expect((await toldBy(other.email, /puede más que antes/)).text).toContain(`Lo hizo`);
});

test("wrong passwords are counted and told to each person by herself, and Registro says as whom", async () => {
  const { accountId, email, home } = await owner();
  const [manager, accountant] = [
    await addMember(service, accountId, "manager"),
    await addMember(service, accountId, "accountant"),
  ];
  const guesser = openDoor(service, { address: "203.0.113.79" });
  for (let i = 0; i < 5; i++) await guesser.signIn(manager.email, `no es esta ${i}`);
  await toldBy(manager.email, /contraseñas equivocadas/);
  await guesser.signIn(accountant.email, "un error");
  const lines = async () =>
    (await home.get("/audit-log?action=session.failed")).body.data.map(
      ({ details, actor }: { details: { email: string; times?: number }; actor: string }) => [
        details.email,
        details.times ?? 1,
        actor,
      ],
    );
  await eventually(async () => (await lines()).length === 2);
  expect(await lines()).toEqual([
    [accountant.email, 1, "stranger"],
    [manager.email, 5, "stranger"],
  ]);
  for (const other of [accountant.email, email])
    expect((await mailsTo(service, other)).filter(({ subject }) => /contraseñas equivocadas/.test(subject))).toEqual(
      [],
    );
});

test.each(["at the door", "in an open session"])(
  "a run of wrong second steps %s is in Registro and told",
  async (where) => {
    const { email, home } = await owner();
    await enrolTotp(service, home);
    const guesser = openDoor(service, { address: "203.0.113.80" });
    const isInside = where === "in an open session";
    if (!isInside) expect((await guesser.signIn(email)).status).toBe(202);
    const guess = () =>
      isInside ? home.post("/step-up", { kind: "totp", code: "000000" }) : guesser.show("totp", "000000");
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push((await guess()).body.error.code);
    expect(answers).toEqual([...Array(5).fill("CODE_INCORRECT"), "SECOND_STEP_LOCKED"]);
    const { text, token } = await toldBy(email, /códigos equivocados/);
    expect(text).toContain("Intentos en la última hora: 5");
    if (!isInside) expect(text).toContain("203.0.113.80");
    const [line] = (await home.get("/audit-log?action=second_step.failed")).body.data;
    expect(line).toMatchObject({ actor: isInside ? "owner" : "stranger", details: { email, times: 5 } });
    expect((await object(token)).status).toBe(200);
    expect((await home.get("/account")).status).toBe(401);
  },
);

test("the bell has the same, counts what is new, and shows nobody another's", async () => {
  const { accountId, email, home } = await owner();
  const contador = await addMember(service, accountId, "accountant");
  await makeKey(home, email);
  const bell = (await home.get("/notices")).body;
  expect(bell.unread).toBe(1);
  expect(bell.data[0]).toMatchObject({ about: "doors", title: "Se creó una clave de API", is_new: true });
  expect(JSON.stringify(bell)).not.toContain("no-fui-yo");
  expect((await home.post("/notices/seen")).status).toBe(204);
  expect((await home.get("/notices")).body.unread).toBe(0);
  const other = openDoor(service);
  await other.signIn(contador.email);
  expect((await other.get("/notices")).body.data).toEqual([]);
});
