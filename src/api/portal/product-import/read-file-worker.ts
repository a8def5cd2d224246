import { parentPort, workerData } from "node:worker_threads";
import { interpret } from "./interpret.ts";
import { readCsv } from "./read-csv.ts";
import { readXlsx } from "./read-xlsx.ts";
import { checkSize, maxListedErrors, SheetError } from "./sheet.ts";

/** What a file says, as far as the service needs it. */
export interface ReadFile extends Pick<ReturnType<typeof interpret>, "rows" | "errors" | "ignored"> {
  /** Those with an error, which are not among `rows`, included. */
  rowCount: number;
  errorCount: number;
}

// A thread of its own, so that reading a large file delays nobody's request, and so that its memory has a limit.
parentPort!.postMessage("ready");
// The library makes its steps smaller on a slow machine, and each step copies all rows so far. Nothing else here asks for the time.
Date.now = () => 0;

const bytes = Buffer.from(workerData as Uint8Array);
try {
  const isArchive = bytes.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]));
  const sheet = checkSize(isArchive ? await readXlsx(bytes) : readCsv(bytes));
  parentPort!.postMessage({ read: shortened(interpret(sheet)) });
} catch (error) {
  if (!(error instanceof SheetError)) throw error;
  parentPort!.postMessage({ refused: error.message });
}

/** The service's own thread unpacks what is sent to it: errors that nobody sees stay here. */
function shortened({ rows, errors, ignored }: ReturnType<typeof interpret>): ReadFile {
  const unclear = new Set(errors.map(({ row }) => row));
  return {
    // What a cell should have said is not known: its row is not compared.
    rows: rows.filter(({ row }) => !unclear.has(row)),
    rowCount: rows.length,
    errors: errors.slice(0, maxListedErrors),
    errorCount: errors.length,
    ignored,
  };
}
