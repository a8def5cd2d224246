import type { FastifyInstance } from "fastify";

const sweepEveryMs = 50;

/**
 * Node closes idle connections once, when closing begins. One that was busy then stays open afterwards for its whole
 * keep-alive time, and the stop with it: so they are swept until none is left.
 */
export function closeConnectionsOnceIdle(app: FastifyInstance): void {
  let sweep: NodeJS.Timeout | undefined;
  app.addHook("preClose", (done) => {
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs).unref();
    done();
  });
  app.addHook("onClose", (_app, done) => {
    clearInterval(sweep);
    done();
  });
}
