import { type InvoiceColumns, invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Config } from "../../config.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { type Notice, recordNotices } from "../../notices/record-notices.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { type DocumentContent, type SealedDocument, sealDocument } from "../content/document-content.ts";
import { withOwnRange } from "../numbering/free-ranges.ts";
import { findRange, type NumberingRange, type RangeKind } from "../numbering/numbering.ts";
import { posLimit } from "../profile/pos-limit.ts";
import { type IssuerProfile, readProfile, readRanges } from "../profile/profile.ts";

export interface IssuingDeps {
  config: Pick<Config, "secretKey" | "environment">;
  clock: Clock;
}

/** A document that wants a number. */
export interface Draft {
  /** The published row to renew, when the document was there before. */
  earlier?: { body: Invoice } & InvoiceColumns;
  saleId: string | null;
  type: Pick<Invoice, "document_type" | "type_document_id">;
  rangeKind: RangeKind;
  amounts: Pick<Invoice, "subtotal" | "tax" | "total">;
  reason: string | null;
  /** May throw a FiscalError: then the document is kept without a number, with the reason. */
  content: () => DocumentContent;
  /** The invoice that this note annuls. */
  annuls?: string;
  /** A number the document already has, which no other may take. */
  has?: { rangeId: string; number: number };
}

/** The hand that numbers, seals and stores the documents of one account within one write. */
export interface Issuer {
  readonly profile: IssuerProfile;
  issue(draft: Draft): Invoice;
  /** Stores what was numbered, in a handful of statements. Call it once, before the write ends. */
  finish(): Promise<void>;
}

/** Undefined for an account without a fiscal profile. */
export async function openIssuer(deps: IssuingDeps, write: Write): Promise<Issuer | undefined> {
  const { secretKey, environment } = deps.config;
  const [profile, ranges] = await Promise.all([
    readProfile(write.client, secretKey, write.accountId),
    readRanges(write.client, secretKey, write.accountId),
  ]);
  if (!profile) return undefined;
  const today = bogotaDate(write.at);
  const moved = new Set<NumberingRange>();
  const work: WorkRow[] = [];
  const notices: Notice[] = [];

  function issue(draft: Draft): Invoice {
    const body = draft.rangeKind === "internal" ? internal(draft) : electronic(draft);
    const announced = draft.earlier?.announced ?? [];
    const isNews = body.status === "issued" && !announced.includes("issued");
    write.put(invoices, { ...draft.earlier, body, announced: isNews ? [...announced, "issued"] : announced });
    if (isNews) write.emit("invoice.issued", body);
    return body;
  }

  function electronic(draft: Draft): Invoice {
    const place = placeFor(draft);
    if (place.kind === "none") {
      const subject = place.range?.id ?? draft.rangeKind;
      return unnumbered(draft, place.reason, { kind: "numbering_unavailable", subject, message: place.reason });
    }
    try {
      const { range, number } = place;
      const document = sealDocument(draft.content(), {
        issuerNit: profile!.nit,
        softwarePin: profile!.softwarePin,
        prefix: range.prefix,
        technicalKey: range.technicalKey,
        resolution: range.resolution,
        number,
        issuedAt: write.at,
        environment: environment === "live" ? "production" : "test",
      });
      take(range, number);
      warnOfLimit(draft);
      const body = render(draft, { status: "pending", prefix: range.prefix || null, number, cufe: document.cufe });
      work.push(workRow(draft, body, { range, number, content: document, state: "queued", dueAt: deps.clock.now() }));
      return body;
    } catch (error) {
      const reason = whyUnsealed(error);
      return unnumbered(draft, reason, { kind: "document_unsealed", subject: draft.saleId ?? "", message: reason });
    }
  }

  function warnOfLimit({ rangeKind, amounts }: Draft): void {
    const limit = rangeKind === "pos" ? posLimit(profile!.settings, write.at) : undefined;
    if (limit === undefined || amounts.subtotal <= limit) return;
    const message = `Una venta con documento POS superó los $${limit} antes de impuestos. Para ventas así, emita factura electrónica.`;
    notices.push({ kind: "pos_above_limit", subject: "limit", message });
  }

  /** Not electronic: nobody has to accept it, so it is issued at once and has no code. */
  function internal(draft: Draft): Invoice {
    const place = placeFor(draft);
    if (place.kind === "none") return unnumbered(draft, place.reason);
    const { range, number } = place;
    take(range, number);
    const body = render(draft, { status: "issued", prefix: range.prefix || null, number, cufe: null });
    work.push(workRow(draft, body, { range, number, content: null, state: "decided", dueAt: null }));
    return body;
  }

  type Place =
    | { kind: "found"; range: NumberingRange; number: number }
    | Extract<ReturnType<typeof findRange>, { kind: "none" }>;

  function placeFor({ has, rangeKind }: Draft): Place {
    const own = has && ranges.find((range) => range.id === has.rangeId);
    if (own) return { kind: "found", range: own, number: has.number };
    const found = findRange(withOwnRange(ranges, rangeKind, write.at), rangeKind, today);
    return found.kind === "found" ? { ...found, number: found.range.next } : found;
  }

  function take(range: NumberingRange, number: number): void {
    if (number !== range.next) return;
    range.next += 1;
    moved.add(range);
  }

  /** The sale is recorded all the same; the document waits, without a number, for somebody to mend the cause. */
  function unnumbered(draft: Draft, reason: string, notice?: Notice): Invoice {
    // A document that had a number keeps it: the failure to seal it anew must not leave a gap.
    const kept = draft.earlier?.body;
    const body = render(draft, {
      status: "emission_failed",
      dian_message: reason,
      prefix: kept?.prefix ?? null,
      number: kept?.number ?? 0,
      cufe: kept?.cufe ?? null,
    });
    if (!draft.has) work.push(workRow(draft, body, { state: "unnumbered", content: null, dueAt: null }));
    if (notice) notices.push(notice);
    return body;
  }

  function render(draft: Draft, fields: Rendered): Invoice {
    const at = write.at.toISOString();
    return {
      object: "invoice",
      id: draft.earlier?.body.id ?? uuidv7(write.at),
      sale_id: draft.saleId,
      ...draft.type,
      status: fields.status,
      dian_status: null,
      dian_message: fields.dian_message ?? null,
      document_reason: draft.reason,
      prefix: fields.prefix,
      number: fields.number,
      cufe: fields.cufe,
      ...draft.amounts,
      issued_at: at,
      created_at: draft.earlier?.body.created_at ?? at,
      updated_at: at,
    };
  }

  return {
    profile,
    issue,
    async finish() {
      const statements = [
        ...(moved.size > 0 ? [moveRanges(write.accountId, [...moved], write.at)] : []),
        ...(work.length > 0 ? [storeWork(write.accountId, work, write.at)] : []),
        ...(notices.length > 0 ? [recordNotices(write.accountId, write.at, today, notices)] : []),
      ];
      await Promise.all(statements.map((statement) => write.client.query(statement)));
    },
  };
}

type Rendered = Pick<Invoice, "status" | "prefix" | "number" | "cufe"> & { dian_message?: string };

function whyUnsealed(error: unknown): string {
  const why = error instanceof FiscalError ? error.message : "la venta no se puede leer";
  return `El documento no se pudo sellar (${why}). Corrija la venta o el perfil fiscal y reenvíelo.`;
}

interface WorkRow {
  invoice_id: string;
  range_id: string | null;
  number: number | null;
  annuls: string | null;
  content: SealedDocument | null;
  state: "unnumbered" | "queued" | "decided";
  due_at: Date | null;
}

interface WorkFields {
  range?: NumberingRange;
  number?: number;
  content: SealedDocument | null;
  state: WorkRow["state"];
  dueAt: Date | null;
}

function workRow(draft: Draft, body: Invoice, { range, number, content, state, dueAt }: WorkFields): WorkRow {
  return {
    invoice_id: body.id,
    range_id: range?.id ?? null,
    number: number ?? null,
    annuls: draft.annuls ?? null,
    content,
    state,
    due_at: dueAt,
  };
}

function storeWork(accountId: string, rows: readonly WorkRow[], at: Date): Statement {
  return prepared(
    `insert into fiscal_documents (account_id, created_at, invoice_id, range_id, number, annuls, content, state, due_at)
     select $1::uuid, $2::timestamptz, r.invoice_id, r.range_id, r.number, r.annuls, r.content, r.state, r.due_at
     from json_to_recordset($3::json) as r(invoice_id uuid, range_id uuid, number bigint, annuls uuid, content json,
       state text, due_at timestamptz)
     on conflict (account_id, invoice_id) do update set range_id = excluded.range_id, number = excluded.number,
       content = excluded.content, state = excluded.state, due_at = excluded.due_at, claim = null, leased_until = null, doubt = false,
       failures = 0, polls = 0, track_id = null, decided_at = null`,
    [accountId, at, JSON.stringify(rows)],
  );
}

function moveRanges(accountId: string, ranges: readonly NumberingRange[], at: Date): Statement {
  const rows = ranges.map(({ id, kind, prefix, first, last, next }) => ({ id, kind, prefix, first, last, next }));
  return prepared(
    `insert into numbering_ranges (account_id, id, kind, prefix, first_number, last_number, next_number, created_at)
     select $1::uuid, r.id, r.kind, r.prefix, r.first, r.last, r.next, $2::timestamptz
     from json_to_recordset($3::json) as r(id uuid, kind text, prefix text, first bigint, last bigint, next bigint)
     on conflict (account_id, id) do update set next_number = excluded.next_number`,
    [accountId, at, JSON.stringify(rows)],
  );
}
