import { parentPort } from "node:worker_threads";
import { drawPaper } from "./draw.ts";
import type { PressMessage, PressOrder } from "./press.ts";

/** More than the longest paper of a sale takes. */
const mostBytes = 16 * 1024 * 1024;

const port = parentPort!;
let drawing: Promise<void> = Promise.resolve();
port.on("message", (order: PressOrder) => {
  drawing = drawing.then(() => draw(order));
});

/** One paper after the other: a second one would only make the first slower. */
async function draw({ id, paper, width }: PressOrder): Promise<void> {
  const send = (message: Omit<PressMessage, "id">) => port.postMessage({ id, ...message });
  try {
    let bytes = 0;
    for await (const chunk of drawPaper(paper, width) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new Error(`a paper of more than ${mostBytes} bytes`);
      send({ chunk: new Uint8Array(chunk) });
    }
    send({ isEnd: true });
  } catch (error) {
    send({ error: (error as Error).message });
  }
}
