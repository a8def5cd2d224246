import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newToken } from "../../src/lib/token.ts";
import { commitOf } from "../../src/lib/version.ts";
import { type ApiClient, apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { freePort, mostrador, projectDir, type StartedService, startMostrador } from "../support/process.ts";
import { receiverHost } from "../support/receiver.ts";
import { enrol, type Till } from "../support/register.ts";
import type { Business } from "../support/service.ts";
import { failWith, sharedHooks, type TestEndpoint } from "../support/webhooks.ts";

let service: StartedService;
let shop: Business;
let till: Till;
let api: ApiClient;
let endpoint: TestEndpoint;
let sick: TestEndpoint;
const owner = { email: "titular@example.com", password: "una-clave-que-nadie-lee" };
const guessed = newToken("mst_test_");

const hooks = sharedHooks();
beforeAll(async () => {
  await hooks.stopWorker();
  shop = await hooks.service.business();
  till = await enrol(hooks.service, shop.accountId);
  endpoint = await hooks.endpoint(shop, { types: ["customer.created"] });
  sick = await hooks.endpoint(shop, { types: ["customer.created"] });
  hooks.receiver.answers.set(sick.path, failWith(500));
  const env = {
    DATABASE_URL: hooks.service.databaseUrl,
    SECRET_KEY: hooks.service.deps.config.secretKey,
    LOG_LEVEL: "info",
    WEBHOOK_RESOLVE: `${receiverHost}=127.0.0.1:${hooks.receiver.port}`,
    WEBHOOK_CA_FILE: hooks.receiver.caFile,
  };
  const made = await mostrador(
    ["account", "create", "--name", "Otra", "--email", owner.email, "--password", owner.password],
    env,
  );
  expect(made.code).toBe(0);
  service = await startMostrador(env);
  api = apiClient(service.url, { authorization: `Bearer ${shop.key}` });
  await useIt();
});
afterAll(async () => {
  await service.stop();
});

/** A little of everything that carries a secret. */
async function useIt(): Promise<void> {
  await api.get("/customers?q=confidencial");
  await api.get(`/customers/${shop.accountId}`);
  await apiClient(service.url, { authorization: `Bearer ${guessed}` }).get("/sales");
  await api.post("/customers", { name: "Ana Confidencial", email: "ana@confidencial.example" });
  const json = { "content-type": "application/json" };
  const signIn = { method: "POST", headers: { ...json, origin: "http://127.0.0.1" }, body: JSON.stringify(owner) };
  await fetch(`${service.url}/portal/api/session`, signIn);
  const register = { ...json, authorization: `Bearer ${till.token}` };
  const sent = new Date();
  const edited = new Date(sent.getTime() - 60_000).toISOString();
  const record = { device_seq: 1, type: "customer", id: shop.accountId, op: "upsert", edited_at: edited };
  const body = JSON.stringify({ sent_at: sent.toISOString(), records: [{ ...record, data: { name: "De la caja" } }] });
  const pushed = await fetch(`${service.url}/sync/v1/push`, { method: "POST", headers: register, body });
  expect(pushed.status).toBe(200);
  await fetch(`${service.url}/nowhere`);
  await hooks.receiver.arrivals(endpoint.path, 2);
  await hooks.receiver.arrivals(sick.path, 2);
}

interface Scrape {
  types: Map<string, string>;
  samples: Map<string, number>;
}

const series = /^([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*\})? (-?[0-9.e+-]+|\+Inf|NaN)$/;

/** Parses the text as Prometheus does: every line is a comment or a sample of a declared family. */
async function scrape(): Promise<Scrape> {
  const answer = await fetch(`${service.adminUrl}/metrics`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  const text = await answer.text();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.slice(0, -1).split("\n")) {
    const [, name, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (name) {
      expect(types.has(name), name).toBe(false);
      types.set(name, type!);
    } else if (!/^# HELP [a-z_]+ .+$/.test(line)) {
      const [, of, labels = "", value] = series.exec(line) ?? [];
      expect(of, line).toBeDefined();
      expect(types.has(of!) || types.get(of!.replace(/_(bucket|sum|count)$/, "")) === "histogram", line).toBe(true);
      expect(samples.has(of! + labels), line).toBe(false);
      samples.set(of! + labels, Number(value));
    }
  }
  return { types, samples };
}

test("version and commit are in the log's first line, the metrics and the health check", async () => {
  const { version } = JSON.parse(readFileSync(`${projectDir}package.json`, "utf8"));
  const commit = commitOf(projectDir) ?? "unknown";
  const [first] = service.printed().split("\n");
  expect(JSON.parse(first!)).toMatchObject({ version, commit, msg: "starting" });
  const { samples } = await scrape();
  expect(
    samples.get(`mostrador_build_info{version="${version}",commit="${commit}",node="${process.versions.node}"}`),
  ).toBe(1);
  expect(await (await fetch(`${service.adminUrl}/healthz`)).json()).toEqual({ status: "ok", version, commit });
});

test("a process that runs out of file descriptors logs it, and logs when it has some again", async () => {
  const [PORT, ADMIN_PORT] = [await freePort(), await freePort()];
  const narrow = ["-c", 'ulimit -n "$0" && exec "$@"', "160", process.execPath, `${projectDir}src/main.ts`, "start"];
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: hooks.service.databaseUrl,
    SECRET_KEY: hooks.service.deps.config.secretKey,
  };
  const child = spawn("sh", narrow, { env: { ...env, PORT: `${PORT}`, ADMIN_PORT: `${ADMIN_PORT}` } });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  const expectPrinted = (words: string) => expect.poll(() => said).toContain(words);
  try {
    await expectPrinted("Mostrador está listo");
    const crowd = Array.from({ length: 200 }, () => connect(PORT, "127.0.0.1").on("error", () => {}));
    await expectPrinted("no file descriptor is free");
    for (const socket of crowd) socket.destroy();
    await expectPrinted("file descriptors are free again");
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}, 300_000);

describe("/metrics", () => {
  test("is text that Prometheus can parse, and counts what happened", async () => {
    await eventually(
      async () => (await scrape()).samples.get('mostrador_webhook_attempts_total{outcome="status"}') === 2,
    );
    const { samples } = await scrape();
    const count = (name: string) => samples.get(name);
    const requests = (method: string, route: string, status: number) =>
      count(`mostrador_http_requests_total{method="${method}",route="${route}",status="${status}"}`);
    expect(requests("GET", "/public/v1/customers", 200)).toBe(1);
    expect(requests("GET", "/public/v1/customers/:id", 404)).toBe(1);
    expect(requests("GET", "/public/v1/sales", 401)).toBe(1);
    expect(requests("POST", "/public/v1/customers", 201)).toBe(1);
    expect(requests("POST", "/sync/v1/push", 200)).toBe(1);
    expect(requests("any", "unknown", 404)).toBe(1);
    expect(count('mostrador_http_request_seconds_count{kind="list"}')).toBe(2);
    expect(count('mostrador_http_request_seconds_bucket{kind="list",le="+Inf"}')).toBe(2);
    expect(count('mostrador_http_shed_total{kind="export"}')).toBe(0);
    expect(count('mostrador_webhook_attempts_total{outcome="delivered"}')).toBe(2);
    expect(count("mostrador_webhook_attempt_seconds_count")).toBe(4);
    expect(count("mostrador_sync_records_total")).toBe(1);
    expect(count('mostrador_sync_lag_seconds_bucket{le="15"}')).toBe(0);
    expect(count('mostrador_sync_lag_seconds_bucket{le="60"}')).toBe(1);
    expect(count("mostrador_database_up")).toBe(1);
    expect(count("mostrador_authority_down")).toBe(0);
    for (const pool of ["api", "workers"])
      expect(count(`mostrador_pool_connections{pool="${pool}",state="total"}`)).toBeGreaterThan(0);
    expect(count("process_resident_memory_bytes")).toBeGreaterThan(50_000_000);
  });

  test("reports the queues", async () => {
    const samples = await eventually(async () => {
      const { samples: found } = await scrape();
      // The failing endpoint's two deliveries are due again in a minute: they wait, and none is late.
      const [pending, ageSeconds] = ["pending", "age_seconds"].map((what) =>
        found.get(`mostrador_queue_${what}{queue="webhooks"}`),
      );
      return pending === 2 && ageSeconds === 0 && found;
    });
    expect(samples.get('mostrador_queue_pending{queue="fiscal"}')).toBe(0);
  });

  test.each(["grafana/mostrador.json", "prometheus/alerts.yml"])("has every metric that ops/%s names", async (file) => {
    const { types } = await scrape();
    const text = readFileSync(`${projectDir}ops/${file}`, "utf8");
    // Only an embedded database has its disk here.
    const shown = new Set(text.match(/\b(mostrador|process)_(?!disk)[a-z_]+/g));
    expect(shown.size).toBeGreaterThan(10);
    const names = [...types.keys()];
    const missing = [...shown].filter((name) => !names.includes(name.replace(/_(bucket|sum|count)$/, "")));
    expect(missing.filter((name) => !names.includes(name))).toEqual([]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: log lines are what they are
type Line = any;

function lines(): Line[] {
  return service
    .printed()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

describe("the log", () => {
  test("has one line per request, with its id and its account", async () => {
    const found = await eventually(() =>
      lines().find(({ path, status }) => path === "/sync/v1/push" && status === 200),
    );
    expect(found).toMatchObject({ method: "POST", account_id: shop.accountId, device_id: till.deviceId });
    const made = lines().filter(({ path, method }) => path === "/public/v1/customers" && method === "POST");
    expect(made).toMatchObject([{ status: 201, account_id: shop.accountId, key_id: shop.keyId }]);
    expect(made[0].request_id).toMatch(/^req_[0-9a-f]{32}$/);
    expect(made[0].ms).toBeGreaterThan(0);
    expect(lines().filter(({ status }) => status === 401)).toMatchObject([{ path: "/public/v1/sales" }]);
  });

  test("has one line per delivery attempt, successful or not", async () => {
    const attempts = await eventually(() => {
      const found = lines().filter(({ msg }) => msg === "webhook attempt");
      return found.length === 4 && found;
    });
    const named = { account_id: shop.accountId, event_type: "customer.created", attempt: 1 };
    for (const line of attempts) expect(line).toMatchObject(named);
    const ended = (id: string) => attempts.filter(({ endpoint_id }) => endpoint_id === id).map(({ status }) => status);
    expect(ended(endpoint.id)).toEqual([200, 200]);
    expect(ended(sick.id)).toEqual([500, 500]);
  });

  test("names the request that caused the event in each attempt's line", () => {
    const caused = new Set(lines().flatMap(({ msg, request_id }) => (msg === "webhook attempt" ? [request_id] : [])));
    const asked = lines().filter(({ request_id, path }) => path !== undefined && caused.has(request_id));
    expect(asked.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      "POST /public/v1/customers",
      "POST /sync/v1/push",
    ]);
    expect(caused.size).toBe(2);
  });

  test("holds no key, token, password, secret or personal data", async () => {
    await eventually(() => lines().some(({ msg }) => msg === "webhook attempt"));
    const printed = service.printed();
    const secrets = {
      key: shop.key,
      guessed,
      "device token": till.token,
      password: owner.password,
      "webhook secret": endpoint.secret,
      "secret key": hooks.service.deps.config.secretKey,
      "database password": new URL(hooks.service.databaseUrl).password,
      "what was searched for": "confidencial",
      "a customer": "Confidencial",
    };
    for (const [what, secret] of Object.entries(secrets)) expect(printed.includes(secret), what).toBe(false);
  });
});
