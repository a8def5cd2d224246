import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { insertActs, type NewAct } from "../../../business/counter/counter-acts.ts";
import { ordersCapability } from "../../../business/orders/resource.ts";
import { forMerged } from "../../../business/registry.ts";
import { sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { writing } from "../../../engine/writing/writing.ts";
import { type Finding, isAboutRights } from "../../../fiscal/findings/finding.ts";
import { ApiError } from "../../../lib/errors.ts";
import { must } from "../../../lib/must.ts";
import type { PushResult, RawRecord, RecordType } from "../protocol.ts";
import { applyCashSession } from "./apply-cash-session.ts";
import { applyCounterAct } from "./apply-counter-act.ts";
import { applyPlain, applyProduct, applyQuote, applyVariantDeletion, applyWarehouse } from "./apply-edit.ts";
import { applyInvoice } from "./apply-invoice.ts";
import { applyMovement } from "./apply-movement.ts";
import { applyOrder, reserveForAccepted, withFieldsOfOrder } from "./apply-order.ts";
import { applyReturn } from "./apply-return.ts";
import { applySale } from "./apply-sale.ts";
import { applySaleInvoice } from "./apply-sale-invoice.ts";
import { applyTicketMail } from "./apply-ticket-mail.ts";
import { tellsActs } from "./capabilities.ts";
import { noteClaimed } from "./claimed-acts.ts";
import { countDuplicates, smoothSkew } from "./device-progress.ts";
import { issueDocumentsAndEmit } from "./emit-events.ts";
import { settleExternalIds } from "./external-ids.ts";
import { flagDefaultWarehouses, flagTakenCodes } from "./flag-duplicates.ts";
import { alsoTaken, flagUndeclared, isFlagged } from "./flag-undeclared.ts";
import { auditDeletions } from "./note-deletions.ts";
import { flagOddSales } from "./odd-sales.ts";
import { type Aside, duplicate, isAside, type Outcome, refused } from "./outcome.ts";
import { readsOf } from "./push-reads.ts";
import { type Incoming, type ReadResult, readRecord } from "./read-record.ts";
import { contentHash, contentText, storeReceipt } from "./receipts.ts";
import { storeAside, storeConflicts } from "./store-problems.ts";
import { tellFindings } from "./tell-findings.ts";
import { openWorkingSet, type WorkingSet } from "./working-set.ts";

export interface StoreRequest {
  /** In the order of their sequence numbers. */
  records: readonly RawRecord[];
  /** How far the register's clock is behind the server's, measured on this request. */
  skewMs: number | undefined;
  mayHoldUnstorable: boolean;
  /** Records that are set aside without another attempt, by their sequence numbers. */
  aside?: ReadonlyMap<number, Aside> | undefined;
  requestId?: string | undefined;
}

type Apply = (batch: WorkingSet, record: Incoming) => Outcome;

const apply = {
  ...forMerged(
    (resource): Apply =>
      (batch, record) =>
        applyPlain(batch, resource, record),
  ),
  product: applyProduct,
  product_variant: applyVariantDeletion,
  warehouse: applyWarehouse,
  sale: applySale,
  return: applyReturn,
  invoice: applyInvoice,
  stock_movement: applyMovement,
  cash_session: applyCashSession,
  quote: applyQuote,
  order: applyOrder,
  ticket_mail: applyTicketMail,
  counter_act: applyCounterAct,
  sale_invoice: applySaleInvoice,
} satisfies Record<RecordType, Apply>;

export interface StoreResult {
  results: PushResult[];
  ackedSeq: number;
  epoch: string;
}

/** Stores consecutive records of one device in one transaction, together with its acknowledged sequence number. */
export async function storeRecords(deps: Deps, device: DeviceAccess, request: StoreRequest): Promise<StoreResult> {
  const { accountId, deviceId } = device;
  const { hashes, readResults } = await readAll(request);
  const incoming = readResults.flatMap((read) => read.readable ?? []);
  const declared = readsOf(
    { accountId, deviceId, secretKey: deps.config.secretKeys, tellsActs: tellsActs(device) },
    incoming,
  );
  const store = async (write: Write) => {
    const batch = await openWorkingSet(write, device, incoming, declared);
    const { progress } = batch;
    const { epoch } = progress;
    if (progress.isRevoked) throw new ApiError("DEVICE_REVOKED");
    const known = await countDuplicates(write, deviceId, progress.acked_seq, request.records, hashes);
    const results = request.records.slice(0, known).map((record) => result(record, duplicate));
    if (known === request.records.length) {
      write.discard();
      return { results, ackedSeq: progress.acked_seq, epoch };
    }
    const skewMs = smoothSkew(progress.skew_ms, request.skewMs);
    batch.skewMs = skewMs ?? 0;
    const fresh = request.records.slice(known);
    const readable = readResults.slice(known).flatMap((read) => read.readable ?? []);
    const saidUntil = batch.times.begin(progress.said_until?.getTime() ?? 0, readable);
    const outcomes = await applyAll(deps, device, batch, readResults.slice(known));
    const stored = fresh.map((record, i) => ({
      record,
      outcome: must(outcomes[i], "Every record has its outcome"),
    }));
    results.push(...stored.map(({ record, outcome }) => result(record, outcome)));
    const aside = stored.flatMap(({ record, outcome }) => (isAside(outcome) ? [{ record, aside: outcome }] : []));
    storeAside(write, deviceId, aside);
    const firstSeq = must(fresh[0], "Some of the records are new").device_seq;
    const ackedSeq = must(fresh.at(-1), "Some of the records are new").device_seq;
    write.addStatement(
      storeReceipt({ accountId, deviceId, seq: write.seq, at: write.at, firstSeq, hashes: hashes.slice(known) }),
    );
    write.addStatement(sql`
      update device_progress set acked_seq = ${ackedSeq}, skew_ms = ${skewMs ?? null},
        said_until = ${new Date(saidUntil)}
      where account_id = ${accountId} and device_id = ${deviceId}`);
    return { results, ackedSeq, epoch };
  };
  return writing(deps, accountId, store, request.requestId, { declared });
}

/** Applies records to an open batch and adds to the write everything that follows from them. */
export async function applyAll(
  deps: Deps,
  device: Pick<DeviceAccess, "deviceId" | "capabilities" | "remoteAddress">,
  batch: WorkingSet,
  uploads: readonly ReadResult[],
): Promise<Outcome[]> {
  const judged: Incoming[] = [];
  const reads = await settleExternalIds(
    batch,
    uploads.map((read) => withFieldsOfOrder(batch, read)),
  );
  const outcomes = reads.map((read): Outcome => {
    if (!read.readable) return read.aside;
    const outcome = unannounced(device, read.readable) ?? applyRecord(batch, read.readable);
    if (isStored(outcome)) {
      for (const cut of read.readable.cuts ?? []) batch.addConflict(read.readable, cut);
      if (outcome.status !== "merged" || batch.catalogued.has(read.readable.deviceSeq)) {
        flagUnallowed(batch, read.readable);
        judged.push(read.readable);
      }
    }
    return outcome;
  });
  await flagUndeclared(batch, judged);
  await flagOddSales(batch, judged);
  await noteClaimed(batch, judged);
  await flagTakenCodes(batch);
  await flagDefaultWarehouses(
    batch,
    reads.flatMap(({ readable }) => readable ?? []),
  );
  await reserveForAccepted(batch);
  batch.close();
  await issueDocumentsAndEmit(deps, batch);
  storeConflicts(batch);
  await tellFindings(batch);
  await auditDeletions(batch, device.remoteAddress ?? null);
  batch.flags.store(device.deviceId);
  const { write } = batch;
  const acts = await withoutNobodys(batch);
  if (acts.length > 0) write.addStatement(insertActs(write.accountId, device.deviceId, write.at, acts));
  return outcomes;
}

/** Where nobody has a PIN everybody may do everything: what nobody is named for is told by its finding, and is no act. */
async function withoutNobodys({ write, acts }: WorkingSet): Promise<NewAct[]> {
  const somebodys = acts.filter((one) => one.is_allowed || one.cashier_id !== null);
  if (somebodys.length === acts.length) return acts;
  const { rows } = await write.client.query(sql`
    select from cashiers where account_id = ${write.accountId} and deleted_at is null limit 1`);
  return rows.length > 0 ? acts : somebodys;
}

/** What somebody did who was not allowed to stands, and the owner sees it. */
function flagUnallowed(batch: WorkingSet, record: Incoming): void {
  const { judge, flags, acts } = batch;
  const verdict = judge.of(record, alsoTaken(batch, record));
  if (verdict.findings.length === 0) return;
  // The one that this record has just become.
  const own = record.type === "counter_act" ? acts.at(-1) : undefined;
  if (own) own.is_allowed = false;
  acts.push(...verdict.acts);
  if (!isFlagged(record)) return;
  const isAnew = (one: Finding) => verdict.findings.some(({ field, got }) => field === one.field && got === one.got);
  const kept = flags.get(record).filter((one) => (record.type === "sale" ? !isAnew(one) : !isAboutRights(one)));
  flags.set(record, [...kept, ...verdict.findings]);
}

/** Reading a mebibyte takes some 60 ms on the thread that serves all requests. */
const maxReadMs = 10;

/** Reads all records and yields to other requests in between. */
async function readAll({ records, aside, mayHoldUnstorable }: StoreRequest) {
  const hashes: string[] = [];
  const readResults: ReadResult[] = [];
  let since = performance.now();
  for (const record of records) {
    const text = contentText(record);
    hashes.push(contentHash(text));
    const given = aside?.get(record.device_seq);
    readResults.push(given ? { readable: undefined, aside: given } : readRecord(record, text, mayHoldUnstorable));
    if (performance.now() - since < maxReadMs) continue;
    await yieldToEventLoop();
    since = performance.now();
  }
  return { hashes, readResults };
}

/** The capability that a register announces before it uploads records of a type; types that every register knows have none. */
const capabilityFor: Record<RecordType, string | undefined> = {
  ...forMerged(() => undefined),
  product: undefined,
  product_variant: undefined,
  sale: undefined,
  invoice: undefined,
  stock_movement: undefined,
  cash_session: undefined,
  quote: undefined,
  order: ordersCapability,
  return: "return.1",
  ticket_mail: "ticket_mail.1",
  counter_act: "counter_act.1",
  sale_invoice: "sale_invoice.1",
};

/** A register that did not announce a type may fill it in some way of its own: the record is kept for a person to read. */
function unannounced({ capabilities }: Pick<DeviceAccess, "capabilities">, { type }: Incoming): Outcome | undefined {
  const capability = capabilityFor[type];
  if (capability === undefined || capabilities?.includes(capability)) return undefined;
  const reason = `la caja subió un registro ${type} sin anunciar ${capability}: actualice su aplicación y regístrelo de nuevo`;
  return refused("CAPABILITY_MISSING", reason);
}

function isStored({ status }: Outcome): boolean {
  return status === "applied" || status === "merged" || status === "parked";
}

/**
 * A register cannot have seen a change that the account has not made. It then counts as having seen none, so that its edit
 * overwrites no unseen change. The record is still accepted: after the database is restored from a backup, any register may
 * have such a base_seq, and its sales come in the same push.
 */
function applyRecord(batch: WorkingSet, record: Incoming): Outcome {
  const isAhead = record.baseSeq >= batch.write.seq;
  const outcome = apply[record.type](batch, isAhead ? { ...record, baseSeq: 0 } : record);
  return isAhead ? { code: "BASE_SEQ_AHEAD", ...outcome } : outcome;
}

function result({ device_seq }: RawRecord, { status, code, record }: Outcome): PushResult {
  return { device_seq, status, code: code ?? null, record: record ?? null };
}
