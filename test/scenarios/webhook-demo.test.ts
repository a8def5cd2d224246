import { afterAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { shared, sharedDatabase, sharedFolder } from "../support/fixtures.ts";
import { freePort, mostradorJson, runMostrador, startMostrador } from "../support/process.ts";

const processes: { stop(): Promise<unknown> }[] = [];

const folder = sharedFolder("mostrador-webhooks-");
const database = sharedDatabase();
const env = shared(() => ({ DATABASE_URL: database.url, DATA_DIR: folder.path }));
afterAll(async () => {
  for (const one of processes) await one.stop();
});

const command = (...args: string[]) => mostradorJson(args, env);

test("a webhook set up by hand, with API and workers in separate processes, reaches `mostrador receive` signed and is retried after an outage", async () => {
  const login = { email: "titular@example.com", password: "clave-larga" };
  const account = await command(
    "account",
    "create",
    "--name",
    "Tienda",
    "--email",
    login.email,
    "--password",
    login.password,
  );
  const { key } = await command("key", "create", "--account", account.id, "--scopes", "customers:write");
  const port = String(await freePort());
  const first = runMostrador(["receive", "--port", port], env);
  processes.push(first);
  const { url: hook, ...settings } = await first.next();

  const api = await startMostrador({ ...env, ...settings }, ["--only", "api,portal,sync"]);
  const workers = await startMostrador({ ...env, ...settings }, ["--only", "workers"]);
  processes.push(api, workers);
  await expect(fetch(workers.url)).rejects.toThrow();

  const session = await fetch(`${api.url}/portal/api/session`, json(login));
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  const portal = async (path: string, body: object) =>
    (await fetch(`${api.url}/portal/api${path}`, json(body, { cookie }))).json() as Promise<Record<string, string>>;
  const { confirmation_id } = await portal("/webhook-endpoints", { url: hook, event_types: ["customer.created"] });
  const mails = await fetch(`${api.url}/dev/mail`, { headers: { accept: "application/json" } });
  const [mail] = (await mails.json()) as { to: string; text: string }[];
  expect(mail!.to).toBe(login.email);
  const code = /^\d{6}$/m.exec(mail!.text)![0];
  const { secret } = await portal(`/confirmations/${confirmation_id}`, { code });

  const create = (name: string, n: number) =>
    fetch(
      `${api.url}/public/v1/customers`,
      json({ name }, { authorization: `Bearer ${key}`, "idempotency-key": `k${n}` }),
    );
  await create("Ana", 1);
  expect(await first.next()).toMatchObject({
    verified: null,
    type: "customer.created",
    event: { data: { object: { name: "Ana" } } },
  });

  await first.stop();
  await create("Luz", 2);
  await eventually(hasFailedOnce);
  const second = runMostrador(["receive", "--port", port, "--secret", secret!], env);
  processes.push(second);
  await second.next();
  await command("clock", "advance", "1m");
  expect(await second.next()).toMatchObject({ verified: true, event: { data: { object: { name: "Luz" } } } });
  await create("Sol", 3);
  expect(await second.next()).toMatchObject({ verified: true, event: { data: { object: { name: "Sol" } } } });

  async function hasFailedOnce(): Promise<boolean> {
    const list = async (path: string) => {
      const answer = await fetch(`${api.url}/portal/api${path}`, { headers: { cookie } });
      return ((await answer.json()) as { data: { id: string; state: string; attempts: object[] }[] }).data;
    };
    const [endpoint] = await list("/webhook-endpoints");
    const [newest] = await list(`/webhook-endpoints/${endpoint!.id}/deliveries`);
    return newest?.attempts.length === 1 && newest.state === "pending";
  }
}, 300_000);

function json(body: object, headers: Record<string, string> = {}) {
  return { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
