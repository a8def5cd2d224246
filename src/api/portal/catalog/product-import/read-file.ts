import { Worker } from "node:worker_threads";
import { second } from "../../../../lib/clock.ts";
import { runningTasks, turnsByKey } from "../../../../lib/concurrency-limit.ts";
import { ApiError } from "../../../../lib/errors.ts";
import { unavailable } from "../../../http/error-handler.ts";
import type { FileToRead, ReadFile } from "./read-file-worker.ts";

/** What reading one file may take. */
const usual = {
  /** Enough for the largest sheet that the limits allow; a file that needs more was made to. */
  heapMb: 192,
  /** Processor time, without that of starting the thread: on a busy machine a large file takes longer and is read all the same. */
  cpuMs: 3 * second,
  /** A thread that hardly gets any processor time must not keep its turn for ever. */
  totalMs: 50 * second,
};
const watchEveryMs = 100;
/** Threads at once, of all accounts; one account has one. */
const maxThreads = 2;
/** Files in memory, being read or waiting, of one account and of all. */
const maxOfAccount = 3;
const maxInAll = 16;

const inTurns = turnsByKey(maxThreads);
const running = runningTasks();

/** What a file says about products. Refuses it with the reason when it cannot be read. */
export async function readFile(
  accountId: string,
  bytes: Buffer,
  { chosen, zeroTax, ...limits }: Partial<typeof usual> & Partial<Omit<FileToRead, "file">> = {},
): Promise<ReadFile> {
  if (bytes.length === 0) throw fileError("El archivo está vacío. Elija otro.");
  // Excel before 2007, and PDF.
  if (["d0cf11e0", "25504446"].includes(bytes.subarray(0, 4).toString("hex")))
    throw fileError(
      "Este tipo de archivo no se puede leer. En Excel use Guardar como… y elija «Libro de Excel (.xlsx)» o «CSV».",
    );
  if (running.count(accountId) >= maxOfAccount) throw alreadyReading();
  if (running.count("all") >= maxInAll) throw unavailable(2);
  return running.run([accountId, "all"], () =>
    inTurns(accountId, () => inThread({ file: bytes, chosen, zeroTax }, { ...usual, ...limits })),
  );
}

export function fileError(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { param: "file", message, extra: { errors: [{ param: "file", message }] } });
}

const alreadyReading = () =>
  new ApiError("RATE_LIMITED", {
    message: "Ya se están leyendo otros archivos suyos. Espere a que terminen y suba este de nuevo.",
    headers: { "retry-after": "5" },
  });

async function inThread(workerData: FileToRead, { heapMb, cpuMs, totalMs }: typeof usual): Promise<ReadFile> {
  const worker = new Worker(new URL("./read-file-worker.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
  });
  const timer = setTimeout(() => void worker.terminate(), totalMs);
  let watch: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      worker.on("message", (message: Answer | "ready") => {
        if (message === "ready") watch = limitProcessorTime(worker, cpuMs);
        else resolve(message);
      });
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the reader was stopped")));
    });
    if ("refused" in answer) throw fileError(answer.refused);
    return answer.read;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "ERR_WORKER_OUT_OF_MEMORY" || message === "the reader was stopped")
      throw fileError("El archivo es demasiado grande o tardó demasiado en leerse. Divídalo en varios más pequeños.");
    throw error;
  } finally {
    clearInterval(watch);
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Ends the thread once it has used so much from now on. */
function limitProcessorTime(worker: Worker, cpuMs: number): NodeJS.Timeout {
  // A thread that has ended has no processor time.
  const used = (since?: NodeJS.CpuUsage) => worker.cpuUsage(since).catch(() => undefined);
  const atStart = used();
  const check = async () => {
    const usage = await used(await atStart);
    if (usage && (usage.user + usage.system) / 1_000 > cpuMs) await worker.terminate();
  };
  return setInterval(() => void check(), watchEveryMs);
}

type Answer = { read: ReadFile } | { refused: string };
