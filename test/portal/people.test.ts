import { describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { hour } from "../../src/lib/clock.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { sharedService } from "../support/fixtures.ts";
import { addMember, enterAs } from "../support/people.ts";
import { call, mailsTo, openPortal, type Portal, password, portalOf } from "../support/portal.ts";

const service = sharedService();
const everywhere = { location_ids: null };
let next = 0;
const newAddress = () => `invitada-${next++}-${uuidv7(service.deps.clock.now())}@example.com`;

async function invited(by: Portal, email: string, role = "accountant"): Promise<string> {
  const answer = await by.post("/people/invitations", { email, role, ...everywhere });
  expect(answer.status, answer.text).toBe(201);
  return linkIn(email);
}

async function linkIn(email: string): Promise<string> {
  const [mail] = await mailsTo(service, email);
  return /\/invitacion#([\w-]+)/.exec(mail!.text)![1]!;
}

const accept = (token: string, more: object = {}) =>
  call(service, "POST", "/invitations/accept", { token, name: "Luz Marina", password: "lluvia sobre tejas", ...more });

const peopleOf = async (owner: Portal) => (await owner.get("/people")).body;

describe("an invitation", () => {
  test("says who invites to what, makes a new person a member, and opens her session in that business", async () => {
    const owner = await openPortal(service);
    const email = newAddress();
    const token = await invited(owner, email);
    const [mail] = await mailsTo(service, email);
    expect(mail!.text).toContain("Su rol: Contador");
    const look = await call(service, "POST", "/invitation-looks", { token });
    expect(look.body).toEqual({ business: "Tienda de prueba", email, role: "Contador", is_known: false });
    const accepted = await accept(token);
    expect(accepted.status, accepted.text).toBe(204);
    const [cookie] = accepted.headers.getSetCookie();
    const member = portalOf(service, owner.business, { token: /=([^;]+)/.exec(cookie!)![1]!, email });
    expect((await member.get("/session")).body).toMatchObject({
      account: { id: owner.accountId },
      person: { name: "Luz Marina", email },
      role: { kind: "accountant", title: "Contador" },
    });
    const { data, invitations } = await peopleOf(owner);
    expect(data.map((one: { email: string }) => one.email)).toEqual([owner.email, email]);
    expect(invitations).toEqual([]);
  });

  test("is accepted by somebody known with her own password, who then belongs to both businesses", async () => {
    const [owner, other] = [await openPortal(service), await openPortal(service)];
    const token = await invited(owner, other.email, "administrator");
    expect((await accept(token)).body.error.code).toBe("SIGN_IN_FAILED");
    expect((await accept(token, { password })).status).toBe(204);
    const { body } = await other.get("/session");
    expect(body.businesses).toHaveLength(2);
    expect(body.account.id).toBe(other.accountId);
  });

  test("serves once, also when it is accepted twice at the same moment", async () => {
    const owner = await openPortal(service);
    const token = await invited(owner, newAddress());
    const answers = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await peopleOf(owner)).data).toHaveLength(2);
    expect((await accept(token)).body.error.code).toBe("INVITATION_EXPIRED");
  });

  test("ends after 72 hours, when it is withdrawn, and when another one is sent to the address", async () => {
    const owner = await openPortal(service);
    const first = newAddress();
    const replaced = await invited(owner, first);
    const late = await invited(owner, first);
    expect((await accept(replaced)).status).toBe(410);
    const withdrawn = await invited(owner, newAddress());
    const { invitations } = await peopleOf(owner);
    expect((await owner.delete(`/people/invitations/${invitations[0].id}`)).status).toBe(204);
    expect((await accept(withdrawn)).status).toBe(410);
    const offset = service.deps.clock.offsetMs();
    service.deps.clock.shiftTo(offset + 72 * hour + 1000);
    expect((await accept(late)).status).toBe(410);
    service.deps.clock.shiftTo(offset);
  });

  test("is not made for a member, and its mails are limited", async () => {
    const owner = await openPortal(service);
    const { email } = await addMember(service, owner.accountId, "manager");
    const again = await owner.post("/people/invitations", { email, role: "accountant", ...everywhere });
    expect(again).toMatchObject({ status: 400, body: { error: { param: "email" } } });
    const answers = [];
    for (let i = 0; i < 21; i++)
      answers.push(await owner.post("/people/invitations", { email: newAddress(), role: "manager", ...everywhere }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const { status, body } = answers.at(-1)!;
    expect([status, body.error.code, body.error.param]).toEqual([409, "TOO_MANY_INVITATIONS", undefined]);
    expect(body.error.message).toContain("20 invitaciones");
  });

  test("does not fill a stranger's mailbox: a few a day from one business, and from all of them together", async () => {
    const owner = await openPortal(service);
    const email = newAddress();
    const inviteTo = async (portal: typeof owner, address = email) =>
      portal.post("/people/invitations", { email: address, role: "manager", ...everywhere });
    for (let i = 0; i < 3; i++) expect((await inviteTo(owner, i === 1 ? email.toUpperCase() : email)).status).toBe(201);
    const refused = await inviteTo(owner);
    expect([refused.status, refused.body.error.param], refused.text).toEqual([429, undefined]);
    expect(refused.body.error.message).toContain("sirve durante 72 horas");
    expect((await inviteTo(owner, newAddress())).status, "another address").toBe(201);
    const answers = [];
    for (let i = 0; i < 3; i++) {
      const other = await openPortal(service);
      for (let j = 0; j < 3; j++) answers.push((await inviteTo(other)).status);
    }
    expect(answers).toEqual([201, 201, 201, 201, 201, 201, 201, 429, 429]);
  });

  test("of another business cannot be withdrawn, nor its people be changed or removed", async () => {
    const [owner, stranger] = [await openPortal(service), await openPortal(service)];
    await invited(owner, newAddress());
    const { personId } = await addMember(service, owner.accountId, "manager");
    const { invitations } = await peopleOf(owner);
    expect((await stranger.delete(`/people/invitations/${invitations[0].id}`)).status).toBe(404);
    expect((await stranger.patch(`/people/${personId}`, { role: "owner", ...everywhere })).status).toBe(404);
    expect((await stranger.delete(`/people/${personId}`)).status).toBe(404);
    expect((await stranger.delete(`/people/${owner.accountId}`)).status).toBe(404);
    expect((await peopleOf(owner)).data).toHaveLength(2);
  });
});

describe("whoever is removed", () => {
  test("is out with the next request, in every browser, and stays in her other businesses", async () => {
    const [owner, other] = [await openPortal(service), await openPortal(service)];
    const member = await enterAs(service, owner.business, "manager");
    const now = service.deps.clock.now();
    await service.deps.pool.query(sql`
      insert into memberships (person_id, account_id, role, created_at, updated_at)
      values (${member.personId}, ${other.accountId}, 'accountant', ${now}, ${now})`);
    expect((await owner.delete(`/people/${member.personId}`)).status).toBe(204);
    expect((await member.get("/session")).status).toBe(401);
    const signedIn = await call(service, "POST", "/session", { email: member.email, password });
    expect(signedIn.body.account.id).toBe(other.accountId);
  });

  test("leaves by herself too, but for the last owner, who can be neither removed nor lowered", async () => {
    const owner = await openPortal(service);
    const member = await enterAs(service, owner.business, "developer");
    expect((await member.delete("/membership")).status).toBe(204);
    expect((await member.get("/session")).status).toBe(401);
    const lowered = await owner.patch(`/people/${owner.accountId}`, { role: "manager", ...everywhere });
    for (const refused of [
      lowered,
      await owner.delete("/membership"),
      await owner.delete(`/people/${owner.accountId}`),
    ])
      expect(refused).toMatchObject({ status: 409, body: { error: { code: "LAST_OWNER" } } });
  });

  test("two owners who remove each other at the same moment leave one", async () => {
    const first = await openPortal(service);
    const second = await enterAs(service, first.business, "owner");
    const answers = await Promise.all([
      first.delete(`/people/${second.personId}`),
      second.delete(`/people/${first.accountId}`),
    ]);
    expect(answers.map(({ status }) => status).toSorted()[0]).toBe(204);
    const { rows } = await service.deps.pool.query(sql`
      select from memberships where account_id = ${first.accountId} and role = 'owner'`);
    expect(rows).toHaveLength(1);
  });

  test("as the one whom the account was opened for, leaves nothing there that a former process would let in", async () => {
    const founder = await openPortal(service);
    const heir = await enterAs(service, founder.business, "owner");
    expect((await heir.delete(`/people/${founder.accountId}`)).status).toBe(204);
    expect((await founder.get("/session")).status).toBe(401);
    const { rows } = await service.deps.pool.query(sql`
      select email, password_hash from accounts where id = ${founder.accountId}`);
    expect(rows).toEqual([{ email: `${founder.accountId}@former.invalid`, password_hash: "none" }]);
    const back = await call(service, "POST", "/session", { email: founder.email, password });
    expect(back.body.error.code).toBe("NO_BUSINESS");
    const { rows: mails } = await service.deps.pool.query(sql`select email from people where id = ${heir.personId}`);
    expect(mails).toEqual([{ email: heir.email }]);
  });
});

test("an owner of some sedes is refused, invited or changed", async () => {
  const owner = await openPortal(service);
  const [sede] = (await owner.get("/locations")).body.data;
  const asked = { role: "owner", location_ids: [sede.id] };
  const member = await enterAs(service, owner.business, "manager");
  const refused = [
    await owner.post("/people/invitations", { email: newAddress(), ...asked }),
    await owner.patch(`/people/${member.personId}`, asked),
  ];
  for (const { status, body } of refused)
    expect([status, body.error.param, body.error.message]).toEqual([
      400,
      "location_ids",
      expect.stringContaining("dueño"),
    ]);
});

describe("a role of the business's own", () => {
  test("is made of the table's rights, and an edit counts at once for whoever is signed in with it", async () => {
    const owner = await openPortal(service);
    const { body: role } = await owner.post("/roles", { name: "Bodeguero", rights: ["stock:read"] });
    const member = await enterAs(service, owner.business, { custom: role.id });
    expect((await member.get("/session")).body.role).toEqual({ kind: "custom", title: "Bodeguero" });
    expect((await member.get("/stock-movements")).status).toBe(200);
    expect((await member.get("/sales")).body.error.message).toContain("(Bodeguero) no puede ver las ventas");
    await owner.put(`/roles/${role.id}`, { name: "Bodeguero", rights: ["sales:read"] });
    expect([(await member.get("/stock-movements")).status, (await member.get("/sales")).status]).toEqual([403, 200]);
    expect((await owner.delete(`/roles/${role.id}`)).body.error.code).toBe("ROLE_IN_USE");
    await owner.patch(`/people/${member.personId}`, { role: "developer", ...everywhere });
    expect((await owner.delete(`/roles/${role.id}`)).status).toBe(204);
  });

  test("that manages people makes nobody an owner, nor touches one, nor gives what it has not", async () => {
    const owner = await openPortal(service);
    const { body: role } = await owner.post("/roles", { name: "Recursos", rights: ["people", "sales:read"] });
    const member = await enterAs(service, owner.business, { custom: role.id });
    const refused = [
      await member.post("/people/invitations", { email: newAddress(), role: "owner", ...everywhere }),
      await member.post("/people/invitations", { email: newAddress(), role: "manager", ...everywhere }),
      await member.patch(`/people/${member.personId}`, { role: "owner", ...everywhere }),
      await member.patch(`/people/${owner.accountId}`, { role: role.id, ...everywhere }),
      await member.delete(`/people/${owner.accountId}`),
      await member.put(`/roles/${role.id}`, { name: "Recursos", rights: ["people", "security"] }),
      await member.post("/roles", { name: "Otro", rights: ["fiscal"] }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await member.post("/roles", { name: "Vendedor", rights: ["sales:read"] })).status).toBe(201);
  });

  test("of another business is nobody's here, and a name is not taken twice", async () => {
    const [owner, stranger] = [await openPortal(service), await openPortal(service)];
    const { body: role } = await stranger.post("/roles", { name: "Ajeno", rights: ["sales:read"] });
    const invitation = { email: newAddress(), role: role.id, ...everywhere };
    expect((await owner.post("/people/invitations", invitation)).status).toBe(404);
    expect((await owner.put(`/roles/${role.id}`, { name: "Mío", rights: ["people"] })).status).toBe(404);
    expect((await owner.delete(`/roles/${role.id}`)).status).toBe(404);
    await enterAs(service, stranger.business, { custom: role.id });
    expect((await owner.delete(`/roles/${role.id}`)).status, "whether it is in use is not told").toBe(404);
    await owner.post("/roles", { name: "Cajero jefe", rights: ["sales:read"] });
    for (const name of ["cajero JEFE", "Dueño"])
      expect((await owner.post("/roles", { name, rights: ["sales:read"] })).status).toBe(400);
  });
});

test("a code goes to whoever acts, the notice to the owner as well, and a right that was lost meanwhile counts", async () => {
  const owner = await openPortal(service);
  const developer = await enterAs(service, owner.business, "developer");
  const key = { name: "Tienda en línea", scopes: ["events:read"], expires_at: null };
  const done = await developer.confirmed("/api-keys", key);
  expect(done.status, done.text).toBe(201);
  expect((await mailsTo(service, owner.email)).map(({ subject }) => subject)).toEqual([
    "Aviso de seguridad: se creó una clave de API",
  ]);
  expect((await mailsTo(service, developer.email)).map(({ subject }) => subject)).toHaveLength(2);
  const asked = await developer.post("/api-keys", { ...key, name: "Otra" });
  await owner.patch(`/people/${developer.personId}`, { role: "accountant", ...everywhere });
  const late = await developer.post(`/confirmations/${asked.body.confirmation_id}`, { code: await developer.code() });
  expect(late).toMatchObject({ status: 403, body: { error: { code: "INSUFFICIENT_RIGHTS" } } });
});

test("a person's password, address and sessions are hers alone", async () => {
  const owner = await openPortal(service);
  const member = await enterAs(service, owner.business, "manager");
  const changed = await member.post("/account/password", {
    current_password: password,
    new_password: "tejas rojas y lluvia",
  });
  expect(changed.status).toBe(204);
  expect((await call(service, "POST", "/session", { email: owner.email, password })).status).toBe(201);
  expect((await call(service, "POST", "/session", { email: member.email, password })).status).toBe(401);
  const { body: own } = await owner.get("/sessions");
  expect((await member.delete(`/sessions/${own.data[0].id}`)).status).toBe(404);
  expect((await member.get("/sessions")).body.data).toHaveLength(1);
  expect((await mailsTo(service, owner.email)).map(({ subject }) => subject)).toEqual([]);
});
