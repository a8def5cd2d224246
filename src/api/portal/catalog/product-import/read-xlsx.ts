import { readSheet } from "read-excel-file/universal";
import { checkXml } from "./check-xml.ts";
import { type Sheet, SheetError } from "./sheet.ts";
import { packPlain, unpackXlsx } from "./unpack-xlsx.ts";

/** The first sheet of an Excel file. */
export async function readXlsx(bytes: Buffer): Promise<Sheet> {
  const parts = unpackXlsx(bytes);
  checkXml(parts);
  const archive = new Uint8Array(packPlain(parts)).buffer;
  try {
    return (await readSheet(archive)) as Sheet;
  } catch (cause) {
    throw new SheetError(
      "El archivo de Excel está dañado o no tiene hojas. Ábralo, guárdelo otra vez como .xlsx y súbalo.",
      { cause },
    );
  }
}
