import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { type ApiClient, apiClient } from "./client.ts";
import { fiscalBusiness } from "./fiscal.ts";
import { givePassword, openAgain, type Portal } from "./portal.ts";
import { type Receiver, receiverHost } from "./receiver.ts";
import { enrol, type Till, tillOf } from "./register.ts";
import { type Service, serve } from "./service.ts";

const { CITUS_URL: citus, CITUS_END_NODE: endCommand, CITUS_START_NODE: startCommand } = process.env;

/** Whether there are commands that end a node's PostgreSQL with `kill -9`, and start it; `$1` is its address, host:port. */
export const hasNodeCommands = Boolean(citus && endCommand && startCommand);
export const endNode = (node: string) => run(endCommand!, node);
/** Does nothing to one that runs. */
export const startNode = (node: string) => run(startCommand!, node);

async function run(command: string, node: string): Promise<void> {
  await promisify(execFile)("sh", ["-c", command, "sh", node]);
}

/** A business on a known node of a Citus, with everything through which its people reach the service. */
export interface NodeShop {
  accountId: string;
  /** The address of its node, as Citus knows it. */
  node: string;
  api: ApiClient;
  till: Till;
  portal: Portal;
  /** Where its webhooks arrive. */
  path: string;
}

/** Makes `perNode` businesses on each of the nodes with shards. Their clients call the service at `url`. */
export async function makeNodeShops(
  databaseUrl: string,
  { url, receiver, perNode, secretKey }: { url: string; receiver: Receiver; perNode: number; secretKey: string },
): Promise<NodeShop[]> {
  const service = await serve(databaseUrl, { SECRET_KEY: secretKey });
  try {
    const { rows } = await service.deps.pool.query<{ count: number }>(
      "select count(distinct groupid)::int as count from pg_dist_placement p join pg_dist_shard s using (shardid) where s.shardminvalue is not null",
    );
    const shops: NodeShop[] = [];
    // Where an account lies follows from its id, which is random.
    while (shops.length < rows[0]!.count * perNode) {
      const business = await fiscalBusiness(service, { posTo: 1_000_000 });
      const node = await nodeOf(service, business.accountId);
      if (shops.filter((shop) => shop.node === node).length === perNode) continue;
      shops.push(await equip(service, business, node, { url, receiver }));
    }
    return shops;
  } finally {
    await service[Symbol.asyncDispose]();
  }
}

async function equip(
  service: Service,
  business: Awaited<ReturnType<typeof fiscalBusiness>>,
  node: string,
  { url, receiver }: { url: string; receiver: Receiver },
): Promise<NodeShop> {
  const { accountId, key } = business;
  const { deps } = service;
  const path = `/${accountId}`;
  const wish = { url: `https://${receiverHost}${path}`, event_types: [...eventTypes] };
  const { secret } = await withAccountLock(deps, accountId, (client) =>
    createEndpoint(client, secretBox(deps.config.secretKey), accountId, wish, deps.clock.now()),
  );
  receiver.secrets.set(path, [secret]);
  await givePassword(deps.pool, accountId);
  const outside = { ...service, baseUrl: url };
  const till = await enrol(service, accountId);
  return {
    accountId,
    node,
    path,
    api: apiClient(url, { authorization: `Bearer ${key}` }),
    till: tillOf(outside, { device_id: till.deviceId, token: till.token }),
    portal: await openAgain(outside, business, `${accountId}@example.com`),
  };
}

/** The address of the node that holds the account. */
export async function nodeOf({ deps }: Service, accountId: string): Promise<string> {
  const { rows } = await deps.pool.query<{ node: string }>(
    `select n.nodename || ':' || n.nodeport as node from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('account_clock', $1::uuid)`,
    [accountId],
  );
  return rows[0]!.node;
}
