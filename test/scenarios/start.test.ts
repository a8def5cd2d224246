import { type ChildProcess, exec } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInRoles } from "../../src/access/people/rights.ts";
import { findEmbedded, startEmbedded } from "../../src/db/embedded.ts";
import { sharedFolder } from "../support/fixtures.ts";
import {
  freePort,
  mostrador,
  projectDir,
  type StartedService,
  spawnMostrador,
  startMostrador,
} from "../support/process.ts";

const run = promisify(exec);

let DATA_DIR: string;
let service: StartedService;

const folder = sharedFolder("mostrador start ");
beforeAll(async () => {
  DATA_DIR = join(folder.path, "datos de la tienda");
  service = await startMostrador({ DATA_DIR });
});

afterAll(async () => {
  await service.stop();
});

async function firstProducts({ ready }: StartedService): Promise<string> {
  const { stdout } = await run(`${ready.demo!.try} -s`);
  return stdout;
}

test("the first start creates the demo business and prints a curl line that works", async () => {
  expect(service.ready.demo!.email).toBe("demo@tienda.example");
  const { object, data } = JSON.parse(await firstProducts(service));
  expect(object).toBe("list");
  expect(data).toHaveLength(2);
});

test("a register that nobody linked is offered the demo shop, and no other, for as long as the service runs", async () => {
  expect(service.ready.demo!.register_url).toBe(`${service.url}/caja/`);
  const ask = (method: string, headers = {}) => fetch(`${service.url}/caja/demo`, { method, headers });
  expect(await (await ask("GET")).json()).toEqual({ name: "Tienda La Esquina" });
  const enrols = async (code: string) => {
    const { status } = await fetch(`${service.url}/sync/v1/enrol`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    return status;
  };
  const first = (await (await ask("POST")).json()) as { code: string };
  expect([await enrols(first.code), await enrols(first.code)]).toEqual([201, 400]);
  expect((await mostrador(["clock", "advance", "3h"], { DATA_DIR })).code).toBe(0);
  const later = (await (await ask("POST")).json()) as { code: string };
  expect([later.code === first.code, await enrols(later.code)]).toEqual([false, 201]);
  expect((await ask("POST", { origin: "https://otro.example" })).status).toBe(403);
  // A page of another site that had its name point here asks by that name.
  const rebound = { host: "malo.example", origin: "http://malo.example" };
  for (const headers of [rebound, { host: "malo.example" }, { "x-forwarded-for": "203.0.113.7" }]) {
    expect(await asked(service.url, "POST", headers)).toMatchObject({ status: 404 });
    expect(await asked(service.url, "GET", headers)).toMatchObject({ status: 200, body: '{"name":null}' });
  }
});

/** With a host of one's own, which fetch does not send. */
async function asked(url: string, method: string, headers: { [name: string]: string }) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  const sent = request(`${url}/caja/demo`, { method, headers }, (answer) => {
    const read = answer.setEncoding("utf8").toArray();
    read.then((parts) => resolve({ status: answer.statusCode, body: parts.join("") }), reject);
  });
  sent.on("error", reject).end();
  return promise;
}

test("the demo is a believable shop, and everything adds up", async () => {
  const key = /mst_test_\w+/.exec(service.ready.demo!.try)![0];
  const lists = [
    "products",
    "customers",
    "categories",
    "sales",
    "returns",
    "invoices",
    "inventory/movements",
    "warehouses",
    "cash-sessions",
    "quotes",
    "events",
  ];
  for (const list of lists) {
    const answer = await fetch(`${service.url}/public/v1/${list}?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await answer.json()) as { data: unknown[] };
    expect(data, list).toHaveLength(1);
  }
  const read = async (path: string) => {
    const answer = await fetch(`${service.url}/public/v1/${path}`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { data: { kind: string; document_reason: string }[] }).data;
  };
  expect(new Set((await read("returns?limit=100")).map(({ kind }) => kind))).toEqual(new Set(["partial", "full"]));
  const notes = await read("invoices?document_type=pos_adjustment_note&limit=100");
  expect(notes.map(({ document_reason }) => document_reason)).toContain("Se reemplaza por factura electrónica");
  const { code, stdout } = await mostrador(["verify", "--json"], { DATA_DIR });
  const report = JSON.parse(stdout);
  expect(report.problems).toEqual([]);
  expect(report.records).toBeGreaterThan(5000);
  expect(code).toBe(0);
});

test("whom the guide names gets in with the printed password, one of each role, and the manager sees one of the two sedes", async () => {
  const { email, password } = service.ready.demo!;
  const guide = await readFile(join(projectDir, "docs/guide/personas-y-roles.md"), "utf8");
  const signIn = async (address: string) => {
    const answer = await fetch(`${service.url}/portal/api/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: address, password }),
    });
    expect(answer.status, address).toBe(201);
    const cookie = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
    return async (path: string) => {
      const { status, ok, ...rest } = await fetch(`${service.url}/portal/api${path}`, {
        headers: { cookie: cookie.join("; ") },
      }).then(async (read) => ({ status: read.status, ok: read.ok, body: (await read.json()) as Answer }));
      return ok ? rest.body : status;
    };
  };
  const roles: string[] = [];
  for (const address of [email, ...guide.match(/\b\w+@tienda\.example\b/g)!]) {
    const ask = await signIn(address);
    const { role } = (await ask("/session")) as Answer;
    roles.push(role!.kind);
    const sedes = await ask("/locations");
    const names = (sedes as Answer).data!.map(({ name }) => name);
    expect(names.toSorted(), address).toEqual(role!.kind === "manager" ? ["Laureles"] : ["Centro", "Laureles"]);
    const registers = role!.kind === "developer" ? 403 : names.includes("Centro") ? 3 : 1;
    const devices = await ask("/devices");
    // Other tests have linked some of their own.
    const own = (all: Answer) => all.data!.filter(({ name }) => demoRegisters.has(name)).length;
    expect(typeof devices === "number" ? devices : own(devices), address).toBe(registers);
    const by = await ask(`/reports/sales?by=location&from=2020-01-01&to=2020-01-02`);
    expect(typeof by === "number", address).toBe(["manager", "developer"].includes(role!.kind));
  }
  expect(roles.toSorted()).toEqual(builtInRoles.toSorted());
});

const demoRegisters: ReadonlySet<string> = new Set(["Caja 1", "Caja Rápida", "Caja Laureles"]);

interface Answer {
  role?: { kind: string };
  data?: { name: string }[];
}

test("after kill -9 of the whole process group, the next start serves the same data", async () => {
  const before = await firstProducts(service);
  await service.kill();
  service = await startMostrador({ DATA_DIR });
  expect(await firstProducts(service)).toBe(before);
});

test("after kill -9 of service and database, the next start recovers what was acknowledged", async () => {
  const account = JSON.parse(
    (
      await mostrador(
        ["account", "create", "--name", "Otra", "--email", "otra@example.com", "--password", "clave-larga", "--json"],
        { DATA_DIR },
      )
    ).stdout,
  );
  const { key } = JSON.parse(
    (
      await mostrador(
        ["key", "create", "--account", account.id, "--scopes", "customers:read,customers:write", "--json"],
        { DATA_DIR },
      )
    ).stdout,
  );
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const made = await fetch(`${service.url}/public/v1/customers`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": "antes-del-corte" },
    body: JSON.stringify({ name: "Antes del corte" }),
  });
  expect(made.status).toBe(201);
  const text = await made.text();
  const postgres = await startEmbedded({ dataDir: DATA_DIR });
  expect(postgres.adopted).toBe(true);
  process.kill(postgres.pid, "SIGKILL");
  await service.kill();
  service = await startMostrador({ DATA_DIR });
  const read = await fetch(`${service.url}/public/v1/customers/${JSON.parse(text).id}`, { headers });
  expect(await read.text()).toBe(text);
});

test("a second start on the same DATA_DIR says that it is in use and leaves the first alone", async () => {
  await expect(startMostrador({ DATA_DIR })).rejects.toThrow(/Ya hay un Mostrador usando/);
  expect(JSON.parse(await firstProducts(service)).data).toHaveLength(2);
});

test("a second installation runs beside the first with its own folder and ports", async () => {
  const second = await startMostrador({ DATA_DIR: join(folder.path, "segunda") });
  try {
    expect(second.url).not.toBe(service.url);
    expect(JSON.parse(await firstProducts(second)).data).toHaveLength(2);
    expect(JSON.parse(await firstProducts(service)).data).toHaveLength(2);
  } finally {
    expect(await second.stop()).toBe(0);
  }
});

test("a port that is taken stops the start with one line that says how to choose another", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as { port: number };
  try {
    await expect(startMostrador({ DATA_DIR: join(folder.path, "tercera"), PORT: String(port) })).rejects.toThrow(
      new RegExp(`El puerto ${port} ya está en uso\\. Elija otro con PORT,`),
    );
  } finally {
    taken.close();
  }
});

test("a setting that is misspelt or out of range stops the start with one line", async () => {
  const misspelt = await mostrador(["start"], { RATE_LIMIT_BRUST: "5" });
  expect(misspelt).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse(misspelt.stderr)).toMatchObject({
    level: 60,
    msg: "La variable RATE_LIMIT_BRUST no existe. ¿Quiso escribir RATE_LIMIT_BURST?",
  });
  const outOfRange = await mostrador(["start"], { PORT: "99999" });
  expect(JSON.parse(outOfRange.stderr).msg).toMatch(/^PORT=99999 no es válido.*$/);
});

describe("a stop leaves no PostgreSQL behind", () => {
  /** `mostrador start`, or another command, on an empty folder, once it has printed this. */
  async function began(args: string[], data: string, words: string): Promise<ChildProcess> {
    const [PORT, ADMIN_PORT] = [String(await freePort()), String(await freePort())];
    const child = spawnMostrador(args, { DATA_DIR: data, PORT, ADMIN_PORT, LOG_LEVEL: "info" });
    let said = "";
    await new Promise<void>((resolve) => {
      for (const output of [child.stdout, child.stderr])
        output.on("data", (chunk) => {
          said += chunk;
          if (said.includes(words)) resolve();
        });
    });
    return child;
  }

  async function exitOf(child: ChildProcess): Promise<number | null> {
    const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
    return code;
  }

  test("when the demo is still being built", async () => {
    const data = join(folder.path, "a medias");
    const child = await began(["start"], data, "building the demo shop");
    child.kill("SIGINT");
    expect(await exitOf(child)).toBe(0);
    expect(await findEmbedded(data)).toBeUndefined();
  });

  test("when a command that started one for itself is interrupted", async () => {
    const data = join(folder.path, "orden a medias");
    expect((await mostrador(["migrate"], { DATA_DIR: data })).code).toBe(0);
    const child = await began(["demo"], data, "Preparando el negocio");
    child.kill("SIGINT");
    expect(await exitOf(child)).toBe(130);
    await expect.poll(() => findEmbedded(data)).toBeUndefined();
  });

  test("when npm passes on a signal that the whole process group already received", async () => {
    service.process.kill("SIGINT");
    service.process.kill("SIGINT");
    expect(await exitOf(service.process)).toBe(0);
    expect(await findEmbedded(DATA_DIR)).toBeUndefined();
  });

  test("when a person does not wait for a long drain to end", async () => {
    service = await startMostrador({ DATA_DIR, DRAIN_SECONDS: "300" });
    const insisting = setInterval(() => service.process.kill("SIGTERM"), 100);
    expect(await exitOf(service.process)).toBe(1);
    clearInterval(insisting);
    await expect.poll(() => findEmbedded(DATA_DIR)).toBeUndefined();
  });
});
