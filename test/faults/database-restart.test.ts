import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, type ApiClient, apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { shared, sharedFolder } from "../support/fixtures.ts";
import { longRun, recoveryMs } from "../support/long-run.ts";
import { mostradorJson, type StartedService, startMostrador } from "../support/process.ts";

const rounds = longRun("FAULT_CYCLES", 2);
const withinMs = recoveryMs(rounds.isLong);

// A live installation builds no demo shop.
const folder = sharedFolder("mostrador-restart-");
const env = shared(() => ({
  DATA_DIR: folder.path,
  ENVIRONMENT: "live",
  SECRET_KEY: randomBytes(32).toString("hex"),
  MAIL_FROM: "avisos@tienda.example",
  SMTP_URL: "smtp://127.0.0.1:1",
  PUBLIC_URL: "https://127.0.0.1",
  RATE_LIMIT_PER_SECOND: "0",
  LOG_LEVEL: "error",
}));
let service: StartedService;
let api: ApiClient;
beforeAll(async () => {
  service = await startMostrador(env);
  const owner = ["--name", "Tienda", "--email", "titular@example.com", "--password", "-"];
  const account = await command("account", "create", ...owner);
  const { key } = await command("key", "create", "--account", account.id, "--scopes", "customers:read,customers:write");
  api = apiClient(service.url, { authorization: `Bearer ${key}` });
});
afterAll(async () => {
  await service.stop();
});

const command = (...args: string[]) => mostradorJson(args, env, "clave-larga\n");

async function postmaster(): Promise<number> {
  return Number((await readFile(join(folder.path, "postgres/data/postmaster.pid"), "utf8")).split("\n")[0]);
}

async function readiness(): Promise<{ status: number; problems: string[] }> {
  const answer = await fetch(`${service.adminUrl}/readyz`);
  const { problems } = (await answer.json()) as { problems: string[] };
  return { status: answer.status, problems };
}

test("PostgreSQL killed with -9 under load is restarted, with clean errors meanwhile, and nothing acknowledged is lost", async () => {
  const acked: { name: string; text: string }[] = [];
  const refused: Answer[] = [];
  const odd: string[] = [];
  let isLoaded = true;
  async function client(number: number): Promise<void> {
    for (let i = 0; isLoaded; i++) {
      const name = `${number}-${i}`;
      while (isLoaded) {
        const answer = await api.post("/customers", { name }, { "idempotency-key": name });
        if (answer.status === 201) {
          acked.push({ name, text: answer.text });
          break;
        }
        if (answer.status === 503 && Number(answer.headers.get("retry-after")) > 0) refused.push(answer);
        else odd.push(`${answer.status} ${answer.text}`);
        await delay(20);
      }
    }
  }
  const clients = Array.from({ length: 4 }, (_, number) => client(number));
  for (let round = 0; round < Math.min(rounds.value, 10); round++) {
    const before = acked.length;
    await eventually(() => acked.length > before + 20);
    const killed = await postmaster();
    process.kill(killed, "SIGKILL");
    const why = await eventually(async () => {
      const { status, problems } = await readiness();
      return status === 503 && problems.find((problem) => problem.startsWith("database: "));
    });
    expect(why).toMatch(/^database: .+/);
    const atDeath = acked.length;
    await eventually(() => acked.length > atDeath + 20, withinMs);
    await eventually(async () => (await readiness()).status === 200, withinMs);
    expect(await postmaster()).not.toBe(killed);
  }
  isLoaded = false;
  await Promise.all(clients);

  expect(odd).toEqual([]);
  expect(refused.length).toBeGreaterThan(0);
  for (const { name, text } of acked) {
    const { status, text: stored } = await api.get(`/customers/${JSON.parse(text).id}`);
    expect([name, status, stored]).toEqual([name, 200, text]);
    const repeated = await api.post("/customers", { name }, { "idempotency-key": name });
    expect([repeated.headers.get("idempotent-replayed"), repeated.text]).toEqual(["true", text]);
  }
  await expect(startMostrador(env)).rejects.toThrow(/Ya hay un Mostrador usando/);
}, 300_000);
