import {
  type ChangesResponse,
  type Identity,
  type PushResponse,
  type StockPage,
  UnreadableAnswer,
} from "./protocol.ts";

// Whoever answers may be a proxy, a hotel's sign-in page, or a service that is broken. Of an answer in another shape nothing is taken.

type Fields = Record<string, unknown>;

export function readIdentity(answer: unknown): Identity {
  const { device_id, token, account_id, epoch, name } = fieldsOf(answer);
  const identity = { device_id: text(device_id), token: text(token), account_id: text(account_id), epoch: text(epoch) };
  return name === undefined ? identity : { ...identity, name: text(name) };
}

export function readPushResponse(answer: unknown): PushResponse {
  const { epoch, acked_seq, results } = fieldsOf(answer);
  return {
    epoch: text(epoch),
    acked_seq: whole(acked_seq),
    results: list(results).map((result) => {
      const { device_seq, status, code = null, record = null } = fieldsOf(result);
      return { device_seq: whole(device_seq), status: text(status), code: code === null ? null : text(code), record };
    }),
  };
}

export function readChangesResponse(answer: unknown, from: string): ChangesResponse {
  const { changes, epoch, acked_seq, ...rest } = fieldsOf(answer);
  return {
    ...position(rest, from),
    epoch: text(epoch),
    acked_seq: whole(acked_seq),
    changes: list(changes).map((change) => {
      const { seq, type, id, deleted, data } = fieldsOf(change);
      return { seq: whole(seq), type: text(type), id: text(id), deleted: deleted === true, data };
    }),
  };
}

export function readStockPage(answer: unknown, from: string): StockPage {
  const { levels, acked_seq, as_of, ...rest } = fieldsOf(answer);
  return {
    ...position(rest, from),
    acked_seq: whole(acked_seq),
    as_of: text(as_of),
    levels: list(levels).map((level) => {
      const [product, warehouse, quantity] = list(level);
      if (!Number.isFinite(quantity)) throw new UnreadableAnswer();
      return [text(product), warehouse === null ? null : text(warehouse), quantity as number];
    }),
  };
}

/** The code and the words of a refusal; an error page has none. */
export function readError(answer: unknown): { code: string; message: string; expected?: number } {
  const error = isFields(answer) && isFields(answer.error) ? answer.error : {};
  const { code, message, expected } = error;
  return {
    code: typeof code === "string" ? code : "UNREADABLE",
    message: typeof message === "string" ? message : "sin explicación",
    ...(Number.isSafeInteger(expected) && { expected: expected as number }),
  };
}

export function number(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new UnreadableAnswer();
  return value;
}

/** Absent is null. */
export function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}

/** More pages after the very same place would be asked for without end. */
export function position({ cursor, has_more }: Fields, from: string): { cursor: string; has_more: boolean } {
  if (has_more === true && cursor === from) throw new UnreadableAnswer();
  return { cursor: text(cursor), has_more: has_more === true };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  if (!isFields(value)) throw new UnreadableAnswer();
  return value;
}

export function text(value: unknown): string {
  if (typeof value !== "string") throw new UnreadableAnswer();
  return value;
}

export function whole(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new UnreadableAnswer();
  return value as number;
}

export function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new UnreadableAnswer();
  return value;
}
