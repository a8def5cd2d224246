import type { ErrorObject } from "ajv";
import { resources } from "../../../business/registry.ts";
import type { Finding } from "../../../fiscal/findings/finding.ts";
import { canonicalInstant } from "../../../lib/instant.ts";
import { findUnstorable, storableJson } from "../../../lib/json.ts";
import { isUploaded, maxRecordBytes, type RawRecord, type RecordType } from "../protocol.ts";
import { type BesideSale, readBesideSale } from "./beside-sale.ts";
import { cutTexts } from "./cut-texts.ts";
import { readKnownValues } from "./known-values.ts";
import { readWithinLimits } from "./limit-values.ts";
import type { Conflict } from "./merge-fields.ts";
import { type Aside, refused } from "./outcome.ts";
import { readOwnFields } from "./own-fields.ts";
import { readsAs, readsAsRecord } from "./shapes.ts";

export type Fields = Record<string, unknown>;

/** A readable record of a push: its types are valid and its ids are in lower case. Its values are not checked yet. */
export interface Incoming {
  deviceSeq: number;
  type: RecordType;
  id: string;
  op: "upsert" | "delete";
  /** The account's last change that the register had seen when it made the edit. */
  baseSeq: number;
  editedAt: string | null;
  changed: readonly string[] | null;
  data: Fields;
  /** What a register sends beside a record; it is not published. */
  beside?: BesideSale;
  /** Unknown values and those beyond a limit; `data` has the fallback in their place. */
  findings: readonly Finding[];
  /** Whose it is, where it waited for what another register uploads. */
  deviceId?: string;
  /** Texts that were cut or lost characters, in full. */
  cuts?: readonly Conflict[];
}

export type ReadResult = { readable: Incoming } | { readable: undefined; aside: Aside };

/** Types whose records a register may delete. */
const deletable: ReadonlySet<RecordType> = new Set([
  "product_variant",
  ...resources.flatMap(({ name, isDeletable }) => (isDeletable && isUploaded(name) ? [name] : [])),
]);

/** Types beside which a register says who made the record, and what took a right. */
const hasBeside: ReadonlySet<RecordType> = new Set([
  ...(["sale", "return", "stock_movement", "cash_session", "quote", "product"] as const),
  ...deletable,
]);

/** Reads one record of an upload. `text` is its content, by which its size is judged. */
export function readRecord(record: RawRecord, text: string, mayHoldUnstorable: boolean): ReadResult {
  const raw: RawRecord & Fields = record;
  const unreadable = (reason: string): ReadResult => ({ readable: undefined, aside: refused("UNREADABLE", reason) });
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > maxRecordBytes)
    return unreadable(
      `el registro pesa ${Math.ceil(sizeBytes / 1024)} KiB y el máximo es ${maxRecordBytes / 1024} KiB`,
    );
  if (!readsAsRecord(raw)) return unreadable(explain("", readsAsRecord.errors));
  const type = raw.type as RecordType;
  const op = raw.op as Incoming["op"];
  if (op === "delete" && !deletable.has(type)) return unreadable(`op: un registro ${type} no se elimina`);
  if (op === "upsert" && type === "product_variant") return unreadable("op: una variante se edita en su producto");
  const data = (raw.data ?? {}) as Fields;
  const reads = readsAs[type];
  // A deletion needs only its id, except that a variant's also names the product.
  const isRead = op === "upsert" || type === "product_variant";
  if (isRead && !reads(data)) return unreadable(explain("data", reads.errors));
  const isOdd = mayHoldUnstorable && findUnstorable(raw) !== undefined;
  const { data: read, cuts } = isRead ? cutTexts(type, data, isOdd) : { data: {}, cuts: [] };
  const limited = readWithinLimits(type, read);
  const known = readKnownValues(type, limited.data);
  const own = readOwnFields(type, known.data);
  const readable: Incoming = {
    deviceSeq: raw.device_seq,
    type,
    id: (raw.id as string).toLowerCase(),
    op,
    baseSeq: (raw.base_seq as number | null | undefined) ?? 0,
    editedAt: (raw.edited_at as string | null | undefined) ?? null,
    changed: (raw.changed as string[] | null | undefined) ?? null,
    cuts,
    data: own.data,
    findings: [...limited.findings, ...known.findings, ...own.findings],
    ...(hasBeside.has(type) && { beside: readBesideSale(raw) }),
  };
  // What is never published, such as unknown fields, is cleaned too: some of it is kept beside the record.
  return { readable: isOdd ? storableJson(readable) : readable };
}

function explain(where: string, errors: ErrorObject[] | null | undefined): string {
  const error = errors?.[0];
  const path = `${where}${(error?.instancePath ?? "").replaceAll("/", ".")}`.replace(/^\./, "");
  return `${path || "record"}: ${error?.message ?? "no se puede leer"}`.slice(0, 300);
}

export function idIn(fields: Fields, name: string): string | null {
  return (fields[name] as string | null | undefined)?.toLowerCase() ?? null;
}

export function fieldIn<T>(fields: Fields, name: string, fallback: T): T {
  return fields[name] === undefined ? fallback : (fields[name] as T);
}

/** A register's instant, not corrected for skew, in the notation of bodies and columns. */
export function instantIn<T extends string | null>(fields: Fields, name: string, fallback: T): string | T {
  const text = fields[name] as string | null | undefined;
  if (text === undefined) return fallback;
  return text === null ? (text as T) : canonicalInstant(text);
}
