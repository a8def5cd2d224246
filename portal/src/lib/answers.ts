import type { Answers, Json, RequestedConfirmation as Requested, Results } from "../../../src/api/portal/answers.ts";

export type { Json };

/** What the portal's API answers with, as it arrives. */
export type Answer<Route extends keyof Answers> = Json<Answers[Route]>;
type ItemOf<Route extends keyof Answers> = Answer<Route> extends { data: (infer Item)[] } ? Item : never;

/** What a confirmed change returns. */
export type Result<Action extends keyof Results> = Json<Results[Action]>;
/** A change that waits for the code in the mail. */
export type RequestedConfirmation = Json<Requested>;

export type Page<T> = Omit<Answer<"GET /events">, "data"> & { data: T[] };

export type Session = Answer<"GET /session">;
export type Account = Answer<"GET /account">;
export type AuditEntry = ItemOf<"GET /audit-log">;

export type Endpoint = Answer<"GET /webhook-endpoints/:id">;
export type ListedEndpoint = ItemOf<"GET /webhook-endpoints">;
export type Delivery = Answer<"GET /deliveries/:id">;
export type Attempt = Delivery["attempts"][number];
export type SentRequest = Answer<"GET /deliveries/:id/request">;
export type ListedEvent = ItemOf<"GET /events">;

export type ApiKey = ItemOf<"GET /api-keys">;
export type ApiCall = ItemOf<"GET /requests">;
export type OpenedCall = Answer<"GET /requests/:request_id">;

export type Device = ItemOf<"GET /devices">;

export type Today = Answer<"GET /today">;
export type SalesReport = Answer<"GET /reports/sales">;
export type MarginReport = Answer<"GET /reports/margin">;
export type StockValue = Answer<"GET /reports/stock-value">;
export type TaxReport = Answer<"GET /reports/taxes">;

export type Figures = Answer<"GET /overview">;
export type Finding = ItemOf<"GET /findings">;
export type Concern = ItemOf<"GET /attention">;

export type CounterAct = ItemOf<"GET /counter-acts">;

export type SaleRow = ItemOf<"GET /sales">;
export type SaleDetail = Answer<"GET /sales/:id">;
export type DocumentRow = ItemOf<"GET /invoices">;
export type DocumentDetail = Answer<"GET /invoices/:id">;
export type QuoteRow = ItemOf<"GET /quotes">;
export type Customer = Answer<"GET /customers/:id">["customer"];

export type FiscalProfile = Answer<"GET /fiscal-profile">;
export type NumberingRange = ItemOf<"GET /numbering-ranges">;
export type UnissuedDocument = ItemOf<"GET /invoices/unissued">;

export type Look = Answer<"GET /look">;
export type AccountingCodes = Answer<"GET /accounting-codes">;
export type CashSession = Answer<"GET /records/cash-sessions/:id">;
export type Return = Answer<"POST /sales/:id/returns">["return"];
