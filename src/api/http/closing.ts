import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const sweepEveryMs = 50;
/** Longer than the statement timeout (15 s), shorter than the 30 s that process managers usually allow. */
const maxCloseMs = 20_000;

declare module "fastify" {
  interface FastifyInstance {
    /** Closes each connection after its next response, so that clients reconnect elsewhere before we stop. */
    closeConnectionsAfterResponse(): void;
  }
}

/**
 * Node closes idle connections only once, when closing begins. One that was busy then would stay open for its whole
 * keep-alive time and delay the stop, so idle connections are closed repeatedly until none is left.
 */
export function closeConnectionsOnceIdle(app: FastifyInstance): void {
  const sockets = new Set<Socket & { _httpMessage?: ServerResponse | null }>();
  let sweep: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  app.decorate("closeConnectionsAfterResponse", () => {
    app.server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
    });
    // Node's internal name for the response that a connection is busy with.
    for (const { _httpMessage: response } of sockets) if (response) response.shouldKeepAlive = false;
  });
  app.addHook("preClose", (done) => {
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs).unref();
    deadline = setTimeout(() => app.server.closeAllConnections(), maxCloseMs).unref();
    done();
  });
  app.addHook("onClose", (_app, done) => {
    clearInterval(sweep);
    clearTimeout(deadline);
    done();
  });
}
