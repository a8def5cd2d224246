import { parentPort, workerData } from "node:worker_threads";
import type { ZeroTaxClass } from "./columns.ts";
import { type ChosenColumns, type Interpreted, interpret, type SheetRow } from "./interpret.ts";
import { readCsv } from "./read-csv.ts";
import { readXlsx } from "./read-xlsx.ts";
import { checkSize, inBatches, maxListedErrors, SheetError } from "./sheet.ts";

const rowsPerBatch = 250;

/** What a file says, as far as the service needs it. */
export interface ReadFile extends Pick<Interpreted, "errors" | "headings" | "unclear" | "zeroTaxRows"> {
  /** The rows without an error and those whose errors are listed, some in each, as JSON: the service's own thread unpacks them one by one, as it compares them. */
  batches: string[];
  rowCount: number;
  errorCount: number;
}

// A thread of its own, so that reading a large file delays nobody's request, and so that its memory has a limit.
parentPort!.postMessage("ready");
// The library makes its steps smaller on a slow machine, and each step copies all rows so far. Nothing else here asks for the time.
Date.now = () => 0;

/** What the thread is given. */
export interface FileToRead {
  file: Uint8Array;
  chosen: ChosenColumns | undefined;
  zeroTax: ZeroTaxClass | undefined;
}
const { file, chosen, zeroTax } = workerData as FileToRead;
const bytes = Buffer.from(file);
try {
  const isArchive = bytes.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]));
  const sheet = checkSize(isArchive ? await readXlsx(bytes) : readCsv(bytes));
  parentPort!.postMessage({ read: shortened(interpret(sheet, chosen, zeroTax)) });
} catch (error) {
  if (!(error instanceof SheetError)) throw error;
  parentPort!.postMessage({ refused: error.message });
}

/** Errors that nobody sees stay here. */
function shortened({ rows, errors, headings, unclear, zeroTaxRows }: Interpreted): ReadFile {
  const wrong = new Set(errors.map(({ row }) => row));
  const listed = new Set(errors.slice(0, maxListedErrors).map(({ row }) => row));
  // A product that its row does not identify cannot be compared.
  const isKnown = ({ wrong: names, fields }: SheetRow) =>
    !names.some((name) => (name === "sku" || name === "id") && fields[name] === undefined);
  const compared = rows.filter((row) => !wrong.has(row.row) || (listed.has(row.row) && isKnown(row)));
  return {
    batches: inBatches(compared, rowsPerBatch).map((batch) => JSON.stringify(batch)),
    rowCount: rows.length,
    errors: errors.slice(0, maxListedErrors),
    errorCount: errors.length,
    headings,
    unclear,
    zeroTaxRows,
  };
}
