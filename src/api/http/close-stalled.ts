import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Node's own names for what a connection has yet to hand to the system. */
type Sending = Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };

/** Looks during the time that a client has. Looks are counted, not time: while this process stood still nobody could read. */
const looks = 6;

/**
 * Ends connections whose client takes nothing of what is waiting for it. Each unread answer holds its memory for as long
 * as its connection stays open, and no timeout of Node's looks at the one who reads.
 */
export function closeStalledConnections(app: FastifyInstance, stallMs: number): void {
  const marks = new Map<Sending, { taken: number; looks: number } | undefined>();
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
      const taken = handle.bytesWritten - handle.writeQueueSize;
      if (mark?.taken !== taken) marks.set(socket, { taken, looks: 0 });
      else if (++mark.looks >= looks) {
        app.log.warn(
          { unread_bytes: writableLength, remote_address: socket.remoteAddress },
          "client cut: it reads nothing",
        );
        socket.destroy();
      }
    }
  }, stallMs / looks);
  timer.unref();
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    done();
  });
}
