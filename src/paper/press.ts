import { once } from "node:events";
import { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import { second } from "../lib/clock.ts";
import { ApiError } from "../lib/errors.ts";
import type { Paper, PaperWidth } from "./paper.ts";

/** An account that asks for more at once waits for its earlier papers; one shop must not keep the others from printing. */
const mostPerAccount = 6;
const mostWaiting = 60;
/** A paper takes some 10 ms; one that takes this long never ends. */
const longestMs = 20 * second;
/** A thread holds some 30 MB: one that nobody used for a while ends. */
const idleMs = 30 * second;

export interface PressOrder {
  id: number;
  paper: Paper;
  width: PaperWidth;
}

export interface PressMessage {
  id: number;
  chunk?: Uint8Array;
  isEnd?: boolean;
  error?: string;
}

/** Draws papers in a thread of its own: requests and registers never wait for a PDF. */
export interface Press {
  /** The PDF's bytes, once the first are there. Rejects when the account, or everybody together, asks for too many. */
  print(accountId: string, paper: Paper, width: PaperWidth): Promise<Readable>;
  /** Ends the thread; what is being printed breaks off. */
  stop(): Promise<void>;
}

interface Job {
  accountId: string;
  stream: Readable;
  timer: NodeJS.Timeout;
}

export function newPress(): Press {
  const jobs = new Map<number, Job>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function started(): Worker {
    clearTimeout(idle);
    if (worker) return worker;
    const added = new Worker(new URL("./press-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 192 },
    });
    added.unref();
    added.on("message", (message: PressMessage) => receive(message));
    added.on("error", (error) => endAll(added, error as Error));
    added.on("exit", () => endAll(added, new Error("the printing thread ended")));
    worker = added;
    return added;
  }

  function receive({ id, chunk, isEnd, error }: PressMessage): void {
    const job = jobs.get(id);
    if (!job) return;
    if (chunk) job.stream.push(chunk);
    if (isEnd) job.stream.push(null);
    if (error !== undefined) job.stream.destroy(new Error(error));
    if (isEnd || error !== undefined) finish(id);
  }

  function finish(id: number): void {
    clearTimeout(jobs.get(id)?.timer);
    jobs.delete(id);
    if (jobs.size > 0) return;
    idle = setTimeout(() => void stop(), idleMs);
    idle.unref();
  }

  function endAll(ended: Worker, error: Error): void {
    if (worker !== ended) return;
    worker = undefined;
    for (const [id, { stream }] of jobs) {
      stream.destroy(error);
      finish(id);
    }
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    await worker?.terminate();
  }

  function admit(accountId: string): void {
    const own = [...jobs.values()].filter((job) => job.accountId === accountId).length;
    if (own < mostPerAccount && jobs.size < mostWaiting) return;
    throw new ApiError("RATE_LIMITED", {
      headers: { "retry-after": "2" },
      message: "Ya se están preparando varios PDF. Espere los segundos de `Retry-After` y pida este de nuevo.",
    });
  }

  return {
    stop,
    async print(accountId, paper, width) {
      admit(accountId);
      const id = ++lastId;
      const stream = new Readable({ read() {} });
      const timer = setTimeout(() => {
        stream.destroy(new Error(`a paper took more than ${longestMs} ms`));
        void worker?.terminate();
      }, longestMs);
      timer.unref();
      jobs.set(id, { accountId, stream, timer });
      started().postMessage({ id, paper, width } satisfies PressOrder);
      await once(stream, "readable");
      return stream;
    },
  };
}

/** For an attachment: the whole PDF. */
export async function wholeOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
