import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const sweepEveryMs = 50;
/** Longer than any statement may take (15 s), shorter than the 30 s that process managers commonly grant. */
const maxCloseMs = 20_000;

declare module "fastify" {
  interface FastifyInstance {
    /** From now on every answer is the last on its connection: clients find another process before this one is gone. */
    closeConnectionsAfterResponse(): void;
  }
}

/**
 * Node closes idle connections once, when closing begins. One that was busy then stays open afterwards for its whole
 * keep-alive time, and the stop with it: so they are swept until none is left.
 */
export function closeConnectionsOnceIdle(app: FastifyInstance): void {
  const sockets = new Set<Socket & { _httpMessage?: ServerResponse | null }>();
  let sweep: NodeJS.Timeout | undefined;
  let end: NodeJS.Timeout | undefined;
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  app.decorate("closeConnectionsAfterResponse", () => {
    app.server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
    });
    // Node's own name for the answer that a connection is busy with.
    for (const { _httpMessage: answer } of sockets) if (answer) answer.shouldKeepAlive = false;
  });
  app.addHook("preClose", (done) => {
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs).unref();
    end = setTimeout(() => app.server.closeAllConnections(), maxCloseMs).unref();
    done();
  });
  app.addHook("onClose", (_app, done) => {
    clearInterval(sweep);
    clearTimeout(end);
    done();
  });
}
