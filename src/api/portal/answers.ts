import type { AuditEntry } from "../../access/accounts/read-audit.ts";
import type { CashSession } from "../../business/cash-sessions/schema.ts";
import type { CounterSettings } from "../../business/counter/business-info.ts";
import type { Cashier, MayAttend } from "../../business/counter/cashiers.ts";
import type { CounterAct } from "../../business/counter/counter-acts.ts";
import type { Right } from "../../business/counter/rights.ts";
import type { Customer } from "../../business/customers/schema.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Location } from "../../business/locations/schema.ts";
import type { Order } from "../../business/orders/schema.ts";
import type { Return } from "../../business/returns/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import type { Config } from "../../config.ts";
import type { AccountingCodes } from "../../fiscal/closing/accounting-codes.ts";
import type { Closing } from "../../fiscal/closing/closing.ts";
import type { TaxReport } from "../../fiscal/closing/tax-report.ts";
import type { Contingency } from "../../fiscal/documents/contingency.ts";
import type { TicketMailing } from "../../fiscal/documents/ticket-mailing.ts";
import type { OpenFinding } from "../../fiscal/findings/read-findings.ts";
import type { RangeUse } from "../../fiscal/numbering/range-use.ts";
import type { MissingSetting } from "../../fiscal/profile/completeness.ts";
import type { ShownLook } from "../../fiscal/profile/look.ts";
import type { shownProfile, shownRange, shownRangeWithSkipped } from "../../fiscal/profile/shown-settings.ts";
import type { PlannedReturn } from "../../fiscal/returns/plan-return.ts";
import type { ScaleLabel } from "../../lib/scale-label.ts";
import type { Erasure } from "../../privacy/erase/request.ts";
import type { SalesReport } from "../../reports/sales-report.ts";
import type { ShiftSums } from "../../reports/shift-sums.ts";
import type { TodayReport } from "../../reports/today.ts";
import type { NitReading } from "../../taxes/nit.ts";
import type { Endpoint } from "../../webhooks/endpoints/store.ts";
import type { Delivery } from "../../webhooks/history/delivery-history.ts";
import type { AttemptCounts } from "../../webhooks/history/hours.ts";
import type { SentRequest } from "../../webhooks/history/sent-request.ts";
import type { Resend } from "../../webhooks/queue/resend-period.ts";
import type { Tried } from "../sync/set-aside/tried.ts";
import type { BuyingAnswers } from "./buying/buying-answers.ts";
import type { Heading, RowError } from "./catalog/product-import/interpret.ts";
import type { Import, PreviewRow } from "./catalog/product-import/stored-imports.ts";
import type { BagTax } from "./catalog/read-bag-tax.ts";
import type { PriceChange, ProductDetail } from "./catalog/read-product.ts";
import type { StockTotals } from "./catalog/read-products.ts";
import type { EventDelivery, EventRow } from "./developers/events.ts";
import type { ApiKey } from "./developers/keys.ts";
import type { Figures } from "./developers/overview.ts";
import type { LoggedRequest, OpenedRequest } from "./developers/requests.ts";
import type { DocumentDetail } from "./documents/read-document.ts";
import type { DocumentTotals } from "./documents/read-documents.ts";
import type { UnissuedDocument } from "./documents/unissued-documents.ts";
import type { DoorAnswers } from "./door-answers.ts";
import type { Concern } from "./home/attention.ts";
import type { Found } from "./home/find.ts";
import type { Start } from "./home/first-steps.ts";
import type { DocumentRow } from "./lists/documents.ts";
import type { ListedProduct } from "./lists/products.ts";
import type { SaleRow } from "./lists/sales.ts";
import type { ListedMovement } from "./lists/stock-movements.ts";
import type { NamedCustomer } from "./people/named-customer.ts";
import type { MarginAnswers } from "./reports/margin-answers.ts";
import type { OrderRow, OrderTotals } from "./sales/orders/read-orders.ts";
import type { QuoteDetail, QuoteRow, QuoteTotals } from "./sales/quotes/read-quotes.ts";
import type { SaleDetail } from "./sales/read-sale.ts";
import type { SaleChoices } from "./sales/read-sales.ts";
import type { SaleTotals } from "./sales/sale-totals.ts";
import type { AboutPerson } from "./settings/about-person.ts";
import type { Account } from "./settings/account.ts";
import type { ShownLocation } from "./settings/locations.ts";
import type { PeopleOfBusiness } from "./settings/people.ts";
import type { ShownPlace } from "./settings/range-places.ts";
import type { OpenSession } from "./settings/sessions.ts";
import type { ShownAlert } from "./settings/shown-alerts.ts";
import type { Conflict, FlaggedRecord, QuarantinedRecord } from "./shifts/device-problems.ts";
import type { Device } from "./shifts/devices.ts";
import type { Choice, ShownWarehouse, WarehouseChoice } from "./stock/read-choices.ts";
import type { CountedLine, CountResult } from "./stock/stock-count.ts";
import type { TransferAnswers } from "./stock/transfer-answers.ts";
import type { Paged } from "./tables/paging.ts";

/** The response bodies that the portal reads, by route. The routes declare them, so both sides fail to compile when they differ. */
/** What became of the records of a file: stored, set aside as unreadable, or here before. */
export interface HandedIn {
  stored: number;
  aside: number;
  duplicates: number;
}

export interface Answers extends BuyingAnswers, DoorAnswers, MarginAnswers, TransferAnswers {
  "GET /session": CurrentSession;
  "GET /locations": List<ShownLocation>;
  "PATCH /locations/:id": Location;
  "GET /account": Account;
  "PATCH /account": Account;
  "GET /sessions": List<OpenSession>;
  "DELETE /sessions": { closed: number };
  "GET /audit-log": Paged<AuditEntry>;
  "POST /password-resets": RequestedReset;
  "POST /email-undo": RequestedReset & { email: string };
  "GET /key-policy": { max_key_days: number | null };
  "POST /confirmations/:id": Results[keyof Results];
  "GET /overview": Figures;
  /** `unissued` as many as the list of them has, at most `maxCounted`. */
  "GET /today": Omit<TodayReport, "documents"> & { documents: TodayReport["documents"] & { unissued: number } };
  "GET /records/cash-sessions/:id": CashSession;
  "GET /reports/sales": SalesReport;
  "GET /reports/taxes": TaxReport;
  "GET /reports/weekly-summary": { active: boolean };
  "PUT /reports/weekly-summary": { active: boolean };
  "GET /attention": List<Concern>;
  "GET /webhook-endpoints": List<EndpointWithHealth>;
  "GET /webhook-endpoints/:id": Endpoint;
  /** The endpoint, or a confirmation when the change needs a code. */
  "PATCH /webhook-endpoints/:id": Endpoint | RequestedConfirmation;
  "PATCH /webhook-endpoints/:id/sending": Endpoint;
  "POST /webhook-endpoints/:id/test": { delivery_id: string };
  "POST /webhook-endpoints/:id/example": { delivery_id: string };
  "GET /webhook-endpoints/:id/figures": Figures;
  "GET /webhook-endpoints/:id/deliveries": Paged<Delivery>;
  "GET /webhook-endpoints/:id/failed-count": { count: number; failed: number; dropped: number };
  "POST /webhook-endpoints/:id/resends": Resend;
  "GET /webhook-endpoints/:id/resends/:resend_id": Resend;
  "POST /webhook-endpoints/:id/resends/:resend_id/stop": Resend;
  "GET /deliveries/:id": Delivery;
  "GET /deliveries/:id/request": SentRequest;
  "GET /events": Paged<ListedEvent>;
  "GET /events/:id": ListedEvent & { body: { data: { object: Record<string, unknown> } } };
  "GET /api-keys": List<ApiKey>;
  "GET /requests": Paged<ApiCall>;
  "GET /requests/:request_id": WithRequestId<OpenedRequest>;
  "GET /sales": Paged<SaleRow>;
  "GET /sales/totals": SaleTotals;
  "GET /sales/choices": SaleChoices;
  "GET /sales/:id": SaleDetail;
  "GET /customers/:id": CustomerDetail;
  "GET /account/closing": { name: string; days: number };
  "GET /alerts": List<ShownAlert>;
  "PUT /alerts/:kind": ShownAlert;
  /** Who has a document or a mail, and how many tickets went there. */
  "GET /personal-data": { customers: NamedCustomer[]; mailed_tickets: number };
  "GET /personal-data/erasures": List<Erasure>;
  "GET /customers/with-document": { customer: Customer | null };
  "GET /orders": Paged<OrderRow>;
  "GET /orders/totals": OrderTotals;
  "GET /orders/:id": { order: Order };
  "POST /orders/:id/accept": { order: Order };
  "POST /orders/:id/reject": { order: Order };
  "GET /quotes": Paged<QuoteRow>;
  "GET /quotes/totals": QuoteTotals;
  "GET /quotes/:id": QuoteDetail;
  "GET /nit": NitReading;
  "GET /devices": List<Device>;
  "GET /devices/:id/quarantined": List<QuarantinedRecord>;
  "POST /devices/:id/quarantined/retry": Tried;
  "POST /devices/:id/unsent": HandedIn;
  "GET /devices/:id/conflicts": List<Conflict>;
  "GET /devices/:id/flagged": List<FlaggedRecord>;
  "GET /people": { object: "list" } & PeopleOfBusiness;
  "GET /sign-ups": { who: Config["signUp"] };
  "POST /sign-ups": { sign_up_id: string; expires_at: Date };
  "POST /invitation-looks": { business: string; email: string; role: string; is_known: boolean };
  "GET /counter": CounterSettings;
  "PUT /counter": CounterSettings;
  /** How a label in a format looks, and what a register reads on it. */
  "GET /counter/scale-label": ScaleLabel & { example: string };
  "GET /ticket-mail": TicketMailing;
  "PUT /ticket-mail": TicketMailing;
  /** With every right there is, in the owner's words, and the people of the business who could be added. */
  "GET /cashiers": List<Cashier> & { rights: { id: Right; title: string }[]; people: MayAttend[] };
  "GET /counter-acts": Paged<CounterAct>;
  "GET /fiscal-profile": ShownProfile;
  "GET /numbering-ranges": List<
    ReturnType<typeof shownRangeWithSkipped> & Pick<RangeUse, "state" | "remaining"> & ShownPlace
  >;
  "GET /invoices/unissued": Paged<UnissuedDocument>;
  /** Also of GET /sales/:id/findings. */
  "GET /findings": List<OpenFinding>;
  "GET /contingency": { object: "contingency"; current: Contingency | null };
  "GET /invoices": Paged<DocumentRow>;
  "GET /invoices/totals": DocumentTotals;
  "GET /invoices/:id": DocumentDetail;
  "POST /sales/:id/return-plan": PlannedReturn;
  "POST /sales/:id/returns": { return: Return; sale: Sale };
  "POST /sales/:id/invoice": { sale: Sale };
  "POST /invoices/:id/mail": { email: string };
  "GET /look": ShownLook;
  "PUT /look": ShownLook;
  "GET /accounting-codes": AccountingCodes;
  "PUT /accounting-codes": AccountingCodes;
  "GET /cash-sessions/:id/z": Closing;
  "GET /cash-sessions/sums": { data: ShiftSums[]; disagreeing: string[] };
  "GET /days/:date/z": Closing;
  "GET /products": Paged<ListedProduct>;
  "GET /products/totals": StockTotals;
  "GET /bag-tax": BagTax;
  "GET /products/:id": ProductDetail;
  "GET /products/:id/prices": List<PriceChange> & { kept_since: Date };
  "GET /stock-movements": Paged<ListedMovement>;
  "POST /stock-counts/preview": List<CountedLine>;
  "POST /stock-counts": CountResult;
  "GET /stock-settings": { low_stock: number };
  "GET /categories": List<Choice>;
  "GET /warehouses": List<WarehouseChoice>;
  "GET /warehouses/all": List<ShownWarehouse>;
  /** Without an import when the file has errors. */
  "POST /product-imports": {
    import: Import | null;
    errors: RowError[];
    error_count: number;
    headings: Heading[];
    unclear: string | null;
    /** With an IVA of 0: which class that is must be said before anything is planned. */
    zero_tax_rows: number;
  };
  "GET /product-imports/:id": Import;
  "GET /product-imports/:id/rows": List<PreviewRow>;
  "POST /product-imports/:id/apply": Import;
  "GET /start": Start;
  "GET /search": List<Found>;
  "POST /invoices/:id/resend": Pick<Invoice, "id" | "status" | "prefix" | "number"> & { reason: string | null };
}

/** What a confirmed change returns, by its action. */
export interface Results {
  "webhook_endpoint.create": { endpoint: Endpoint; secret: string };
  "webhook_endpoint.change_url": { endpoint: Endpoint };
  "webhook_endpoint.rotate_secret": { endpoint: Endpoint; secret: string };
  "api_key.create": { api_key: NewApiKey; key: string };
  "api_key.rotate": { api_key: NewApiKey; key: string; previous: { id: string; works_until: Date } };
  "api_key.restrict": { allowed_addresses: string[] | null };
  "device.enrol": { enrolment_code: string; expires_at: Date };
  "account.change_email": { email: string };
  "fiscal_profile.set": { fiscal_profile: ShownProfile };
  "numbering_range.set": { numbering_range: ReturnType<typeof shownRange> };
  "person.erase": { erasure_id: string };
  "account.close": { data_goes_at: string };
}

/** A change that waits for its mailed code. */
export interface RequestedConfirmation {
  confirmation_id: string;
  expires_at: string;
}

export interface RequestedReset {
  reset_id: string;
  expires_at: Date;
}

export interface List<T> {
  object: "list";
  data: T[];
}

/** A value as it arrives: JSON has no dates, so instants are ISO 8601 text. */
export type Json<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Json<T[K]> } : T;

interface CurrentSession extends AboutPerson {
  id: string;
  account: Pick<Account, "id" | "name" | "email" | "plan">;
  has_pro: boolean;
  /** Whether its person must add a second step before anything else. */
  must_enrol: boolean;
  environment: Config["environment"];
  /** Where a test installation keeps its mail. */
  mailbox: string | null;
  server_time: Date;
}

interface ListedEvent extends EventRow {
  deliveries: EventDelivery[];
}

interface NewApiKey extends Pick<ApiKey, "id" | "name" | "last_four" | "scopes" | "created_at" | "revoked_at"> {
  expires_at: Date | string | null;
}

type WithRequestId<T> = Omit<T, "id"> & { request_id: string };
type ApiCall = WithRequestId<LoggedRequest>;

/** How an endpoint did in the last 24 hours, by attempts. */
interface EndpointWithHealth extends Endpoint {
  last_day: AttemptCounts & { success_rate: number | null };
}

interface CustomerDetail {
  customer: Customer;
  /** For `If-Match`, so that nobody else's change is overwritten. */
  version: string;
  totals: SaleTotals;
}

interface ShownProfile extends ReturnType<typeof shownProfile> {
  object: "fiscal_profile";
  /** Who stands in front of the authority, and what documents would fail for. */
  provider: Config["fiscalAuthority"];
  missing: MissingSetting[];
}
