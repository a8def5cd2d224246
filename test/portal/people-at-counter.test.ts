import { describe, expect, test } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { followEverywhere } from "../../src/access/people/follow-at-counter.ts";
import { makeOwner } from "../../src/access/people/make-owner.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { sql } from "../../src/db/sql.ts";
import { verifiedService } from "../support/fixtures.ts";
import { addMember, enterAs } from "../support/people.ts";
import { call, mailsTo, openPortal, type Portal } from "../support/portal.ts";
import { enrol } from "../support/register.ts";

const service = verifiedService();
const everything = 13;

interface Known {
  id: string;
  name: string;
  permissions: string[];
  rights: string[];
}

/** What a register of the business knows of its cashiers, by name. */
async function register(owner: Portal, capabilities = ["business.down.1"]) {
  const till = await enrol(service, owner.accountId, { capabilities });
  const known = new Map<string, Known>();
  let cursor = "";
  return async () => {
    const { body: page } = await till.pull(`?limit=500${cursor && `&cursor=${cursor}`}`);
    cursor = page.cursor;
    for (const { type, id, deleted, data } of page.changes) {
      if (type !== "cashier") continue;
      if (deleted) known.delete(id);
      else known.set(id, data as Known);
    }
    return [...known.values()];
  };
}

const cashiersOf = async (portal: Portal) => (await portal.get("/cashiers")).body;
const attend = (portal: Portal, person_id: string, pin = "4321") => portal.post("/cashiers/people", { person_id, pin });

describe("a person of the business", () => {
  test("attends at the registers with a PIN and what her role says, without being typed again", async () => {
    const owner = await openPortal(service);
    const { personId } = await addMember(service, owner.accountId, "manager", { name: "Luz Marina" });
    const till = await register(owner);
    const before = await cashiersOf(owner);
    expect(before.people.map(({ name }: Known) => name)).toContain("Luz Marina");
    const added = await attend(owner, personId);
    expect(added.status, added.text).toBe(204);
    const [luz] = await till();
    expect(luz).toMatchObject({ name: "Luz Marina", permissions: ["discount", "cancel", "return", "drawer"] });
    expect([...luz!.permissions, ...luz!.rights]).toHaveLength(everything);
    expect(Object.keys(luz!).toSorted(), "what registers of before read, and nothing else").toEqual([
      "id",
      "name",
      "permissions",
      "pin_hash",
      "rights",
    ]);
    const after = await cashiersOf(owner);
    expect(after.data).toMatchObject([{ name: "Luz Marina", person_id: personId, location_ids: null }]);
    expect(after.people.map(({ id }: Known) => id)).not.toContain(personId);
    expect((await attend(owner, personId, "8765")).body.error.param).toBe("person_id");
  });

  test("who is removed, or whose role attends no more, is gone at the registers with that", async () => {
    const owner = await openPortal(service);
    const till = await register(owner);
    for (const end of [
      (id: string) => owner.delete(`/people/${id}`),
      (id: string) => owner.patch(`/people/${id}`, { role: "accountant", location_ids: null }),
    ]) {
      const { personId } = await addMember(service, owner.accountId, "manager", { name: "Camila" });
      await attend(owner, personId);
      expect((await till()).map(({ name }) => name)).toEqual(["Camila"]);
      expect((await end(personId)).status).toBe(204);
      expect(await till()).toEqual([]);
      expect((await cashiersOf(owner)).data).toEqual([]);
    }
  });

  test("whose role attends again comes back with her PIN, unless she was taken off the registers herself", async () => {
    const owner = await openPortal(service);
    const made = await owner.post("/roles", { name: "Mesera", rights: ["counter", "sales:read"] });
    expect(made.status, made.text).toBe(201);
    const permit = async (rights: string[]) => {
      service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 1000);
      const saved = await owner.put(`/roles/${made.body.id}`, { name: "Mesera", rights });
      expect(saved.status, saved.text).toBe(200);
    };
    const { personId } = await addMember(service, owner.accountId, { custom: made.body.id }, { name: "Luz" });
    expect((await attend(owner, personId)).status).toBe(204);
    const till = await register(owner);
    const [luz] = await till();
    await permit(["sales:read"]);
    expect(await till()).toEqual([]);
    await permit(["counter", "sales:read"]);
    expect(await till(), "the same cashier with the same PIN").toEqual([luz]);
    await owner.delete(`/cashiers/${luz!.id}`);
    expect(await till()).toEqual([]);
    await permit(["sales:read"]);
    await permit(["counter", "sales:read"]);
    expect(await till()).toEqual([]);
  });

  test("follows her role, her sedes and her name, and is changed nowhere else", async () => {
    const owner = await openPortal(service);
    const norte = (await owner.post("/locations", { name: "Norte" })).body.id as string;
    const rights = ["counter", "counter:discount", "counter:stock", "sales:read"];
    const { body: role } = await owner.post("/roles", { name: "Cajera", rights });
    const member = await enterAs(service, owner.business, { custom: role.id }, { name: "Ana" });
    await attend(owner, member.personId);
    const till = await register(owner);
    const [ana] = await till();
    expect(ana).toMatchObject({ name: "Ana", permissions: ["discount"], rights: ["stock"] });
    await owner.put(`/roles/${role.id}`, { name: "Cajera", rights: ["counter", "counter:cancel"] });
    expect(await till()).toMatchObject([{ permissions: ["cancel"], rights: [] }]);
    await member.patch("/person", { name: "Ana Lucía" });
    expect(await till()).toMatchObject([{ name: "Ana Lucía" }]);
    for (const change of [{ name: "Otra" }, { permissions: ["drawer"] }, { location_ids: [norte] }]) {
      const refused = await owner.patch(`/cashiers/${ana!.id}`, change);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining("los de su rol")]);
    }
    expect((await owner.patch(`/cashiers/${ana!.id}`, { pin: "55555" })).status).toBe(204);
    await owner.patch(`/people/${member.personId}`, { role: role.id, location_ids: [norte] });
    expect(await till(), "her sede is another one").toEqual([]);
    expect((await cashiersOf(owner)).data).toMatchObject([{ location_ids: [norte] }]);
  });

  test("who was typed as a cashier before becomes one with herself, with the PIN and the sales that she has", async () => {
    const owner = await openPortal(service);
    const typed = (await owner.post("/cashiers", { name: "luz", pin: "2468", permissions: ["drawer"] })).body;
    const { personId } = await addMember(service, owner.accountId, "manager", { name: "Luz Marina" });
    const hash = () =>
      service.deps.pool.query(sql`select id, pin_hash from cashiers where account_id = ${owner.accountId}`);
    const { rows: before } = await hash();
    const joined = await owner.post("/cashiers/people", { person_id: personId, cashier_id: typed.id });
    expect(joined.status, joined.text).toBe(204);
    expect((await hash()).rows).toEqual(before);
    const { data, people } = await cashiersOf(owner);
    expect(data).toMatchObject([{ id: typed.id, name: "Luz Marina", person_id: personId }]);
    expect(data[0].permissions).toHaveLength(everything);
    expect(people.map(({ id }: Known) => id)).not.toContain(personId);
  });

  test("sets her own PIN, and nobody's who may do more at the counter or works elsewhere", async () => {
    const owner = await openPortal(service);
    const norte = (await owner.post("/locations", { name: "Norte" })).body.id as string;
    const manager = await enterAs(service, owner.business, "manager", { name: "Luz", locationIds: [norte] });
    const { body: role } = await owner.post("/roles", { name: "Turnos", rights: ["cashiers", "counter"] });
    const keeper = await enterAs(service, owner.business, { custom: role.id }, { name: "Eva" });
    expect((await manager.put("/person/pin", { pin: "1357" })).status).toBe(204);
    expect((await manager.put("/person/pin", { pin: "13579" })).status).toBe(204);
    expect((await cashiersOf(owner)).data).toMatchObject([{ name: "Luz", person_id: manager.personId }]);
    const [luz] = (await cashiersOf(owner)).data;
    for (const refused of [
      await keeper.patch(`/cashiers/${luz.id}`, { pin: "9999" }),
      await attend(keeper, owner.accountId),
      await attend(manager, owner.accountId),
    ])
      expect([refused.status, refused.body.error.code]).toEqual([403, "INSUFFICIENT_RIGHTS"]);
    expect((await cashiersOf(keeper)).people.map(({ name }: Known) => name)).toEqual(["Eva"]);
    const accountant = await enterAs(service, owner.business, "accountant");
    expect((await accountant.put("/person/pin", { pin: "8642" })).status).toBe(403);
    expect((await attend(owner, accountant.personId)).status, "her role attends at no register").toBe(404);
    expect((await attend(owner, (await openPortal(service)).accountId)).status, "of another business").toBe(404);
  });

  test("does not go where somebody has her PIN", async () => {
    const owner = await openPortal(service);
    const norte = (await owner.post("/locations", { name: "Norte" })).body.id as string;
    const there = { name: "Yesenia", pin: "2222", permissions: [], location_ids: [norte] };
    await owner.post("/cashiers", there);
    const { personId } = await addMember(service, owner.accountId, "manager", { locationIds: [owner.accountId] });
    expect((await attend(owner, personId, "2222")).status).toBe(204);
    const moved = await owner.patch(`/people/${personId}`, { role: "manager", location_ids: [norte] });
    expect([moved.status, moved.body.error.param]).toEqual([400, "location_ids"]);
    const again = await owner.patch(`/people/${personId}`, { role: "manager", location_ids: [owner.accountId] });
    expect(again.status).toBe(204);
  });

  test("who is brought back by «no fui yo» attends again, with her PIN", async () => {
    const owner = await openPortal(service);
    const till = await register(owner);
    const { personId } = await addMember(service, owner.accountId, "manager", { name: "Camila" });
    await attend(owner, personId);
    const [before] = await till();
    await owner.delete(`/people/${personId}`);
    expect(await till()).toEqual([]);
    const [mail] = await mailsTo(service, owner.email);
    const token = /no-fui-yo#([\w-]+)/.exec(mail!.text)![1]!;
    expect((await call(service, "POST", "/objections", { token })).status).toBe(200);
    expect(await till()).toEqual([before]);
  });
});

test("whoever a process of the version before removed or raised is followed by housekeeping", async () => {
  const owner = await openPortal(service);
  const till = await register(owner);
  const [left, raised] = [
    await addMember(service, owner.accountId, "manager", { name: "Se fue" }),
    await addMember(service, owner.accountId, "manager", { name: "Queda" }),
  ];
  await attend(owner, left.personId);
  await attend(owner, raised.personId, "8765");
  expect(await till()).toHaveLength(2);
  expect(await followEverywhere(service.deps)).toBe(0);
  const later = new Date(service.deps.clock.now().getTime() + 1000);
  await service.deps.pool.query(sql`delete from memberships where person_id = ${left.personId}`);
  await service.deps.pool.query(sql`
    update memberships set role = 'accountant', updated_at = ${later} where person_id = ${raised.personId}`);
  expect(await followEverywhere(service.deps)).toBe(1);
  expect(await till()).toEqual([]);
  expect(await followEverywhere(service.deps)).toBe(0);
});

test("an operator's word and a name without a person leave the others as they are", async () => {
  const owner = await openPortal(service);
  const input = { name: "Ana", pin: "4321", permissions: ["discount" as const] };
  await createCashier(service.deps, owner.accountId, input, theOperator);
  const { email, personId } = await addMember(service, owner.accountId, "manager", { email: "sin-nombre@example.com" });
  await attend(owner, personId, "8765");
  expect(await makeOwner(service.deps, owner.accountId, email)).toBe(true);
  const { data } = await cashiersOf(owner);
  expect(data.map(({ name, permissions }: Known) => [name, permissions.length])).toEqual([
    ["Ana", 1],
    ["sin-nombre", everything],
  ]);
});
