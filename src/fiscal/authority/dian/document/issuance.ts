import type { Regime } from "../../../../taxes/tax-classes.ts";
import type { FiscalEnvironment } from "../../../content/document-hash.ts";

/** What a document says besides its content: who issues it, with which software and under which authorization. */
export interface Issuance {
  issuer: Issuer;
  software: Software;
  environment: FiscalEnvironment;
  /** Of the range that the number is of; notes have none. */
  authorization: Authorization | null;
  /** Where POS documents say their register stands. */
  cash: { location: string; type: string };
}

export interface Issuer {
  /** As it is registered; the trade name is the one that customers know. */
  name: string;
  tradeName?: string;
  organization: "company" | "person";
  regime: Regime;
  /** Of the register of taxpayers: O-13, O-15, O-23, O-47. None is R-99-PN. */
  responsibilities: readonly string[];
  /** Its code in the classification of activities (CIIU). */
  activity?: string;
  address: Address;
  phone?: string;
  email?: string;
}

export interface Address {
  /** Of the list of municipalities, five digits whose first two are the department. */
  municipality: string;
  city: string;
  department: string;
  postalZone?: string;
  line: string;
}

/** Invoices and POS documents have one each, with its own PIN. Own software: its provider is the issuer. */
export interface Software {
  id: string;
  pin: string;
  maker: { name: string; business_name: string; software_name: string };
}

export interface Authorization {
  resolution: string;
  prefix: string;
  first: number;
  last: number;
  /** Days: 2026-01-01. They must be those of the authority's register. */
  validFrom: string;
  validUntil: string;
}
