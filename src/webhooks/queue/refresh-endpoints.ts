import type { CoreDeps } from "../../engine/deps.ts";
import { secretBox } from "../endpoints/secret-box.ts";
import { loadForSending } from "../endpoints/store.ts";
import type { Network } from "../sending/connection.ts";
import { openSender } from "../sending/send.ts";
import type { EndpointQueue } from "./endpoint-queues.ts";
import { takeAll } from "./in-order.ts";

/** The queues whose endpoint was never read, or whose URL or secrets have changed since. */
export function staleQueues(queues: readonly EndpointQueue[]): EndpointQueue[] {
  return queues.filter((queue) => queue.waiting.some((one) => one.endpointVersion !== queue.endpoint?.version));
}

export async function refreshEndpoints(
  { pool, log, config }: CoreDeps,
  network: Network,
  queues: readonly EndpointQueue[],
): Promise<void> {
  if (queues.length === 0) return;
  const loaded = await loadForSending(pool, secretBox(config.secretKeys), queues, (id, error) =>
    log.error({ err: error, endpoint_id: id }, "an endpoint's secret cannot be read: has SECRET_KEY changed?"),
  );
  for (const queue of queues) {
    const endpoint = loaded.find(({ id }) => id === queue.endpointId);
    if (endpoint?.url !== queue.endpoint?.url) {
      queue.sender?.close();
      queue.sender = endpoint && openSender(network, endpoint.url);
    }
    queue.endpoint = endpoint;
    // Just deleted: the rest of its queue was dropped, or will be by drop-left-behind.ts.
    if (!endpoint) takeAll(queue);
  }
}
