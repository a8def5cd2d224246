import { type ByYear, valueInForce } from "../lib/by-year.ts";
import { divideHalfEven } from "../lib/money.ts";
import { bogotaYear } from "./bogota-time.ts";
import { sum } from "./exact.ts";
import { FiscalError } from "./fiscal-error.ts";
import { hundredPercent, readPesos, readRate, toPesos } from "./read-values.ts";
import type { TaxLineInput, TaxRule } from "./tax.ts";
import { knownYears } from "./year-values.ts";

/** Responsible for IVA; for the consumption tax of restaurants and bars (INC); or for neither. */
export type Regime = "iva" | "inc" | "none";
export type FiscalProfile = {
  regime: Regime;
  pricesIncludeTax: boolean;
  /** Years of the bag tax that this version does not know. */
  bagTaxByYear?: ByYear;
};

export const taxClasses = [
  "standard",
  "reduced_5",
  "excluded",
  "exempt",
  "service_19",
  "event_package",
  "bag",
  "passthrough",
] as const;
export type TaxClass = (typeof taxClasses)[number];

/** What the law or an accountant may change. Spread the default and override the differences. */
export type TaxSettings = {
  /** Percentage taxes of each class. For `bag` they apply only to bags sold at a price; a free bag has none. */
  percentages: Record<TaxClass, Record<Regime, readonly TaxRule[]>>;
  /** Pesos per bag by year of the sale. A year without an entry takes the last one before it. */
  bagTaxByYear: ByYear;
  bagTaxRegimes: readonly Regime[];
  /** Classes that take no share of a sale's discount. */
  notDiscountable: readonly TaxClass[];
};

const percentage =
  (code: string, name: string) =>
  (rate: number): TaxRule => ({ code, name, rate, per_unit: null });

export const iva = percentage("01", "IVA");
export const inc = percentage("04", "INC");
/** A municipal tax on the seller's income, so in no class by default. 9.66 per mille is a rate of 0.966. */
export const ica = percentage("03", "ICA");
export const bagTax = (pesosPerBag: number): TaxRule => ({
  code: "22",
  name: "INC bolsas",
  rate: null,
  per_unit: pesosPerBag,
});

const untaxed = { iva: [], inc: [], none: [] };
/** An INC business still charges IVA on anything but its table service; one responsible for neither never does. */
const alwaysIva = (rate: number) => ({ iva: [iva(rate)], inc: [iva(rate)], none: [] });

export const defaultTaxSettings: TaxSettings = {
  percentages: {
    standard: { iva: [iva(19)], inc: [inc(8)], none: [] },
    reduced_5: alwaysIva(5),
    exempt: alwaysIva(0),
    excluded: untaxed,
    service_19: alwaysIva(19),
    // A caterer under INC sets inc(8) here: the class alone does not distinguish catering from renting a venue.
    event_package: alwaysIva(19),
    bag: { iva: [iva(19)], inc: [], none: [] },
    passthrough: untaxed,
  },
  bagTaxByYear: knownYears.bagTax,
  // Only those responsible for IVA owe it.
  bagTaxRegimes: ["iva"],
  notDiscountable: ["passthrough"],
};

export type PricedProduct = { tax_class: string; base_price: number; final_price?: number };

/**
 * The input of computeTaxes for a product sold on a date. The register sells at the final price; where prices are typed
 * before tax, the percentage taxes are added here, per unit.
 */
export function lineFor(
  product: PricedProduct,
  quantity: number | string,
  profile: FiscalProfile,
  date: Date,
  settings: TaxSettings = defaultTaxSettings,
): TaxLineInput {
  const typedPrice = product.final_price ?? product.base_price;
  const { bagTaxByYear = {} } = profile;
  const inForce = { ...settings, bagTaxByYear: { ...settings.bagTaxByYear, ...bagTaxByYear } };
  const taxes = taxesFor(product.tax_class, typedPrice, profile.regime, date, inForce);
  return {
    quantity,
    unit_price: profile.pricesIncludeTax ? typedPrice : withTaxes(typedPrice, taxes),
    taxes,
    discountable: !settings.notDiscountable.some((taxClass) => taxClass === product.tax_class),
  };
}

/** The taxes of a class in a regime. Price and date matter only for bags. */
export function taxesFor(
  taxClass: string,
  price: number,
  regime: Regime,
  date: Date,
  settings: TaxSettings = defaultTaxSettings,
): readonly TaxRule[] {
  const known = taxClasses.find((candidate) => candidate === taxClass);
  if (!known) throw new FiscalError("unknown_tax_class", "tax_class", `clase de impuesto desconocida: ${taxClass}`);
  const percentages = settings.percentages[known][regime];
  if (known !== "bag") return percentages;
  const perBag = settings.bagTaxRegimes.includes(regime)
    ? [bagTax(valueInForce(settings.bagTaxByYear, bogotaYear(date)))]
    : [];
  return price > 0 ? [...percentages, ...perBag] : perBag;
}

/** The unit price with its percentage taxes, rounded half to even. */
export function withTaxes(price: number, taxes: readonly TaxRule[]): number {
  const rates = taxes.map((tax) => (tax.rate === null ? 0n : readRate(tax.rate, "rate")));
  return toPesos(
    divideHalfEven(readPesos(price, "base_price") * (hundredPercent + sum(rates)), hundredPercent),
    "unit_price",
  );
}
