import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReceiverAddress } from "./side.ts";

export interface Receiver extends ReceiverAddress {
  /** What arrived so far, and since the last report which events at `/timed`, with the instant in ns. */
  report(): Promise<{ count: number; arrived: [eventId: string, atNs: string][] }>;
  stop(): Promise<void>;
}

/** The HTTPS receiver of bench/support/webhook-receiver.ts, in its own process. */
export async function startReceiver(): Promise<Receiver> {
  const child = fork(new URL("../support/webhook-receiver.ts", import.meta.url), { execPath: process.execPath });
  const [{ port, cert }] = (await once(child, "message")) as [{ port: number; cert: string }];
  const folder = await mkdtemp(join(tmpdir(), "mostrador-receiver-"));
  const caFile = join(folder, "receiver.pem");
  await writeFile(caFile, cert);
  return {
    host: "bench.example.com",
    port,
    caFile,
    async report() {
      const answer = once(child, "message");
      child.send("report");
      return (await answer)[0];
    },
    async stop() {
      child.disconnect();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
