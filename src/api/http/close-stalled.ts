import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Node's internal names for what a connection has not yet handed to the system. */
type Sending = Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };

/** Checks per stall period. They are counted, not timed: while this process is blocked no client can read. */
const checks = 6;

/**
 * Closes connections whose client reads nothing of the pending response. Unread responses stay in memory as long as their
 * connection is open, and Node has no timeout for slow readers.
 */
export function closeStalledConnections(app: FastifyInstance, stallMs: number): void {
  const marks = new Map<Sending, { sent: number; checks: number } | undefined>();
  app.server.on("connection", (socket: Socket) => {
    marks.set(socket, undefined);
    socket.once("close", () => marks.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, mark] of marks) {
      const { writableLength, _handle: handle } = socket;
      if (writableLength === 0 || !handle) {
        if (mark) marks.set(socket, undefined);
        continue;
      }
      const sent = handle.bytesWritten - handle.writeQueueSize;
      if (mark?.sent !== sent) marks.set(socket, { sent, checks: 0 });
      else if (++mark.checks >= checks) {
        app.log.warn(
          { unread_bytes: writableLength, remote_address: socket.remoteAddress },
          "client cut: it reads nothing",
        );
        socket.destroy();
      }
    }
  }, stallMs / checks);
  timer.unref();
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    done();
  });
}
