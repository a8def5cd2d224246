import { readSheet } from "read-excel-file/universal";
import { maxColumns, maxRows, type Sheet, SheetError, tooManyRows } from "./sheet.ts";

/** Unpacked, the largest file that is accepted takes a few megabytes. */
const maxUnpackedBytes = 48 * 1024 * 1024;
const maxEntries = 1_000;

/** The first sheet of an Excel file. */
export async function readXlsx(bytes: Buffer): Promise<Sheet> {
  checkArchive(bytes);
  const copy = new Uint8Array(bytes).buffer as ArrayBuffer;
  let rows: Sheet;
  try {
    rows = (await readSheet(copy)) as Sheet;
  } catch (cause) {
    throw new SheetError(
      "El archivo de Excel está dañado o no tiene hojas. Ábralo, guárdelo otra vez como .xlsx y súbalo.",
      { cause },
    );
  }
  if (rows.length > maxRows + 1) throw tooManyRows();
  const wide = rows.findIndex((row) => row.slice(maxColumns).some((cell) => cell !== null && cell !== ""));
  if (wide !== -1)
    throw new SheetError(`La fila ${wide + 1} tiene más de ${maxColumns} columnas. Deje solo las de la plantilla.`);
  return rows;
}

/**
 * Adds up what the archive says it unpacks to, before anything is unpacked: the library allots memory by these numbers and
 * writes no further than them.
 */
function checkArchive(bytes: Buffer): void {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end === -1 || end + 22 > bytes.length) throw damaged();
  const entries = bytes.readUInt16LE(end + 8);
  let at = bytes.readUInt32LE(end + 16);
  if (entries > maxEntries || at === 0xffffffff) throw tooLarge();
  let unpacked = 0;
  for (let i = 0; i < entries; i++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw damaged();
    unpacked += bytes.readUInt32LE(at + 24);
    if (unpacked > maxUnpackedBytes) throw tooLarge();
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}

const damaged = () =>
  new SheetError("El archivo de Excel está incompleto. Descárguelo o guárdelo otra vez y súbalo de nuevo.");
const tooLarge = () =>
  new SheetError(
    "El archivo de Excel es demasiado grande por dentro. Deje una sola hoja, solo con los productos, y sin imágenes.",
  );
