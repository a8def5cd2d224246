import { Worker } from "node:worker_threads";
import { second } from "../../../lib/clock.ts";
import { concurrencyLimit, runningTasks } from "../../../lib/concurrency-limit.ts";
import { ApiError } from "../../../lib/errors.ts";
import { unavailable } from "../../http/error-handler.ts";
import type { Interpreted } from "./interpret.ts";

/** Enough for the largest sheet that the limits allow; a file that needs more was made to. */
const maxHeapMb = 192;
const maxMs = 20 * second;
/** Files of all accounts that wait for their turn. */
const maxWaiting = 8;

const oneAtATime = concurrencyLimit(1);
const running = runningTasks();

/** What a file says about products. Refuses it with the reason when it cannot be read. */
export async function readFile(accountId: string, bytes: Buffer): Promise<Interpreted> {
  if (bytes.length === 0) throw fileError("El archivo está vacío. Elija otro.");
  // Excel before 2007, and PDF.
  if (["d0cf11e0", "25504446"].includes(bytes.subarray(0, 4).toString("hex")))
    throw fileError(
      "Este tipo de archivo no se puede leer. En Excel use Guardar como… y elija «Libro de Excel (.xlsx)» o «CSV».",
    );
  // One file per account at a time: a second upload of the same owner is a double click.
  if (running.count(accountId) > 0 || running.count("all") >= maxWaiting) throw unavailable(2);
  return running.run([accountId, "all"], () => oneAtATime(() => inThread(bytes)));
}

export function fileError(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { param: "file", message, extra: { errors: [{ param: "file", message }] } });
}

async function inThread(bytes: Buffer): Promise<Interpreted> {
  const worker = new Worker(new URL("./read-file-worker.ts", import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 32 },
  });
  const timer = setTimeout(() => void worker.terminate(), maxMs);
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      worker.once("message", resolve);
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
    clearTimeout(timer);
    await worker.terminate();
  }
}

type Answer = { read: Interpreted } | { refused: string };
