import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import type { Plan } from "../../src/access/accounts/create-account.ts";
import { setAccount } from "../../src/access/accounts/set-account.ts";
import { createCustomer } from "../../src/business/customers/operations.ts";
import { sql } from "../../src/db/sql.ts";
import { type EventType, eventTypes } from "../../src/engine/events/event-types.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { rotateSecret } from "../../src/webhooks/endpoints/rotate-secret.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { type StatusChange, setEndpointStatus } from "../../src/webhooks/endpoints/set-endpoint-status.ts";
import { startWebhookWorker, type WebhookWorker } from "../../src/webhooks/queue/worker.ts";
import { type Network, trustedAuthorities } from "../../src/webhooks/sending/connection.ts";
import { dnsResolver } from "../../src/webhooks/sending/resolve-host.ts";
import { sendTest } from "../../src/webhooks/sending/send-test.ts";
import { eventually } from "./eventually.ts";
import { shared } from "./fixtures.ts";
import { type Receiver, type Responder, receiverHost, startReceiver } from "./receiver.ts";
import { type Business, type Service, startService } from "./service.ts";

export interface Hooks extends AsyncDisposable {
  service: Service;
  receiver: Receiver;
  /** The worker of this process; `restart` ends it as a deployment would, and starts another. */
  restart(changes?: Partial<Network>): Promise<void>;
  stopWorker(): Promise<void>;
  /** Everything known of an endpoint's deliveries, oldest first. */
  deliveries(endpoint: TestEndpoint): Promise<StoredDelivery[]>;
  setStatus(business: Business, endpoint: TestEndpoint, change: StatusChange): Promise<void>;
  setPlan(business: Business, plan: Plan): Promise<void>;
  rotate(business: Business, endpoint: TestEndpoint): Promise<string>;
  sendTest(business: Business, endpoint: TestEndpoint): Promise<string>;
  /** A write that needs no key, as a register makes it. */
  writeCustomer(business: Business, name: string): Promise<void>;
  /** Many in one write. */
  writeCustomers(business: Business, count: number): Promise<void>;
  /** A backlog at each endpoint: many pending deliveries of one event. */
  backlog(business: Business, endpoints: readonly TestEndpoint[], count: number): Promise<void>;
  /** Resolves once the worker has polled, and sent what was due, after this call. */
  looked(): Promise<void>;
  endpoint(business: Business, options?: { path?: string; types?: EventType[]; host?: string }): Promise<TestEndpoint>;
  /** Moves the clock of the installation, as `mostrador clock advance` does. */
  advance(ms: number): void;
}

export interface TestEndpoint {
  id: string;
  path: string;
  secret: string;
}

/** The service with its webhook worker, and a receiver that its settings resolve to. */
export async function startHooks(
  options: { network?: Partial<Network>; settings?: Record<string, string> } = {},
): Promise<Hooks> {
  const receiver = await startReceiver();
  const service = await startService({
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
  const hooks: Hooks = {
    service,
    receiver,
    async restart(changes = {}) {
      await worker?.stop();
      worker = startWebhookWorker(deps, { ...network, ...changes });
    },
    async stopWorker() {
      await worker?.stop();
      worker = undefined;
    },
    async endpoint(business, { path = `/hook-${++made}`, types = [...eventTypes], host = receiverHost } = {}) {
      const box = secretBox(deps.config.secretKey);
      const url = `https://${host}${path}`;
      const { id, secret } = await withAccountLock(deps, business.accountId, (client) =>
        createEndpoint(client, box, business.accountId, { url, event_types: types }, deps.clock.now()),
      );
      receiver.secrets.set(path, [secret]);
      return { id, path, secret };
    },
    deliveries: (endpoint) => deliveriesOf(service, endpoint.id),
    async setStatus({ accountId }, endpoint, change) {
      await withAccountLock(deps, accountId, (client) =>
        setEndpointStatus(client, accountId, endpoint.id, change, deps.clock.now()),
      );
      deps.deliveries!.announce([{ accountId, endpointId: endpoint.id }]);
    },
    async setPlan({ accountId }, plan) {
      await setAccount(deps, accountId, { plan });
      deps.access.clear();
      deps.changes!.emit();
    },
    async rotate({ accountId }, endpoint) {
      const box = secretBox(deps.config.secretKey);
      const { secret } = await withAccountLock(deps, accountId, (client) =>
        rotateSecret(client, box, accountId, endpoint.id, deps.clock.now()),
      );
      return secret;
    },
    async sendTest({ accountId }, endpoint) {
      const id = await withAccountLock(deps, accountId, (client) =>
        sendTest(client, accountId, endpoint.id, deps.clock.now()),
      );
      deps.deliveries!.announce([{ accountId, endpointId: endpoint.id }]);
      return id;
    },
    async writeCustomer({ accountId }, name) {
      await writing(deps, accountId, (write) => createCustomer(write, { name }));
    },
    async writeCustomers({ accountId }, count) {
      await writing(deps, accountId, async (write) => {
        for (let i = 0; i < count; i++) await createCustomer(write, { name: `${i}` });
      });
    },
    async backlog({ accountId }, endpoints, count) {
      await deps.pool.query(sql`
        insert into webhook_queue (account_id, endpoint_id, due_at, id, created_at, event_id, event_type)
        select e.account_id, p.id::uuid, e.created_at, (left(e.id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid,
          e.created_at, e.id, e.type
        from (select * from events where account_id = ${accountId} limit 1) e,
          unnest(${endpoints.map(({ id }) => id)}::text[]) as p(id), generate_series(1, ${count}::int)`);
    },
    async looked() {
      // A delivery to an extra endpoint, queued after the call, arrives after everything the same poll found.
      const witness = await service.business();
      const endpoint = await hooks.endpoint(witness, { types: ["customer.created"] });
      await withAccountLock(deps, witness.accountId, async (client) => {
        await sendTest(client, witness.accountId, endpoint.id, deps.clock.now());
      });
      await receiver.arrivals(endpoint.path, 1);
    },
    advance(ms) {
      deps.clock.shiftTo(deps.clock.offsetMs() + ms);
    },
    async [Symbol.asyncDispose]() {
      await worker?.stop();
      await service[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
  return hooks;
}

/** The same for all tests of the file. */
export function sharedHooks(options: Parameters<typeof startHooks>[0] = {}): Hooks {
  return shared(() => startHooks(options));
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

/** Resolves with the endpoint's only delivery, once it is in this state. */
export function deliveryOf(
  service: Service,
  endpointId: string,
  state: string,
  isReady: (delivery: StoredDelivery) => boolean = () => true,
): Promise<StoredDelivery> {
  return eventually(async () => {
    const found = await deliveriesOf(service, endpointId);
    return found.length === 1 && found[0]!.state === state && isReady(found[0]!) && found[0];
  });
}

export function failWith(status: number): Responder {
  return (_received, response) => response.writeHead(status).end();
}
