import { createServer } from "node:https";
import { selfSigned } from "../../src/webhooks/sending/self-signed.ts";

// The receiver of bench/webhooks.ts, in its own process. It answers 200 and reports to its parent what arrived and when.

const certificate = await selfSigned(["*.example.com"]);
let arrived: [id: string, atNs: string][] = [];
let count = 0;

const server = createServer(certificate, (request, response) => {
  const isHanging = request.url!.startsWith("/hang");
  const id = request.headers["service-event-id"] as string | undefined;
  request.on("data", () => {});
  request.on("end", () => {
    // No response: the sender times out after 10 s.
    if (isHanging) return;
    count += 1;
    if (id !== undefined && request.url!.startsWith("/timed")) arrived.push([id, process.hrtime.bigint().toString()]);
    response.writeHead(200, { "content-length": 2 }).end("ok");
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send!({ port: (server.address() as { port: number }).port, cert: certificate.cert });
});
process.on("message", () => {
  process.send!({ count, arrived });
  arrived = [];
});
process.on("disconnect", () => process.exit(0));
