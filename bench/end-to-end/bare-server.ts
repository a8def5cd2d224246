import { readFileSync } from "node:fs";
import { connect as connectTls } from "node:tls";
import fastify from "fastify";
import { Pool as HttpPool } from "undici";
import { createPool } from "../../src/db/create-pool.ts";
import { dailyPartitions } from "../../src/db/partitions.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";
import { signatureHeader } from "../../src/webhooks/endpoints/signature.ts";
import { insertBareCustomer } from "../support/bare-customer.ts";
import type { Business, ReceiverAddress } from "./side.ts";

// The limit of a call that ends in a webhook: the same rows in one transaction, then a signed POST. No keys, validation, clock,
// queue, retries or log, and a webhook that fails or is pending at a crash is lost.

const { businesses, receiver, path } = JSON.parse(process.argv[2]!) as {
  businesses: Business[];
  receiver: ReceiverAddress;
  path: string;
};
const database = createPool({ url: process.env.DATABASE_URL! });
const ca = readFileSync(receiver.caFile);
const http = new HttpPool(`https://${receiver.host}`, {
  connections: 64,
  connect: (_options, callback) => {
    const socket = connectTls({ host: "127.0.0.1", port: receiver.port, servername: receiver.host, ca });
    socket.once("secureConnect", () => callback(null, socket)).once("error", (error) => callback(error, null));
  },
});
const byHeader = new Map(businesses.map((one) => [`Bearer ${one.key}`, one]));
const secret = `whsec_${"0".repeat(64)}`;

await dailyPartitions(database, dailyTables).ensure(new Date());
const server = fastify();
server.post<{ Headers: { authorization: string }; Body: { name: string } }>(
  "/public/v1/customers",
  async (request, reply) => {
    const { accountId, endpointId } = byHeader.get(request.headers.authorization)!;
    const { text, event } = await insertBareCustomer(database, accountId, request.body, endpointId);
    void announce(event);
    return reply.code(201).type("application/json").send(text);
  },
);

async function announce(body: string): Promise<void> {
  const headers = {
    "content-type": "application/json",
    "service-event-id": (JSON.parse(body) as { id: string }).id,
    "service-signature": signatureHeader(body, [secret], Math.floor(Date.now() / 1000)),
  };
  const response = await http.request({ path, method: "POST", headers, body });
  await response.body.dump();
}

await server.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
console.log("ready");
process.on("SIGTERM", () => process.exit(0));
