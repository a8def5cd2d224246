import { expect, test } from "vitest";
import { insertMembership } from "../../src/access/people/insert-member.ts";
import { resources } from "../../src/business/registry.ts";
import { sql } from "../../src/db/sql.ts";
import { day } from "../../src/lib/clock.ts";
import { purgeClosed } from "../../src/privacy/business/purge.ts";
import { takenAlong } from "../../src/privacy/business/taken-along.ts";
import { tableNames } from "../../src/privacy/tables.ts";
import { filesIn } from "../support/archive.ts";
import { advance } from "../support/fiscal.ts";
import { perTest } from "../support/fixtures.ts";
import { decideAll, openIssuing, sellAndDecide } from "../support/issuing.ts";
import { leftOut } from "../support/left-out.ts";
import { call, mailsTo, newestCode, openPortal, type Portal, password, passwordHash } from "../support/portal.ts";
import { startService } from "../support/service.ts";
import { meetZoraida } from "../support/zoraida.ts";

const service = perTest(() => startService());
const owner: Portal = perTest(() => openIssuing(service));

const close = (name: string) => owner.confirmed("/account/close", { name });
const nameOf = async () => (await owner.get("/account/closing")).body.name as string;

/** The tables that still have rows of a business. */
async function leftOf(accountId: string): Promise<string[]> {
  const { rows } = await service.deps.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const left: string[] = [];
  for (const { name } of rows) {
    const found = await service.deps.pool.query(`select 1 from ${name} where account_id = $1 limit 1`, [accountId]);
    if (found.rows.length > 0) left.push(name);
  }
  const account = await service.deps.pool.query(sql`select 1 from accounts where id = ${accountId}`);
  return account.rows.length > 0 ? [...left, "accounts"] : left;
}

test("all of a business is one file, a line for each record", async () => {
  await meetZoraida(service, owner.business);
  await sellAndDecide(service, owner.accountId, 5_000);
  const { bytes, headers } = await owner.download("/account/export.zip");
  expect(headers.get("content-type")).toBe("application/zip");
  const files = filesIn(bytes);
  const lines = (name: string) =>
    files[name]!.split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  expect(lines("customers.jsonl")).toHaveLength(2);
  expect(lines("sales.jsonl").length).toBeGreaterThan(1);
  expect(lines("documentos-contenido.jsonl")[0].content.lines).toBeDefined();
  expect(lines("registro-de-auditoria.jsonl").at(-1).action).toBe("account.export");
  const last = lines("registro-de-auditoria.jsonl").at(-1);
  expect(last).toMatchObject({ role: expect.any(String), remote_address: expect.any(String), seq: expect.any(Number) });
  expect(last.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(lines("miembros.jsonl")).toMatchObject([{ email: owner.email }]);
  expect(lines("cajas.jsonl").length).toBeGreaterThan(0);
  expect(lines("rangos.jsonl")[0]).toHaveProperty("location_id");
  expect(lines("perfil-fiscal.jsonl")[0].settings).toBeTypeOf("object");
  for (const { name } of takenAlong) expect(files["leame.txt"]).toContain(`- ${name}.jsonl: `);
  for (const secret of ["pin_hash", "password_hash", "token_hash", "software_pin", "technical_key", '"secret"'])
    expect(Object.values(files).join("")).not.toContain(secret);
});

test("every table is in the file of a business, or left out with a reason", () => {
  const inFile = new Set<string>([...resources, ...takenAlong].map(({ table }) => table));
  expect(tableNames.filter((name) => !inFile.has(name) && !leftOut[name])).toEqual([]);
  expect(tableNames.filter((name) => inFile.has(name) && leftOut[name])).toEqual([]);
});

test("a closed business sells, calls and signs in no more, and its owner reads when its data goes", async () => {
  const known = await meetZoraida(service, owner.business);
  const name = await nameOf();
  expect((await owner.post("/account/close", { name: "Otra" })).body.error.param).toBe("name");
  await service.deps.pool.query(sql`update accounts set password_hash = ${passwordHash} where id = ${owner.accountId}`);
  const { status, body } = await close(name);
  expect([status, typeof body.data_goes_at]).toEqual([201, "string"]);
  service.deps.access.clear();
  expect((await owner.business.api.get("/me")).body.error.code).toBe("ACCOUNT_INACTIVE");
  expect((await known.till.pull()).body.error.code).toBe("ACCOUNT_INACTIVE");
  expect((await owner.get("/account")).status).toBe(401);
  const back = await call(service, "POST", "/session", { email: owner.email, password });
  expect(back.body.error.message).toMatch(/se borran el \d{1,2} de [a-z]+ de 20\d\d\./);
});

test("whoever closes one of her two businesses goes on in the other, and is told what can still be done", async () => {
  const other = await openPortal(service);
  await insertMembership(
    service.deps.pool,
    { personId: owner.accountId, accountId: other.accountId, role: "owner", role_id: null, location_ids: null },
    service.deps.clock.now(),
  );
  const asked = await owner.post("/account/close", { name: await nameOf() });
  const code = await newestCode(service, owner.email);
  const closed = await owner.post(`/confirmations/${asked.body.confirmation_id}`, { code });
  expect(closed.status, closed.text).toBe(201);
  expect((await owner.get("/account")).status, "the old session ended").toBe(401);
  const [cookie = ""] = closed.headers.getSetCookie().map((one) => one.split(";")[0]);
  const there = await call(service, "GET", "/session", undefined, { cookie });
  expect([there.status, there.body.account?.id]).toEqual([200, other.accountId]);
  const [mail] = (await mailsTo(service, owner.email)).filter(({ subject }) => /se cerró su negocio/.test(subject));
  expect(mail?.text).toContain("a quien opera el servicio");
  expect(mail?.text).not.toContain("deshaga el cambio");
});

test("when the term is over its data goes, however often that is interrupted, and no other business's", async () => {
  await meetZoraida(service, owner.business);
  const neighbour = await openPortal(service);
  await meetZoraida(service, neighbour.business);
  await decideAll(service);
  // The log of requests is written after their answers: whether it has the neighbour's yet, is a matter of a second.
  const keptBy = async (accountId: string) => (await leftOf(accountId)).filter((name) => name !== "request_log");
  const before = await keptBy(neighbour.accountId);
  await close(await nameOf());
  const now = () => service.deps.clock.now();
  expect(await purgeClosed(service.deps, now())).toBe(0);
  advance(service, 31 * day);
  const { pool } = service.deps;
  for (let tries = 3; ; tries += 7) {
    let left = tries;
    const query = pool.query.bind(pool);
    const failing = Object.assign(Object.create(pool) as typeof pool, {
      query: (...args: Parameters<typeof query>) => {
        if (left-- === 0) throw new Error("killed");
        return query(...args);
      },
    });
    const gone = await purgeClosed({ pool: failing }, now()).catch(() => "killed");
    if (gone !== "killed") break;
  }
  expect(await leftOf(owner.accountId)).toEqual(["closed_accounts"]);
  expect(await keptBy(neighbour.accountId)).toEqual(before);
  expect(await purgeClosed(service.deps, now())).toBe(0);
});

test("opened again by the operator before its term, nothing of it goes", async () => {
  const { setAccount } = await import("../../src/access/accounts/set-account.ts");
  await close(await nameOf());
  await setAccount(service.deps, owner.accountId, { active: true });
  advance(service, 31 * day);
  expect(await purgeClosed(service.deps, service.deps.clock.now())).toBe(0);
  expect(await leftOf(owner.accountId)).toContain("accounts");
});
