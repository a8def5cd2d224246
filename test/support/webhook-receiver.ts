import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";

export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read events as a receiver would, without types
  event: any;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** Ids of what was answered with 2xx. */
  accepted: Set<string>;
  /** Resolves once this many have been accepted. */
  until(count: number): Promise<void>;
  server: Server;
}

/** An integrator's receiver, which answers with the status that `answer` gives. */
export async function webhookReceiver(
  answer: (received: number) => number | Promise<number> = () => 204,
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const accepted = new Set<string>();
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => void take(request, response));
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    const event = JSON.parse(body);
    received.push({ headers: request.headers, body, event });
    const status = await answer(received.length);
    response.writeHead(status).end();
    if (status < 300) accepted.add(event.id);
    for (const one of waiting) if (accepted.size >= one.count) one.resolve();
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    accepted,
    server,
    until: (count) =>
      new Promise((resolve) => {
        if (accepted.size >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}
