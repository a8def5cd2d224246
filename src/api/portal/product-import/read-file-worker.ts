import { parentPort, workerData } from "node:worker_threads";
import { interpret } from "./interpret.ts";
import { readCsv } from "./read-csv.ts";
import { readXlsx } from "./read-xlsx.ts";
import { SheetError } from "./sheet.ts";

// A thread of its own, so that reading a large file delays nobody's request, and so that its memory has a limit.
const bytes = Buffer.from(workerData as Uint8Array);
try {
  const isArchive = bytes.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]));
  const sheet = isArchive ? await readXlsx(bytes) : readCsv(bytes);
  parentPort!.postMessage({ read: interpret(sheet) });
} catch (error) {
  if (!(error instanceof SheetError)) throw error;
  parentPort!.postMessage({ refused: error.message });
}
