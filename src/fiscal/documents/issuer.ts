import { type InvoiceColumns, invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Config } from "../../config.ts";
import { type Read, readingAll } from "../../db/read.ts";
import type { RecordBody } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { SecretKeys } from "../../lib/secret-keys.ts";
import { type Notice, recordNotices } from "../../notices/record-notices.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { checkDocument } from "../authority/check-document.ts";
import { type DocumentContent, type SealedDocument, sealDocument } from "../content/document-content.ts";
import type { NumberingRange, RangeKind } from "../numbering/numbering.ts";
import { posLimit } from "../profile/pos-limit.ts";
import { type IssuerProfile, profileRead, rangesRead } from "../profile/profile.ts";
import type { LinkConfig } from "./buyer-link.ts";
import { type DocumentRow, documentRow, storeDocuments } from "./issued-rows.ts";
import { type NumberSource, openNumbers } from "./number-source.ts";

export interface IssuingDeps {
  config: LinkConfig & Pick<Config, "environment" | "fiscalAuthority" | "uvtByYear">;
  clock: Clock;
}

/** A document to be issued. */
export interface DocumentDraft {
  /** The published record, when the document is issued again. */
  earlier?: { body: Invoice } & InvoiceColumns;
  saleId: string | null;
  /** Whose sede it is of: its sale, or the return that a note is for. */
  of: RecordBody;
  type: Pick<Invoice, "document_type" | "type_document_id">;
  rangeKind: RangeKind;
  amounts: Pick<Invoice, "subtotal" | "tax" | "total">;
  reason: string | null;
  /** May throw a FiscalError: then the document is kept without a number, with the reason. */
  content: () => DocumentContent;
  /** The invoice that this note corrects. */
  corrects?: string;
  /** The same, when the note takes back all that is left of it. */
  annuls?: string;
  /** The number the document already has. */
  assigned?: { rangeId: string; number: number };
  /** The registers that it counts as being from: a range may serve only one of them. */
  registers?: readonly string[];
  /** The customer without whom its content cannot be made. */
  waitsFor?: string;
}

/** Numbers, seals and stores the documents of one account within one write. */
export interface Issuer {
  readonly profile: IssuerProfile;
  /** Whether it matters which register a document is from. */
  readonly servesPlaces: boolean;
  issue(draft: DocumentDraft): Invoice;
  /** Stores the documents and the numbers they took. Call it once, before the write ends. */
  finish(): Promise<void>;
}

interface Issuing {
  deps: IssuingDeps;
  write: Write;
  profile: IssuerProfile;
  numbers: NumberSource;
  rows: DocumentRow[];
  notices: Notice[];
}

/** What issuing takes. */
export interface FoundIssuer {
  profile: IssuerProfile | undefined;
  ranges: NumberingRange[];
}

export function issuerRead(secretKey: SecretKeys, accountId: string): Read<FoundIssuer> {
  return readingAll({ profile: profileRead(secretKey, accountId), ranges: rangesRead(secretKey, accountId) });
}

/** Undefined for an account without a fiscal profile. What was `found` is used up: its ranges go on with the numbers. */
export async function openIssuer(deps: IssuingDeps, write: Write, found?: FoundIssuer): Promise<Issuer | undefined> {
  const { profile, ranges } = found ?? (await write.read(issuerRead(deps.config.secretKeys, write.accountId)));
  const numbers = await openNumbers(write, ranges);
  if (!profile) return undefined;
  const issuing: Issuing = { deps, write, profile, numbers, rows: [], notices: [] };
  const { servesPlaces } = numbers;
  return { profile, servesPlaces, issue: (draft) => issue(issuing, draft), finish: () => finish(issuing) };
}

function issue(issuing: Issuing, draft: DocumentDraft): Invoice {
  const { write } = issuing;
  const body = draft.rangeKind === "internal" ? issueInternal(issuing, draft) : issueElectronic(issuing, draft);
  const announced = draft.earlier?.announced ?? [];
  const isNews = body.status === "issued" && !announced.includes("issued");
  write.put(invoices, { ...draft.earlier, body, announced: isNews ? [...announced, "issued"] : announced });
  if (isNews) write.emit("invoice.issued", body);
  return body;
}

async function finish({ write, numbers, rows, notices }: Issuing): Promise<void> {
  const { accountId, at, client } = write;
  const all = [...notices, ...numbers.notices()];
  const statements = [
    ...numbers.statements(),
    ...(rows.length > 0 ? [storeDocuments(accountId, rows, at)] : []),
    ...(all.length > 0 ? [recordNotices(accountId, at, bogotaDate(at), all)] : []),
  ];
  await Promise.all(statements.map((statement) => client.query(statement)));
}

function issueElectronic(issuing: Issuing, draft: DocumentDraft): Invoice {
  const { numbers } = issuing;
  const found = numbers.find(draft.rangeKind, draft.registers ?? [], draft.assigned);
  if (found.kind === "none") {
    const subject = found.range?.id ?? draft.rangeKind;
    return keepUnissued(issuing, draft, found.reason, {
      kind: "numbering_unavailable",
      subject,
      message: found.reason,
    });
  }
  const { range, number } = found;
  try {
    const content = seal(issuing, draft, range, number);
    const { deps, profile } = issuing;
    const problem = checkDocument(content, profile.settings, deps.config.fiscalAuthority);
    if (problem) {
      const message = `${problem.message} ${problem.advice}`;
      return keepUnissued(issuing, draft, message, { kind: "document_unsealed", subject: problem.field, message });
    }
    numbers.take(range, number);
    warnOfPosLimit(issuing, draft);
    const body = render(issuing, draft, {
      status: "pending",
      prefix: range.prefix || null,
      number,
      cufe: content.cufe,
    });
    const dueAt = issuing.deps.clock.now();
    issuing.rows.push(documentRow(draft, body, { range, number, content, state: "queued", dueAt }));
    return body;
  } catch (error) {
    const message = whyUnsealed(error);
    const subject = draft.saleId ?? "";
    return keepUnissued(issuing, draft, message, { kind: "document_unsealed", subject, message });
  }
}

/** An internal document needs nobody's acceptance: it is issued at once, without a code. */
function issueInternal(issuing: Issuing, draft: DocumentDraft): Invoice {
  const { numbers } = issuing;
  const found = numbers.find(draft.rangeKind, draft.registers ?? [], draft.assigned);
  if (found.kind === "none") return keepUnissued(issuing, draft, found.reason);
  const { range, number } = found;
  numbers.take(range, number);
  const body = render(issuing, draft, { status: "issued", prefix: range.prefix || null, number, cufe: null });
  issuing.rows.push(documentRow(draft, body, { range, number, state: "decided" }));
  return body;
}

function seal(
  { deps, profile, write }: Issuing,
  draft: DocumentDraft,
  range: NumberingRange,
  number: number,
): SealedDocument {
  return sealDocument(draft.content(), {
    issuerNit: profile.nit,
    softwarePin: profile.softwarePin,
    prefix: range.prefix,
    technicalKey: range.technicalKey,
    resolution: range.resolution,
    number,
    issuedAt: write.at,
    environment: deps.config.environment === "live" ? "production" : "test",
  });
}

function warnOfPosLimit({ deps, profile, write, notices }: Issuing, { rangeKind, amounts }: DocumentDraft): void {
  const limit = rangeKind === "pos" ? posLimit(profile.settings, deps.config.uvtByYear, write.at) : undefined;
  if (limit === undefined || amounts.subtotal <= limit) return;
  const message = `Una venta con documento POS superó los $${limit} antes de impuestos. Para ventas así, emita factura electrónica.`;
  notices.push({ kind: "pos_above_limit", subject: "limit", message });
}

/** The sale is recorded all the same; its document waits until somebody corrects the cause and resends it. */
function keepUnissued(issuing: Issuing, draft: DocumentDraft, reason: string, notice?: Notice): Invoice {
  // A document that had a number keeps it: failing to seal it again must not leave a gap.
  const earlier = draft.earlier?.body;
  const body = render(issuing, draft, {
    status: "emission_failed",
    dian_message: reason,
    prefix: earlier?.prefix ?? null,
    number: earlier?.number ?? 0,
    cufe: earlier?.cufe ?? null,
  });
  if (!draft.assigned) issuing.rows.push(documentRow(draft, body, { state: "unnumbered" }));
  if (notice) issuing.notices.push(notice);
  return body;
}

function whyUnsealed(error: unknown): string {
  const why = error instanceof FiscalError ? error.message : "la venta no se puede leer";
  return `El documento no se pudo sellar (${why}). Corrija la venta o el perfil fiscal y reenvíelo.`;
}

type IssuedFields = Pick<Invoice, "status" | "prefix" | "number" | "cufe"> & { dian_message?: string };

function render({ write }: Issuing, draft: DocumentDraft, fields: IssuedFields): Invoice {
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
    ...(!draft.earlier && { location_id: write.placeOf(draft.of) }),
  };
}
