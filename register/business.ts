import type { ByYear } from "../src/lib/by-year.ts";
import type { FiscalProfile } from "../src/taxes/tax-classes.ts";
import type { Catalog } from "./catalog.ts";

/** The sede of a register. What it does not say is the business's. */
export interface RegisterLocation {
  id: string;
  name: string;
  address: string | null;
  phone: string | null;
  ticket_header: string | null;
  ticket_footer: string | null;
  /** Where its registers sell from. */
  default_warehouse_id: string | null;
}

/** What a register knows of its business, as it travels down the feed (`type: "business"`). */
export interface BusinessInfo {
  name: string;
  /** With its check digit; null while the business has not set up its documents. */
  nit: string | null;
  regime: FiscalProfile["regime"] | null;
  prices_include_tax: boolean;
  ticket_header: string | null;
  ticket_footer: string | null;
  color: string | null;
  /** Cash is rounded to multiples of this many pesos; 0 for never. */
  cash_rounding: number;
  /** The tip that is asked for, in percent; 0 for none. */
  tip_percent: number;
  /** Whoever closes a shift counts without seeing what is expected. */
  blind_count: boolean;
  /** What a ticket says of a document that waits while the authority is away; null while it answers. */
  contingency: string | null;
  /** False where the business does not mail tickets. */
  ticket_mail: boolean;
  /** After so many minutes without a touch the screen asks for a PIN; 0 for never. */
  lock_minutes: number;
  /** How its scales print their labels; see `src/lib/scale-label.ts`. */
  scale_labels: string[];
  /** Where this register stands, in a business with several sedes. */
  location: RegisterLocation | null;
  /** With which it writes the address of a buyer's document; null at a service of before. */
  document_links: { url: string; account_id: string; key: string } | null;
  /** Pesos per plastic bag, of years that this version does not know. */
  bag_tax_by_year: ByYear;
}

/** What holds until the business's own settings have arrived. */
export const unknownBusiness: BusinessInfo = {
  name: "",
  nit: null,
  regime: null,
  prices_include_tax: true,
  ticket_header: null,
  ticket_footer: null,
  color: null,
  cash_rounding: 0,
  tip_percent: 0,
  blind_count: false,
  contingency: null,
  ticket_mail: true,
  lock_minutes: 0,
  scale_labels: [],
  location: null,
  document_links: null,
  bag_tax_by_year: {},
};

export function businessIn(catalog: Catalog): BusinessInfo {
  return { ...unknownBusiness, ...catalog.all("business")[0] };
}

/** A business without fiscal settings sells like most shops: IVA, included in its prices. */
export function profileOf({ regime, prices_include_tax, bag_tax_by_year }: BusinessInfo): FiscalProfile {
  return {
    regime: regime ?? "iva",
    pricesIncludeTax: regime === null || prices_include_tax,
    bagTaxByYear: bag_tax_by_year,
  };
}
