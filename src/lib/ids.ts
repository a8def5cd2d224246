import { randomFillSync } from "node:crypto";

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
  const random = pool.subarray(used, used + 10);
  used += 10;
  const ms = at.getTime();
  if (ms === lastMs && counter < 0xfff) counter += 1;
  else counter = random.readUInt16BE(0) & 0x1ff;
  lastMs = ms;
  const time = ms.toString(16).padStart(12, "0");
  const middle = (0x7000 | counter).toString(16);
  const tail = random.subarray(2);
  tail[0] = (tail[0]! & 0x3f) | 0x80;
  const hex = tail.toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-${middle}-${hex.slice(0, 4)}-${hex.slice(4)}`;
}

/** The instant in a version 7 UUID, or undefined for any other UUID. */
export function timeOfUuidv7(id: string): Date | undefined {
  if (id[14] !== "7") return undefined;
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
