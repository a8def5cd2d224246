import { uuidv7 } from "./ids.ts";

/** A request's id as clients and logs see it: `req_` and the 32 digits of a UUID, which is what tables keep. */
export function newRequestId(): string {
  return asRequestId(uuidv7(new Date()));
}

export function asRequestId(uuid: string): string {
  return `req_${uuid.replaceAll("-", "")}`;
}

/** The UUID within, as PostgreSQL takes it. */
export function uuidOfRequestId(requestId: string): string {
  return requestId.slice("req_".length);
}
