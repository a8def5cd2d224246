import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { dailyPartitions } from "../../src/db/partitions.ts";
import { tellCertificates } from "../../src/fiscal/documents/tell-certificates.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { day, hour } from "../../src/lib/clock.ts";
import { newMetrics } from "../../src/lib/metrics.ts";
import { queueMail } from "../../src/mail/queue-mail.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";
import { startMaintenance } from "../../src/operations/start/maintenance.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { alertsProblem, hasPromtool, type Scrape, scrape, scraped, withoutPromtool } from "../support/alerts.ts";
import { type ApiClient, apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { sharedFolder, sharedService } from "../support/fixtures.ts";
import { type StartedService, startMostrador } from "../support/process.ts";
import { receiverHost } from "../support/receiver.ts";
import { enrol } from "../support/register.ts";
import { type Business, onServer } from "../support/service.ts";

if (!hasPromtool) console.warn(`alerts.test.ts is skipped: ${withoutPromtool}`);

/** Alerts of the two other faults are in overload.test.ts and full-disk.test.ts. */
describe.skipIf(!hasPromtool)("what an operator is woken by", () => {
  const service = sharedService();
  const folder = sharedFolder("mostrador-alerts-");
  let shop: Business;
  let running: StartedService;
  let api: ApiClient;
  let healthy: Scrape;
  beforeAll(async () => {
    shop = await fiscalBusiness(service);
    running = await startMostrador({
      DATABASE_URL: service.databaseUrl,
      SECRET_KEY: service.deps.config.secretKey,
      // Nobody listens there: no mail and no delivery arrives.
      SMTP_URL: "smtp://127.0.0.1:1?requireTLS=false",
      WEBHOOK_RESOLVE: `${receiverHost}=127.0.0.1:1`,
      NODE_OPTIONS: `--import=${new URL("../support/stepped-clock.ts", import.meta.url).href}`,
      STEPPED_CLOCK: join(folder.path, "offset"),
    });
    api = apiClient(running.url, { authorization: `Bearer ${shop.key}` });
    await ready();
    await showing('mostrador_housekeeping_success_time_seconds{step="retention"}', (value) => value > 0);
    healthy = await showing("mostrador_partition_days_ahead", (value) => value > 0);
  });
  afterAll(async () => {
    await running.stop();
  });

  /** The first scrape in which this series is as wanted, whatever else it tells. */
  function seeing(series: string, isWanted: (value: number) => boolean, isReady = false): Promise<Scrape> {
    return eventually(async () => {
      const found = await scrape(running);
      const value = found.samples.get(series);
      const isEnough = !isReady || found.samples.get("mostrador_ready") === 1;
      if (value !== undefined && isWanted(value) && isEnough) return found;
      // What is read from the database is read every five seconds.
      await delay(200);
      return undefined;
    });
  }

  /** The same of a process that is ready: on a machine with too much to do it may be not, for a moment, for want of an answer. */
  const showing = (series: string, isWanted: (value: number) => boolean) => seeing(series, isWanted, true);
  const ready = () => showing("mostrador_ready", (value) => value === 1);
  const growing = (series: string, from: Scrape) => showing(series, (value) => value > (from.samples.get(series) ?? 0));

  test("a database that takes no writes", async () => {
    const name = new URL(service.databaseUrl).pathname.slice(1);
    await onServer(`alter database ${name} set default_transaction_read_only = on`);
    await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await seeing("mostrador_database_up", (value) => value === 0);
    await seeing("mostrador_listener_up", (value) => value === 0);
    const broken = await seeing("mostrador_ready", (value) => value === 0);
    const expected = ["MostradorBaseAusente", "MostradorNoListo", "MostradorSinAvisosDeCambios"];
    expect(alertsProblem(healthy, broken, expected)).toBe("");
    await onServer(`alter database ${name} reset default_transaction_read_only`);
    await ready();
    await showing("mostrador_database_up", (value) => value === 1);
  });

  test("a clock that was set an hour ahead", async () => {
    const step = async (ms: number) => {
      await writeFile(join(folder.path, "offset"), String(ms));
      running.process.kill("SIGUSR2");
    };
    await step(hour);
    await seeing("mostrador_clock_ahead_seconds", (value) => value > 60);
    const broken = await seeing("mostrador_ready", (value) => value === 0);
    const expected = ["MostradorNoListo", "MostradorRelojDesviado", "MostradorRelojDetieneEscrituras"];
    expect(alertsProblem(healthy, broken, expected)).toBe("");
    await step(0);
    await ready();
  });

  test("a table that is gone", async () => {
    const { pool } = service.deps;
    await pool.query("alter table customers rename to customers_gone");
    expect((await api.get("/customers")).status).toBe(500);
    const broken = await ready();
    await pool.query("alter table customers_gone rename to customers");
    expect(alertsProblem(healthy, broken, ["MostradorErrores"])).toBe("");
  });

  test("a day that has no partition", async () => {
    const { pool } = service.deps;
    const before = await ready();
    const tomorrow = new Date(Date.now() + day).toISOString().slice(0, 10).replaceAll("-", "");
    const broken = await eventually(async () => {
      // The first write after each hour's housekeeping makes it anew.
      await pool.query(`drop table if exists events_${tomorrow}`);
      await delay(200);
      const found = await ready();
      return found.samples.get("mostrador_partition_days_ahead")! < 1 && found;
    });
    expect(alertsProblem(before, broken, ["MostradorFaltanParticiones"])).toBe("");
    await dailyPartitions(pool, dailyTables).ensure(new Date());
    await showing("mostrador_partition_days_ahead", (value) => value > 1);
  });

  test("a step of housekeeping that does not succeed", async () => {
    const { pool } = service.deps;
    const metrics = newMetrics();
    const done = () => metrics.render().then((text) => /step="retention"\} [1-9]/.test(text));
    const runOnce = async () => {
      const maintenance = startMaintenance({ ...service.deps, metrics });
      await eventually(done);
      const found = scraped(await metrics.render());
      await maintenance.stop();
      return found;
    };
    const before = await runOnce();
    await pool.query("alter table rate_buckets rename to gone");
    const broken = await runOnce();
    await pool.query("alter table gone rename to rate_buckets");
    expect(alertsProblem(before, broken, ["MostradorMantenimientoDetenido"])).toBe("");
  });

  test("a register whose records cannot be stored, by its own fault and by ours", async () => {
    const before = await ready();
    const till = await enrol(service, shop.accountId);
    await till.push(Array.from({ length: 25 }, () => ({ type: "sale", data: { total: "mucho" } })));
    await service.deps.pool.query(
      `update quarantined_records set state = 'waiting', tried_at = now()
       where account_id = $1 and device_id = $2 and device_seq = 1`,
      [shop.accountId, till.deviceId],
    );
    const broken = await showing('mostrador_set_aside_records{state="waiting"}', (value) => value === 1);
    const expected = ["MostradorRegistrosApartados", "MostradorRegistrosEnEspera"];
    const problem = alertsProblem(before, broken, expected);
    await service.deps.pool.query("delete from quarantined_records");
    await showing('mostrador_set_aside_records{state="waiting"}', (value) => value === 0);
    expect(problem).toBe("");
  });

  test("an authority that rejects, a provider that refuses us, numbers and a certificate that end, and no mail server", async () => {
    const before = await ready();
    const small = await fiscalBusiness(service, { posTo: 10 });
    for (let i = 0; i < 9; i++) await ringUp(service, small.accountId, (at) => [plainSale(at, 1000)]);
    await ringUp(service, shop.accountId, (at) => [1013, 1113, 1213, 1313, 1023].map((total) => plainSale(at, total)));
    const late = await fiscalBusiness(service);
    await setProfile(service.deps, late.accountId, { settings: { certificate_until: "2026-01-01" } });
    await tellCertificates(service.deps.pool, service.deps.clock.now());
    await growing('mostrador_authority_answers_total{answer="misconfigured"}', before);
    await growing('mostrador_notices_total{kind="range_ending"}', before);
    await growing('mostrador_notices_total{kind="certificate_ending"}', before);
    await showing('mostrador_authority_answers_total{answer="rejected"}', (value) => value >= 4);
    const broken = await growing('mostrador_mail_attempts_total{outcome="failed"}', before);
    const expected = [
      "MostradorCertificadoPorVencer",
      "MostradorCorreoNoSale",
      "MostradorDianMalConfigurada",
      "MostradorDianRechaza",
      "MostradorNumeracionPorTerminar",
    ];
    expect(alertsProblem(before, broken, expected)).toBe("");
  });

  test("a network that lets no delivery out", async () => {
    const wish = { url: `https://${receiverHost}/nadie`, event_types: ["customer.created" as const] };
    await withAccountLock(service.deps, shop.accountId, (client) =>
      createEndpoint(client, secretBox(service.deps.config.secretKey), shop.accountId, wish, new Date()),
    );
    const before = await ready();
    expect((await api.post("/customers", { name: "Eva" })).status).toBe(201);
    const broken = await growing('mostrador_webhook_attempts_total{outcome="connect"}', before);
    expect(alertsProblem(before, broken, ["MostradorEntregasFallan"])).toBe("");
  });

  test("workers that hang with what they claimed", async () => {
    const { pool } = service.deps;
    expect((await api.post("/customers", { name: "Ana" })).status).toBe(201);
    const mail = { kind: "fiscal_notice" as const, subject: "Prueba", text: "Prueba", html: "Prueba" };
    await queueMail(pool, shop.accountId, new Date(), mail);
    await ringUp(service, shop.accountId, (at) => [plainSale(at, 1017)]);
    await growing('mostrador_webhook_attempts_total{outcome="connect"}', healthy);
    await growing('mostrador_authority_answers_total{answer="unavailable"}', healthy);
    const before = await ready();
    const held = "leased_until = clock_timestamp() + interval '1 hour'";
    const late = "clock_timestamp() - interval '20 minutes'";
    await pool.query(`update webhook_queue set due_at = ${late}, ${held}`);
    await pool.query(`update fiscal_documents set due_at = ${late}, ${held} where due_at is not null`);
    await pool.query(`update mails set next_attempt_at = ${late}, ${held} where next_attempt_at is not null`);
    for (const queue of ["webhooks", "fiscal"])
      await showing(`mostrador_queue_age_seconds{queue="${queue}"}`, (value) => value > 900);
    const broken = await showing('mostrador_queue_age_seconds{queue="mail"}', (value) => value > 900);
    const expected = [
      "MostradorCorreoAtrasado",
      "MostradorDocumentosAtrasados",
      "MostradorEntregasAtrasadas",
      "MostradorEntregasDetenidas",
    ];
    expect(alertsProblem(before, broken, expected)).toBe("");
    await eventually(async () => {
      // Again and again: a worker that was under way stores when to try next.
      await pool.query("delete from webhook_queue; update mails set next_attempt_at = null, leased_until = null");
      await pool.query("update fiscal_documents set due_at = null, leased_until = null where due_at is not null");
      const { samples } = await ready();
      const queues = ["webhooks", "fiscal", "mail"];
      return queues.every((queue) => samples.get(`mostrador_queue_pending{queue="${queue}"}`) === 0);
    });
  });

  test("an authority that is away", async () => {
    const before = await ready();
    await ringUp(service, shop.accountId, (at) => Array.from({ length: 8 }, () => plainSale(at, 1017)));
    const broken = await showing("mostrador_authority_down", (value) => value === 1);
    expect(alertsProblem(before, broken, ["MostradorDianAusente"])).toBe("");
  });

  test("a process that is gone", async () => {
    await running.stop();
    expect(alertsProblem(healthy, undefined, ["MostradorSinRespuesta"])).toBe("");
  });
});
