import type { Right } from "../src/business/counter/rights.ts";

/** What a register and /sync/v1 say to each other. */

/** A record in the upload queue. `device_seq` is one counter per register, without gaps. */
export interface Entry {
  device_seq: number;
  type: string;
  id: string;
  op: "upsert" | "delete";
  base_seq: number;
  edited_at: string;
  changed: string[] | null;
  data: object;
  /** Beside a sale: the means it was paid with. Private: the sale publishes the largest one. */
  payments?: Payment[];
  /** Beside a sale: who rang it up. Beside a return or a movement of the stock: who made it. */
  cashier_id?: string;
  /** Beside a sale: what its ticket says. */
  ticket_number?: number;
  /** Who did what took a right, and who allowed it. */
  acts?: EntryAct[];
}

/** A record as a cashier's action describes it. */
export type Draft = Pick<Entry, "type" | "id" | "data"> &
  Partial<Pick<Entry, "op" | "changed" | "payments" | "cashier_id" | "ticket_number" | "acts">>;

export interface EntryAct {
  right: Right;
  cashier_id: string;
  /** Whoever allowed this one act; null when the cashier may. */
  authorized_by: string | null;
}

export interface Payment {
  payment_method: string;
  amount: number;
  /** What the terminal or the bank calls it: an approval number. */
  reference?: string;
}

/** The longest reference that the service keeps. */
export const maxReferenceLength = 40;

/** What the enrolment returned. */
export interface Identity {
  device_id: string;
  token: string;
  account_id: string;
  epoch: string;
  /** What the owner calls this register; an older service does not say. */
  name?: string;
}

export interface PushResponse {
  epoch: string;
  acked_seq: number;
  results: { device_seq: number; status: string; code: string | null; record: unknown }[];
}

export interface Change {
  seq: number;
  type: string;
  id: string;
  deleted: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: registers read the fields they know and keep the rest
  data: any;
}

export interface ChangesResponse {
  changes: Change[];
  cursor: string;
  has_more: boolean;
  epoch: string;
  acked_seq: number;
}

export interface StockPage {
  /** Product, warehouse (null for none) and quantity. */
  levels: [string, string | null, number][];
  cursor: string;
  has_more: boolean;
  /** The last upload of this register that the quantities contain. */
  acked_seq: number;
  as_of: string;
}

/** A sale of any register of the business, as a list shows it. */
export interface ListedSale {
  id: string;
  status: string;
  payment_method: string;
  total: number;
  occurred_at: string;
  ticket_number: number | null;
  register: string | null;
  customer_name: string | null;
  description: string | null;
  /** Of all parts of its payment. */
  means: string[];
  documents: string[];
  is_returned: boolean;
}

export interface SalesPage {
  sales: ListedSale[];
  cursor: string;
  has_more: boolean;
}

/** An error response of the server. Every other failure is the network's. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly expected: number | undefined;
  /** How long the server asks to wait, if it says so. */
  readonly retryAfterMs: number | undefined;
  constructor(
    status: number,
    error: { code: string; message: string; expected?: number },
    retryAfterMs: number | undefined = undefined,
  ) {
    super(`${error.code}: ${error.message}`);
    this.status = status;
    this.code = error.code;
    this.expected = error.expected;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An answer that is not the service's. */
export class UnreadableAnswer extends TypeError {
  constructor() {
    super("the response is not the service's");
  }
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
