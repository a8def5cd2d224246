import { uuidv7 } from "./ids.ts";

/** A request id as clients and logs see it: `req_` and the 32 hexadecimal digits of a UUID. Tables store the UUID. */
export function newRequestId(): string {
  return asRequestId(uuidv7(new Date()));
}

export function asRequestId(uuid: string): string {
  return `req_${uuid.replaceAll("-", "")}`;
}

/** The UUID, in a form that PostgreSQL accepts. */
export function uuidOfRequestId(requestId: string): string {
  return requestId.slice("req_".length);
}
