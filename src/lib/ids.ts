import { hash, randomFillSync } from "node:crypto";

export const uuidPattern = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
const uuidRegExp = new RegExp(uuidPattern);

export function isUuid(text: string): boolean {
  return uuidRegExp.test(text);
}

let pool = Buffer.alloc(0);
let used = 0;
let lastMs = -1;
let counter = 0;

/**
 * A version 7 UUID. Ids of one millisecond ascend in the order they were created (a 12-bit counter, seeded low enough not
 * to overflow), so the events of one transaction sort as they were emitted.
 */
export function uuidv7(at: Date): string {
  if (used + 10 > pool.length) {
    pool = randomFillSync(Buffer.allocUnsafe(10 * 256));
    used = 0;
  }
  const ms = at.getTime();
  if (ms === lastMs && counter < 0xfff) counter += 1;
  else counter = pool.readUInt16BE(used) & 0x1ff;
  lastMs = ms;
  const time = ms.toString(16).padStart(12, "0");
  const middle = (0x7000 | counter).toString(16);
  pool[used + 2] = (pool[used + 2]! & 0x3f) | 0x80;
  const tail = pool.toString("hex", used + 2, used + 10);
  used += 10;
  return `${time.slice(0, 8)}-${time.slice(8)}-${middle}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** A version 8 UUID: the same for the same text. */
export function uuidFrom(text: string): string {
  const digits = hash("sha256", text, "hex");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

export function uuidBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

export function uuidOfBytes(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The instant in a version 7 UUID, or undefined for any other UUID. */
export function timeOfUuidv7(id: string): Date | undefined {
  if (id[14] !== "7") return undefined;
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
