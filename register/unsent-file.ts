import type { Entry } from "./protocol.ts";

/** What a register saves when it can no longer upload; the portal takes it in. The numbers in it say what came before. */
export interface UnsentFile {
  type: "caja-sin-subir.1";
  device_id: string;
  register: string;
  saved_at: string;
  records: Entry[];
}

export function unsentFile(of: Omit<UnsentFile, "type">): string {
  return JSON.stringify({ type: "caja-sin-subir.1", ...of } satisfies UnsentFile, undefined, 1);
}

/** Undefined for a file of another kind. */
export function readUnsentFile(text: string): UnsentFile | undefined {
  try {
    const file = JSON.parse(text) as Partial<UnsentFile> | null;
    const isOurs = file?.type === "caja-sin-subir.1" && typeof file.device_id === "string";
    return isOurs && Array.isArray(file.records) ? (file as UnsentFile) : undefined;
  } catch {
    return undefined;
  }
}

const maxRecords = 200;
/** Well below what a request may have. */
const maxCharacters = 300_000;

/** In parts that one request carries each. */
export function partsOf(records: readonly Entry[]): Entry[][] {
  const parts: Entry[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const size = JSON.stringify(record).length;
    if (characters + size > maxCharacters || parts.at(-1)!.length === maxRecords) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)!.push(record);
    characters += size;
  }
  return parts;
}
