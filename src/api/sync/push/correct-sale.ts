import { countsAsItIs, paymentParts } from "../../../business/sale-totals/definition.ts";
import type { CountedSale } from "../../../business/sales/correction.ts";
import type { SaleColumns } from "../../../business/sales/resource.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Stored } from "../../../engine/resources/resource.ts";
import { type ChangeOrigin, correctionOf } from "../../../fiscal/closing/correct-books.ts";
import { bogotaDate } from "../../../taxes/bogota-time.ts";
import type { Incoming } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

type StoredSale = Stored<Sale, SaleColumns>;
type Settled = NonNullable<SaleColumns["settled"]>;

/**
 * What is settled of a sale after an upload that changes it. While its day and its shift last, it counts as its register says. From then
 * on it stays in the books as it was counted, and what the register changes is a correction of that moment; one that only now
 * is completed counts from that moment.
 */
export function correctBooks(
  batch: WorkingSet,
  record: Incoming,
  before: StoredSale | undefined,
  after: StoredSale,
): Settled {
  const settled = after.settled ?? [];
  if (!before) return settled;
  const known = batch.books.bySale.get(record.id);
  const counted = known?.counted ?? countedAs(before) ?? countedAs(after);
  if (!counted) return settled;
  const place = placeOfChange(batch, record, counted);
  if (!known && !isOver(batch, [counted.body, after.body], place.at)) return settled;
  const books = known ?? { counted: countedAs(before) ?? inPlace(counted, place), corrections: [] };
  const correction = correctionOf(books, after, place);
  if (!correction && (known || (isSamePlace(books.counted, after) && hasSameParts(books.counted, after))))
    return settled;
  const corrections = [...books.corrections, ...(correction ? [correction] : [])];
  batch.books.bySale.set(record.id, { ...books, corrections });
  batch.books.made.push(...(known ? [] : [books.counted]), ...(correction ? [correction] : []));
  return known ? settled : [...settled, "corrected"];
}

/** What its register does to a sale happens when and where it did it: never before the sale, and in no shift that was closed. */
export function placeOfChange(batch: WorkingSet, record: Incoming, { body }: Pick<CountedSale, "body">): ChangeOrigin {
  const at = new Date(Math.max(batch.editedAtMs(record), Date.parse(body.occurred_at)));
  const shift = body.cash_session_id;
  return { at, device_id: batch.deviceId, cash_session_id: isClosed(batch, shift, at) ? null : shift };
}

function isClosed(batch: WorkingSet, shiftId: string | null, at: Date): boolean {
  const shift = shiftId === null ? undefined : batch.recordSets.cashSessions.get(shiftId)?.body;
  if (shift?.status !== "closed") return false;
  return shift.closed_at === null || Date.parse(shift.closed_at) + batch.skewMs <= at.getTime();
}

/** Whether a day or a shift that the sale was counted in, or would be, had ended by then. */
function isOver(batch: WorkingSet, sales: readonly Sale[], at: Date): boolean {
  const today = bogotaDate(at);
  return sales.some(
    ({ occurred_at, cash_session_id }) =>
      bogotaDate(new Date(occurred_at)) < today || isClosed(batch, cash_session_id, at),
  );
}

function countedAs({ body, settled, device_id = null, payments = null }: StoredSale): CountedSale | undefined {
  if (!countsAsItIs({ status: body.status, settled })) return undefined;
  return { id: body.id, sale_id: body.id, device_id, payments, body };
}

function inPlace(counted: CountedSale, { at, cash_session_id }: ChangeOrigin): CountedSale {
  return { ...counted, body: { ...counted.body, occurred_at: at.toISOString(), cash_session_id } };
}

function isSamePlace({ body, device_id }: CountedSale, after: StoredSale): boolean {
  const { occurred_at, cash_session_id } = after.body;
  return occurred_at === body.occurred_at && cash_session_id === body.cash_session_id && device_id === after.device_id;
}

/** The close of a shift says how many payments there were of each means, whatever they came to. */
function hasSameParts(counted: CountedSale, after: StoredSale): boolean {
  const means = ({ body, payments }: Pick<StoredSale, "body" | "payments">) =>
    paymentParts(body, payments)
      .map(({ payment_method }) => payment_method)
      .sort()
      .join();
  return means(counted) === means(after);
}
