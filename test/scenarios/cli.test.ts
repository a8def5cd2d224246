import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { commitOf } from "../../src/lib/version.ts";
import { shared, sharedDatabase, sharedFolder } from "../support/fixtures.ts";
import { mostrador, mostradorJson, projectDir, type StartedService, startMostrador } from "../support/process.ts";
import { sale } from "../support/registered-shop.ts";

const folder = sharedFolder("mostrador-cli-");
const database = sharedDatabase();
const liveDatabase = sharedDatabase();
const env = shared(() => ({ DATABASE_URL: database.url, DATA_DIR: folder.path }));
let service: StartedService;
beforeAll(async () => {
  await ok("account", "create", "--name", "Primera", "--email", "primera@example.com", "--password", "clave-larga");
  service = await startMostrador(env);
});

afterAll(async () => {
  await service.stop();
});

const ok = (...args: string[]) => mostradorJson(args, env);

async function shop(scopes = "customers:read") {
  const { id } = await ok(
    "account",
    "create",
    "--name",
    "Tienda",
    "--email",
    `${Math.random()}@example.com`,
    "--password",
    "clave-larga",
  );
  return {
    id,
    ...(await ok("key", "create", "--account", id, "--scopes", scopes).then(({ id: keyId, key }) => ({ keyId, key }))),
  };
}

async function list(key: string) {
  const answer = await fetch(`${service.url}/public/v1/customers`, { headers: { authorization: `Bearer ${key}` } });
  const body = (await answer.json()) as { error?: { code: string } };
  return body.error?.code ?? answer.status;
}

test("an installation with accounts of its own gets no demo business", async () => {
  const { accounts } = await ok("account", "list");
  expect(accounts.map((account: { name: string }) => account.name)).toContain("Primera");
  expect(service.banner).not.toContain("demo@");
});

test("a key created while the service runs works at once, and stops working when it is revoked", async () => {
  const { key, keyId } = await shop();
  expect(await list(key)).toBe(200);
  await ok("key", "revoke", keyId);
  // The database notifies the service a moment after the command has ended.
  await expect.poll(() => list(key)).toBe("API_KEY_REVOKED");
});

test("a change of an account's plan or state reaches the running service at once", async () => {
  const { id, key } = await shop();
  expect(await list(key)).toBe(200);
  expect(await ok("account", "set", id, "--plan", "basic")).toMatchObject({ plan: "basic" });
  // The service hears of it a moment after the command has committed.
  await expect.poll(() => list(key)).toBe("PLAN_REQUIRED");
  await ok("account", "set", id, "--active", "false");
  await expect.poll(() => list(key)).toBe("ACCOUNT_INACTIVE");
  await ok("account", "set", id, "--plan", "pro", "--active", "true");
  await expect.poll(() => list(key)).toBe(200);
});

test("advancing the clock reaches the running service, which then refuses an expired key", async () => {
  const { id } = await shop();
  const { now } = await ok("clock", "show");
  const expires = new Date(new Date(now).getTime() + 3_600_000).toISOString();
  const { key } = await ok("key", "create", "--account", id, "--scopes", "customers:read", "--expires", expires);
  expect(await list(key)).toBe(200);
  expect(await ok("clock", "advance", "61m")).toMatchObject({ processes: 1, advanced_ms: 3_660_000 });
  expect(await list(key)).toBe("API_KEY_EXPIRED");
  const { stdout } = await mostrador(["key", "list", "--account", id], env);
  expect(stdout).toMatch(new RegExp(`…${key.slice(-4)}  vencida `));
  expect(stdout).toMatch(/vigente /);
  const late = await mostrador(["key", "create", "--account", id, "--scopes", "all", "--expires", expires], env);
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("ya pasó")]);
});

test("verify finds a column that disagrees with its body and says where", async () => {
  const { id, key } = await shop("customers:read,customers:write");
  await fetch(`${service.url}/public/v1/customers`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "uno" },
    body: JSON.stringify({ name: "Ana", document_number: "123" }),
  });
  expect((await ok("verify")).problems).toEqual([]);
  const pool = createPool({ url: database.url, max: 1 });
  try {
    await pool.query("update customers set document_number = '999' where account_id = $1", [id]);
    const { code, stdout } = await mostrador(["verify"], env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/customers \S+: document_number es "999" y el cuerpo dice "123"/);
  } finally {
    await pool.query("update customers set document_number = '123' where account_id = $1", [id]);
    await pool.end();
  }
});

test("set-aside lists what waits for a fault of ours, verify names it, and retry stores it", async () => {
  const { id, key } = await shop("sales:read");
  const { code } = await ok("device", "enrol", "--account", id, "--name", "Caja 1");
  const enrolled = await fetch(`${service.url}/sync/v1/enrol`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, name: "Caja 1", app_version: "1", capabilities: [] }),
  });
  const { device_id } = (await enrolled.json()) as { device_id: string };
  const data = sale();
  const raw = JSON.stringify({ device_seq: 1, type: "sale", id: data.id, op: "upsert", edited_at: null, data });
  const pool = createPool({ url: database.url, max: 1 });
  try {
    await pool.query(
      `insert into quarantined_records (account_id, device_id, device_seq, received_at, type, record_id, reason, raw, state)
       values ($1, $2, 1, now(), 'sale', $3, 'fallo', $4, 'waiting')`,
      [id, device_id, data.id, raw],
    );
  } finally {
    await pool.end();
  }
  const { records } = await ok("set-aside", "list", "--account", id);
  expect(records).toMatchObject([{ device_id, device_seq: 1, state: "waiting", type: "sale" }]);
  const { code: exitCode, stdout } = await mostrador(["verify"], env);
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining("mostrador set-aside retry")]);
  expect(await ok("set-aside", "retry")).toEqual({ stored: 1, refused: 0, waiting: 0 });
  const answer = await fetch(`${service.url}/public/v1/sales/${data.id}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  expect((await mostrador(["set-aside", "list"], env)).stdout).toContain("No hay nada apartado.");
});

test.each([
  [["nada"], /El comando "nada" no existe/],
  [
    ["account"],
    /Complete el comando: account create, account invite, account list, account owner, account people, account set/,
  ],
  [["account", "create", "--name", "X", "--email", "x@example.com"], /Falta --password/],
  [
    ["account", "create", "--name", "X", "--email", "primera@example.com", "--password", "clave-larga"],
    /Ya hay una cuenta con el correo/,
  ],
  [["account", "create", "--nombre", "X"], /La opción --nombre no existe/],
  [["account", "set", "no-es-un-id", "--plan", "pro"], /no es el id de una cuenta/],
  [["account", "set", "00000000-0000-4000-8000-000000000000", "--plan", "oro"], /--plan oro no existe/],
  [
    ["key", "create", "--account", "00000000-0000-4000-8000-000000000000", "--scopes", "customers:read"],
    /No existe la cuenta/,
  ],
  [
    ["key", "create", "--account", "00000000-0000-4000-8000-000000000000", "--scopes", "todo:read"],
    /El permiso "todo:read" no existe/,
  ],
  [["clock", "advance", "mañana"], /"mañana" no es una duración/],
  [["clock", "advance", "9999999d"], /El reloj no pasa de/],
  [["clock", "advance", "1d", "12h"], /Sobra "12h"/],
  [["key", "revoke", "00000000-0000-4000-8000-000000000000", "otra"], /Sobra "otra"/],
  [["start", "api"], /Sobra "api"/],
  [
    ["account", "create", "--name", "X", "--email", "x@example.com", "--password", "x".repeat(201)],
    /La contraseña debe tener entre 10 y 200 caracteres/,
  ],
  [
    ["account", "create", "--name", "X", "--email", "x@example.com", "--password", "1234567890"],
    /se adivina pronto.*Escriba una frase/,
  ],
  [
    ["account", "create", "--name", "X", "--email", `${"x".repeat(200)}@example.com`, "--password", "clave-larga"],
    /no es un correo electrónico/,
  ],
  [
    ["account", "create", "--name", "X", "--email", "x@example.com", "--password", "123456789"],
    /La contraseña debe tener entre 10 y 200 caracteres/,
  ],
  [["keys", "check", "--key", "mst_live_x"], /Póngala en la variable MOSTRADOR_API_KEY/],
  [["start", "--only", "cocina"], /--only no conoce "cocina"/],
])("%j ends with one clear line on stderr", async (args, message) => {
  const { code, stdout, stderr } = await mostrador(args, env);
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

test("help lists every command, and each command explains its options", async () => {
  const general = await mostrador(["help"], env);
  expect(general.stdout).toContain("account create");
  const own = await mostrador(["key", "create", "--help"], env);
  expect(own.stdout).toContain("--scopes");
  expect([general.code, own.code]).toEqual([0, 0]);
});

test("a password is read from standard input, and in live it is refused as an argument", async () => {
  const create = ["account", "create", "--name", "Y", "--email", "y@example.com", "--password"];
  const live = {
    DATABASE_URL: liveDatabase.url,
    ENVIRONMENT: "live",
    PUBLIC_URL: "https://api.example.com",
    SMTP_URL: "smtps://u:p@mail.example.com",
    MAIL_FROM: "avisos@tienda.example",
    SECRET_KEY: randomBytes(32).toString("hex"),
  };
  const open = await mostrador([...create, "clave-larga"], live);
  expect(open).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Escriba --password -") });
  const piped = await mostrador([...create, "-"], live, "clave-larga\n");
  expect(piped).toMatchObject({ code: 0, stderr: "" });
});

test("an owner has the name that the operator knows, in one line, and none where nobody said it", async () => {
  const email = "ana@example.com";
  const create = ["account", "create", "--name", "Tienda", "--password", "clave-larga", "--email"];
  const named = await ok(...create, email, "--owner-name", " Ana\nRestrepo ");
  expect((await ok("account", "people", named.id)).people).toMatchObject([
    { email, name: "Ana Restrepo", role: "owner" },
  ]);
  const { id } = await ok(...create, "sin-nombre@example.com");
  expect((await ok("account", "people", id)).people).toMatchObject([{ name: "" }]);
  const guessed = await mostrador(
    [...create.toSpliced(5, 1, "ana restrepo 1"), email, "--owner-name", "Ana Restrepo"],
    env,
  );
  expect([guessed.code, guessed.stderr]).toEqual([1, expect.stringContaining("contraseña")]);
  const long = await mostrador([...create, "b@example.com", "--owner-name", "x".repeat(121)], env);
  expect([long.code, long.stderr]).toEqual([1, expect.stringContaining("hasta 120 caracteres")]);
});

test("--version prints the version in package.json and the commit", async () => {
  const { version } = JSON.parse(await readFile(`${projectDir}package.json`, "utf8"));
  const commit = commitOf(projectDir);
  expect(await mostrador(["--version"])).toEqual({
    code: 0,
    stdout: `${version}${commit ? `+${commit.slice(0, 12)}` : ""}\n`,
    stderr: "",
  });
});
