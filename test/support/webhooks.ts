import { setTimeout as delay } from "node:timers/promises";
import { holdingAccount } from "../../src/accounts/hold-account.ts";
import { sql } from "../../src/db/sql.ts";
import { type EventType, eventTypes } from "../../src/events/event-types.ts";
import { type Network, trustedAuthorities } from "../../src/webhooks/connection.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { dnsResolver } from "../../src/webhooks/resolve-host.ts";
import { secretBox } from "../../src/webhooks/secret-box.ts";
import { startWebhookWorker, type WebhookWorker } from "../../src/webhooks/worker.ts";
import { type Receiver, receiverHost, startReceiver } from "./receiver.ts";
import { type Business, type Service, startService } from "./service.ts";

export interface Hooks extends AsyncDisposable {
  service: Service;
  receiver: Receiver;
  /** The worker of this process; `restart` ends it as a deployment would, and starts another. */
  restart(): Promise<void>;
  stopWorker(): Promise<void>;
  endpoint(business: Business, options?: { path?: string; types?: EventType[]; host?: string }): Promise<TestEndpoint>;
  /** Moves the clock of the installation, as `mostrador clock advance` does. */
  advance(ms: number): void;
}

export interface TestEndpoint {
  id: string;
  path: string;
  secret: string;
}

/** The service with its worker, and a receiver that the test environment's settings lead to. */
export async function startHooks(
  options: { network?: Partial<Network>; settings?: Record<string, string> } = {},
): Promise<Hooks> {
  let service: Service | undefined;
  const receiver = await startReceiver({ now: () => service!.deps.clock.now() });
  service = await startService({
    WEBHOOK_RESOLVE: `${receiverHost}=127.0.0.1:${receiver.port}`,
    WEBHOOK_CA_FILE: receiver.caFile,
    ...options.settings,
  });
  const { deps } = service;
  const network: Network = {
    resolve: dnsResolver(),
    fixed: new Map([[receiverHost, { address: "127.0.0.1", port: receiver.port }]]),
    secureContext: trustedAuthorities(receiver.caFile),
    ...options.network,
  };
  let worker: WebhookWorker | undefined = startWebhookWorker(deps, network);
  let made = 0;
  return {
    service,
    receiver,
    async restart() {
      await worker?.stop();
      worker = startWebhookWorker(deps, network);
    },
    async stopWorker() {
      await worker?.stop();
      worker = undefined;
    },
    async endpoint(business, { path = `/hook-${++made}`, types = [...eventTypes], host = receiverHost } = {}) {
      const box = secretBox(deps.config.secretKey);
      const url = `https://${host}${path}`;
      const { id, secret } = await holdingAccount(deps, business.accountId, (client) =>
        createEndpoint(client, box, business.accountId, { url, event_types: types }, deps.clock.now()),
      );
      receiver.secrets.set(path, [secret]);
      return { id, path, secret };
    },
    advance(ms) {
      deps.clock.shiftTo(deps.clock.offsetMs() + ms);
    },
    async [Symbol.asyncDispose]() {
      await worker?.stop();
      await service![Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

export interface StoredDelivery {
  id: string;
  state: string;
  event_id: string;
  event_type: string;
  due_at: Date | null;
  // biome-ignore lint/suspicious/noExplicitAny: attempts as they are stored
  attempts: any[];
}

/** Everything known of an endpoint's deliveries, oldest first. */
export async function deliveriesOf({ deps }: Service, endpointId: string): Promise<StoredDelivery[]> {
  const { rows } = await deps.pool.query(sql`
    select id, 'pending' as state, event_id, event_type, due_at, attempts, created_at from webhook_queue where endpoint_id = ${endpointId}
    union all
    select id, state, event_id, event_type, null, attempts, created_at from webhook_deliveries where endpoint_id = ${endpointId}
    order by created_at, id`);
  return rows.map((row) => ({ ...row, attempts: JSON.parse(row.attempts) }));
}

/** Asks again until the answer is there: for what no signal announces. */
export async function eventually<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 15_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`still not so after ${withinMs} ms: ${ask}`);
    await delay(5);
  }
}
