import { describe, expect, test } from "vitest";
import { forgetAudit, recordAudit, redactAudit, theService } from "../../src/access/accounts/record-audit.ts";
import { recordFailedSignIn } from "../../src/access/people/record-failed-sign-in.ts";
import { sql } from "../../src/db/sql.ts";
import { transaction } from "../../src/db/transaction.ts";
import { hour } from "../../src/lib/clock.ts";
import { fillOnce } from "../../src/operations/fills/fill.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { eventually } from "../support/eventually.ts";
import { sharedService } from "../support/fixtures.ts";
import { openPortal, type Portal } from "../support/portal.ts";

const service = sharedService();

// Each test's tampering is its own account's: verify names all of them.
/** An owner with six entries: the account's first one, its key's, and four names. */
async function ownerWithEntries(): Promise<Portal> {
  const owner = await openPortal(service);
  for (const name of ["Uno", "Dos", "Tres", "Cuatro"])
    expect((await owner.patch("/account", { name })).status).toBe(200);
  return owner;
}

async function problemsOf({ accountId }: Portal): Promise<string[]> {
  const { problems } = await verify(service.deps.pool);
  const own = problems.filter((problem) => problem.includes(accountId));
  return own.map((problem) => problem.replace(`registro de actividad de la cuenta ${accountId}: `, ""));
}

const run = (text: string, ...values: unknown[]) => service.deps.pool.query(text, values);
const countOf = async ({ accountId }: Portal) =>
  (await run("select count(*) from audit_log where account_id = $1", accountId)).rows[0].count as number;

describe("mostrador verify names", () => {
  const tampered: [what: string, statement: string, expected: (last: number) => RegExp[]][] = [
    [
      "an entry whose details were changed",
      `update audit_log set details = '{"name":"Otro"}' where account_id = $1 and seq = 3`,
      () => [/^la línea 3 \(account\.renamed, .*\) fue cambiada$/],
    ],
    [
      "an entry with another hour",
      "update audit_log set created_at = created_at - interval '1 hour' where account_id = $1 and seq = 3",
      () => [/^la línea 3 .* fue cambiada$/],
    ],
    [
      "an entry of which somebody else is said to be the cause",
      "update audit_log set person_name = 'Ana', role = 'dueño' where account_id = $1 and seq = 3",
      () => [/^la línea 3 .* fue cambiada$/],
    ],
    [
      "an entry that is gone from the middle",
      "delete from audit_log where account_id = $1 and seq = 3",
      () => [/^falta la línea 3$/],
    ],
    [
      "an entry that is gone from the middle, the later ones moved up",
      `with gone as (delete from audit_log where account_id = $1 and seq = 3)
        update audit_log set seq = -(seq - 1) where account_id = $1 and seq > 3`,
      (last) => [...changed(3, last - 1), /^falta la línea \d+, al final$/],
    ],
    [
      "the last ones, when they are gone",
      "delete from audit_log where account_id = $1 and seq > (select count - 2 from audit_heads where account_id = $1)",
      (last) => [new RegExp(`^faltan las líneas ${last - 1} a ${last}, al final$`)],
    ],
    [
      "all of them, when they are gone",
      "delete from audit_log where account_id = $1",
      (last) => [new RegExp(`^faltan las líneas 1 a ${last}, al final$`)],
    ],
    [
      "all of them, when they are gone with the end of their chain",
      "with gone as (delete from audit_log where account_id = $1) delete from audit_heads where account_id = $1",
      () => [/falta el final de la cadena/],
    ],
    [
      "an entry that was put in without a number",
      `insert into audit_log (account_id, created_at, id, action, details)
        values ($1, now(), '018f0000-0000-7000-8000-000000000001', 'account.renamed', '{}')`,
      () => [/^la línea 018f0000-0000-7000-8000-000000000001 no tiene número/],
    ],
    [
      "an entry that was put in at the end",
      `insert into audit_log (account_id, created_at, id, action, details, seq, previous, hash)
        select $1, now(), gen_random_uuid(), 'account.renamed', '{}', count + 1, hash, sha256('x') from audit_heads where account_id = $1`,
      (last) => [new RegExp(`^la línea ${last + 1} .* fue cambiada$`), /^sobran líneas/],
    ],
    [
      "two entries that changed places",
      `update audit_log set seq = seq - 7 where account_id = $1 and seq in (3, 4)`,
      () => [/^la línea 3 .* fue cambiada$/, /^la línea 4 .* fue cambiada$/],
    ],
    [
      "a count of repetitions",
      "update audit_log set times = 1, times_hash = sha256('x') where account_id = $1 and seq = 3",
      () => [/^la línea 3 .* fue cambiada: no son 1 veces$/],
    ],
    [
      "an entry replaced as those of persons who are forgotten, which no entry tells",
      `update audit_log set details = '{}', replaced = sha256('x') where account_id = $1 and seq = 3`,
      () => [/^la línea 3 .* fue cambiada$/, /^la línea 3 .* ninguna posterior lo dice$/],
    ],
  ];
  function changed(first: number, last: number): RegExp[] {
    return Array.from({ length: last - first + 1 }, (_, i) => new RegExp(`^la línea ${first + i} .* fue cambiada$`));
  }

  test.each(tampered)("%s", async (_what, statement, expected) => {
    const owner = await ownerWithEntries();
    expect(await problemsOf(owner)).toEqual([]);
    const last = await countOf(owner);
    await run(statement, owner.accountId);
    // The second half of a change that the unique index allows in two steps only.
    await run("update audit_log set seq = -seq where account_id = $1 and seq < 0", owner.accountId);
    expect(await problemsOf(owner)).toEqual(expected(last).map((pattern) => expect.stringMatching(pattern)));
  });
});

test("the chain stays whole when many act at once, and when a transaction ends halfway", async () => {
  const owner = await ownerWithEntries();
  const before = await countOf(owner);
  const { pool } = service.deps;
  const acts = Array.from({ length: 50 }, async (_, i) => {
    if (i % 5 !== 4) return owner.patch("/account", { name: `Tienda ${i}` });
    // Cut off with its connection, after its entry was written.
    return transaction(pool, async (client) => {
      await recordInTransaction(client, owner.accountId);
      await client.query("select pg_terminate_backend(pg_backend_pid())");
    }).catch(() => undefined);
  });
  await Promise.all(acts);
  expect(await countOf(owner)).toBe(before + 40);
  expect(await problemsOf(owner)).toEqual([]);
});

test("repeated attempts are counted in one entry without touching the end of the chain", async () => {
  const owner = await ownerWithEntries();
  const { accountId } = owner;
  recordFailedSignIn(service.deps, accountId, "192.0.2.7");
  await eventually(async () => (await timesIn(owner)) === 1);
  // Somebody holds the end, as a long transaction would.
  const client = await service.deps.pool.connect();
  await client.query("begin");
  await client.query("select from audit_heads where account_id = $1 for update", [accountId]);
  for (let i = 0; i < 20; i++) recordFailedSignIn(service.deps, accountId, "192.0.2.7");
  try {
    await eventually(async () => (await timesIn(owner)) === 21);
  } finally {
    await client.query("rollback");
    client.release();
  }
  expect(await problemsOf(owner)).toEqual([]);
});

test("entries of before are taken into the chain in batches, and what is written meanwhile too", async () => {
  const owner = await ownerWithEntries();
  const { accountId } = owner;
  await run("update audit_log set seq = null, previous = null, hash = null where account_id = $1", accountId);
  await run("delete from audit_heads where account_id = $1", accountId);
  await run(
    `insert into audit_log (account_id, created_at, id, action, details)
      select $1, now() - n * interval '1 day', gen_random_uuid(), 'session.failed', '{"times": 3}'
      from generate_series(1, 1200) n`,
    accountId,
  );
  const reopen = "insert into fills (name) values ('audit_chain') on conflict (name) do update set finished_at = null";
  await run(reopen);
  // No account that was made with the chain has anything to be taken into it.
  expect((await problemsOf(owner)).length).toBeGreaterThan(900);
  await run("update accounts set created_at = created_at - interval '1 day' where id = $1", accountId);
  expect(await problemsOf(owner)).toEqual([]);
  const { under_way } = await verify(service.deps.pool);
  expect(under_way).toEqual([expect.stringContaining("aún se encadena")]);
  expect((await owner.patch("/account", { name: "Durante" })).status).toBe(200);
  for (let i = 0; i < 10; i++) await fillOnce(service.deps.pool, "audit_chain", true);
  // Those of the last hour wait until no process of the version before can change them.
  await run("update migrations set applied_at = applied_at - interval '2 hours' where name like '%audit-chain%'");
  for (let i = 0; i < 10; i++) await fillOnce(service.deps.pool, "audit_chain", true);
  const { rows } = await run("select count(*) from audit_log where account_id = $1 and seq is null", accountId);
  expect(rows).toEqual([{ count: 0 }]);
  expect(await problemsOf(owner)).toEqual([]);
  await run("update audit_log set details = '{}' where account_id = $1 and seq = 700", accountId);
  expect(await problemsOf(owner)).toEqual([expect.stringMatching(/^la línea 700 .* fue cambiada$/)]);
});

test("an open fill hides nothing that was removed or put in, and is told", async () => {
  const owner = await ownerWithEntries();
  const { accountId } = owner;
  const told = async () => (await verify(service.deps.pool)).problems.filter((one) => one.includes("encadena"));
  await run("delete from fills where name = 'audit_chain'");
  await run("delete from audit_log where account_id = $1", accountId);
  await run("delete from audit_heads where account_id = $1", accountId);
  await run("insert into fills (name) values ('audit_chain')");
  expect(await problemsOf(owner)).toEqual(["falta el final de la cadena; se borró entera"]);
  await run(
    `insert into audit_log (account_id, created_at, id, action, details)
      values ($1, now(), gen_random_uuid(), 'session.failed', '{}')`,
    accountId,
  );
  expect(await problemsOf(owner)).toEqual([
    expect.stringContaining("no tiene número"),
    "falta el final de la cadena; se borró entera",
  ]);
  await run("update accounts set created_at = created_at - interval '9 days' where id = $1", accountId);
  expect(await told()).toEqual([]);
  await run("update migrations set applied_at = applied_at - interval '2 days' where name like '%audit-chain%'");
  expect(await told()).toEqual([expect.stringContaining("ya debía haber terminado")]);
  expect(await problemsOf(owner)).toEqual([expect.stringContaining("no tiene número")]);
  await run("delete from audit_log where account_id = $1", accountId);
  await run("insert into audit_heads (account_id, count, previous, hash) values ($1, 0, '', '')", accountId);
  await run("update migrations set applied_at = applied_at + interval '2 days' where name like '%audit-chain%'");
  await run("update fills set finished_at = now() where name = 'audit_chain'");
});

test("entries may be dropped for their age, and a person's data replaced: the chain goes on", async () => {
  const owner = await ownerWithEntries();
  const { accountId } = owner;
  const { pool, clock } = service.deps;
  const found = await run("select id, created_at from audit_log where account_id = $1 and seq = 4", accountId);
  const place = { accountId, at: clock.now(), actor: theService };
  for (const details of [{ name: "—" }, {}])
    await transaction(pool, (client) => redactAudit(client, place, [{ ...found.rows[0], details }]));
  expect(await problemsOf(owner)).toEqual([]);
  await run(`update audit_log set details = '{"name":"Otro"}' where account_id = $1 and seq = 4`, accountId);
  expect(await problemsOf(owner)).toEqual([expect.stringMatching(/^la línea 4 .* ninguna posterior lo dice$/)]);
  await run(`update audit_log set details = '{}' where account_id = $1 and seq = 4`, accountId);

  await run("update audit_log set created_at = created_at where account_id = $1", accountId);
  const { rows } = await run("select created_at from audit_log where account_id = $1 and seq = 3", accountId);
  const dropped = await transaction(pool, (client) => forgetAudit(client, accountId, rows[0].created_at));
  expect(dropped).toBe(2);
  expect(await problemsOf(owner)).toEqual([]);
  const all = await transaction(pool, (client) => forgetAudit(client, accountId, new Date(Date.now() + 48 * hour)));
  expect(all).toBeGreaterThan(3);
  expect(await problemsOf(owner)).toEqual([]);
  await owner.patch("/account", { name: "Después" });
  expect(await problemsOf(owner)).toEqual([]);
});

async function recordInTransaction(client: Parameters<Parameters<typeof transaction>[1]>[0], accountId: string) {
  await recordAudit(client, {
    accountId,
    at: service.deps.clock.now(),
    action: "account.set",
    details: {},
    actor: theService,
  });
}

async function timesIn({ accountId }: Portal): Promise<number | undefined> {
  const { rows } = await service.deps.pool.query<{ times: number }>(
    sql`select times from audit_log where account_id = ${accountId} and action = 'session.failed'`,
  );
  return rows[0]?.times;
}
