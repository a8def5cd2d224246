import { followEverywhere } from "../../access/people/follow-at-counter.ts";
import { forgetPeople } from "../../access/people/forget-people.ts";
import { forgetToldAlerts } from "../../alerts/find-alerts.ts";
import { forgetFullBuckets } from "../../api/http/shared-limits.ts";
import { deleteExpired } from "../../api/portal/delete-expired.ts";
import { purgeTombstones } from "../../api/sync/pull/purge-tombstones.ts";
import { tryDueRecords } from "../../api/sync/set-aside/due.ts";
import { forgetActs } from "../../business/counter/counter-acts.ts";
import type { Deps } from "../../deps.ts";
import { tellCertificates } from "../../fiscal/documents/tell-certificates.ts";
import { forgetTicketMails } from "../../fiscal/documents/ticket-mails.ts";
import { hour } from "../../lib/clock.ts";
import { newMetrics } from "../../lib/metrics.ts";
import { purgeClosed } from "../../privacy/business/purge.ts";
import { eraseLate } from "../../privacy/erase/late.ts";
import { forgetIncidents } from "../../sites/status/incidents.ts";
import { forgetOldHours } from "../../webhooks/history/hours.ts";
import { dropLeftBehind } from "../../webhooks/queue/drop-left-behind.ts";
import { retentionInstant } from "./retention.ts";

/** One housekeeping task. `retention` is the instant from which ages are counted. Returns what to log, if anything. */
type Step = (deps: Deps, retention: Promise<Date>) => Promise<object | undefined>;

/** They run in this order, but none depends on another. */
const steps: Readonly<Record<string, Step>> = {
  partitions: async ({ partitions, clock }) => {
    await partitions.ensure(clock.now());
    return undefined;
  },
  tombstones: async ({ pool }, retention) => unlessZero("purged", await purgeTombstones(pool, await retention)),
  expired: async ({ pool, config }, retention) => {
    await deleteExpired(pool, await retention, config.retention);
    return undefined;
  },
  rate_buckets: async ({ pool }) => {
    await forgetFullBuckets(pool);
    return undefined;
  },
  left_behind: async ({ pool }, retention) => unlessZero("left", await dropLeftBehind(pool, await retention)),
  ticket_mails: async ({ pool, config }, retention) =>
    unlessZero("forgotten", await forgetTicketMails(pool, await retention, config.retention.ticket_mails)),
  counter_acts: async ({ pool, config }, retention) =>
    unlessZero("forgotten", await forgetActs(pool, await retention, config.retention.counter_acts)),
  told_alerts: async (deps) => unlessZero("forgotten", await forgetToldAlerts(deps, deps.clock.now())),
  closed_accounts: async (deps, retention) => unlessZero("gone", await purgeClosed(deps, await retention)),
  people: async ({ pool, config }, retention) =>
    unlessZero("forgotten", await forgetPeople(pool, await retention, config.retention.people)),
  people_at_counters: async (deps) => unlessZero("followed", await followEverywhere(deps)),
  late_erasures: async (deps) => unlessZero("cleaned", await eraseLate(deps, deps.clock.now())),
  certificates: async ({ pool, clock }) => unlessZero("told", await tellCertificates(pool, clock.now())),
  webhook_hours: async ({ pool }, retention) => {
    await forgetOldHours(pool, await retention);
    return undefined;
  },
  set_aside: async (deps) => {
    const tried = await tryDueRecords(deps);
    return tried.stored + tried.refused + tried.waiting > 0 ? tried : undefined;
  },
  incidents: async ({ pool, clock }) => unlessZero("forgotten", await forgetIncidents(pool, clock.now())),
  // Last, because a running backup delays it.
  retention: async ({ partitions }, retention) => {
    const dropped = await partitions.dropExpired(await retention);
    return dropped.length > 0 ? { dropped } : undefined;
  },
};

function unlessZero(what: string, count: number): object | undefined {
  return count > 0 ? { [what]: count } : undefined;
}

/** Housekeeping by the database's clock. A step that fails is tried again in an hour and does not stop the others. */
export function startMaintenance(deps: Deps): { stop: () => Promise<void> } {
  const { metrics = newMetrics() } = deps;
  // Zero until the first success: a step that never succeeded is as late as can be.
  const succeededAt = new Map(Object.keys(steps).map((step) => [step, 0]));
  const stopObserving = metrics.collect(() =>
    Array.from(succeededAt, ([step, at]) => ({
      name: "mostrador_housekeeping_success_time_seconds",
      help: "When a step of housekeeping last succeeded in this process, in Unix time; 0 until then.",
      labels: { step },
      value: Math.round(at / 1000),
    })),
  );

  async function runSteps(): Promise<void> {
    if (!deps.clock.isTrusted()) return;
    const retention = readRetention(deps);
    retention.catch(() => {});
    for (const [step, run] of Object.entries(steps)) {
      try {
        const done = await run(deps, retention);
        succeededAt.set(step, deps.clock.now().getTime());
        if (done) deps.log.info({ step, ...done }, "housekeeping");
      } catch (error) {
        deps.log.error({ err: error, step }, "a step of housekeeping failed; it is tried again in an hour");
      }
    }
  }
  let running = Promise.resolve();
  const run = () => {
    running = runSteps();
  };
  const timer = setInterval(run, hour);
  timer.unref();
  run();
  return {
    async stop() {
      clearInterval(timer);
      stopObserving();
      await running;
    },
  };
}

/** Adds the test clock's offset to the database's clock. */
async function readRetention({ pool, clock, log }: Deps): Promise<Date> {
  const { at, isHeldBack } = await retentionInstant(pool);
  if (isHeldBack)
    log.warn(
      { retention_at: at },
      "the database's clock jumped ahead; what that makes old is dropped little by little",
    );
  return new Date(at.getTime() + clock.offsetMs());
}
