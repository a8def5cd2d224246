import { divideHalfEven } from "../lib/money.ts";
import { shareOut, sum } from "./exact.ts";
import { FiscalError } from "./fiscal-error.ts";
import { hundredPercent, million, readPesos, readQuantity, readRate, toPesos } from "./read-values.ts";

/** A tax that applies to a line. The unit price includes percentage taxes; per-unit taxes are added to it. */
export type TaxRule = { code: string; name: string | null } & (
  | { rate: number; per_unit: null }
  | { rate: null; per_unit: number }
);

/** As published. The base of a per-unit tax is its number of units, of any other an amount in pesos. */
export type TaxTotal = { code: string; rate: number | null; per_unit: number | null; base: number; amount: number };
export type LineTax = TaxTotal & { name: string | null };

export type TaxLineInput = {
  /** A number is read by its shortest decimal text. At most 6 decimals. */
  quantity: number | string;
  /** Percentage taxes included, as published. */
  unit_price: number;
  taxes: readonly TaxRule[];
  /** The line's own discount, as in quotes; already deducted from its subtotal. */
  discount_percent?: number;
  /** False for money collected for others: it gets no share of the sale's discount. */
  discountable?: boolean;
};

export type TaxInput = {
  lines: readonly TaxLineInput[];
  /** The sale's discount, in pesos or as a percentage of the discountable lines; not both. */
  discount?: number;
  discountPercent?: number;
  tip?: number;
};

export type TaxedLine = { subtotal: number; discount: number; net: number; taxes: LineTax[] };

export type SaleTaxes = {
  lines: TaxedLine[];
  subtotal: number;
  discount: number;
  tax: number;
  tip_amount: number;
  total: number;
  tax_breakdown: TaxTotal[];
};

/**
 * Line taxes, discount shares and totals of a sale, exact to the peso. A tax is rounded once for all lines with the same
 * taxes and then distributed among them: rounding line by line exceeds the authority's tolerance of 2.00 in one of five
 * tickets of 20 lines. The same input always gives the same output.
 */
export function computeTaxes(input: TaxInput): SaleTaxes {
  const lines = input.lines.map(readLine);
  const discount = readDiscount(input, lines);
  const tip = readPesos(input.tip ?? 0, "tip");

  const shares = discountShares(lines, discount);
  const nets = lines.map((line, index) => line.gross - shares[index]!);
  const amounts = percentageAmounts(lines, nets);
  const taxed = lines.map((line, index) => taxedLine(line, shares[index]!, nets[index]!, amounts[index]!));

  const subtotal = sum(lines.map((line) => line.gross + line.perUnit));
  const breakdown = breakDown(taxed);
  return {
    lines: taxed,
    subtotal: toPesos(subtotal, "subtotal"),
    discount: toPesos(discount, "discount"),
    tax: toPesos(sum(breakdown.map((entry) => BigInt(entry.amount))), "tax"),
    tip_amount: toPesos(tip, "tip"),
    total: toPesos(subtotal - discount + tip, "total"),
    tax_breakdown: breakdown,
  };
}

type Percentage = { code: string; rate: bigint };
type Line = {
  rules: readonly TaxRule[];
  quantity: bigint;
  /** Quantity × price, percentage taxes included and before the sale's discount. */
  gross: bigint;
  /** Per-unit taxes, which no discount lowers. */
  perUnit: bigint;
  percentages: Percentage[];
  discountable: boolean;
};

function readLine(line: TaxLineInput, index: number): Line {
  const at = `lines[${index}]`;
  const quantity = readQuantity(line.quantity, `${at}.quantity`);
  const price = readPesos(line.unit_price, `${at}.unit_price`);
  const kept = hundredPercent - readRate(line.discount_percent ?? 0, `${at}.discount_percent`);
  const codes = new Set(line.taxes.map((tax) => tax.code));
  if (codes.size < line.taxes.length)
    throw new FiscalError("repeated_tax", `${at}.taxes`, "un mismo impuesto aparece dos veces en la línea");

  const percentages: Percentage[] = [];
  let perUnit = 0n;
  line.taxes.forEach((tax, position) => {
    const where = `${at}.taxes[${position}]`;
    if ((tax.rate === null) === (tax.per_unit === null))
      throw new FiscalError("unreadable", where, "un impuesto tiene tarifa o valor por unidad, uno de los dos");
    if (tax.rate !== null) percentages.push({ code: tax.code, rate: readRate(tax.rate, `${where}.rate`) });
    else perUnit += wholeUnits(quantity, `${at}.quantity`) * readPesos(tax.per_unit, `${where}.per_unit`);
  });
  // Sorted, so that the same taxes in another order form the same group.
  percentages.sort((a, b) => (a.code < b.code ? -1 : 1));
  const gross = divideHalfEven(quantity * price * kept, million * hundredPercent);
  return { rules: line.taxes, quantity, gross, perUnit, percentages, discountable: line.discountable ?? true };
}

/** A tax per bag needs whole bags: with half a bag, base × per_unit would not be whole pesos. */
function wholeUnits(quantity: bigint, field: string): bigint {
  if (quantity % million !== 0n)
    throw new FiscalError("not_whole", field, "un impuesto por unidad exige una cantidad entera");
  return quantity / million;
}

function readDiscount(input: TaxInput, lines: readonly Line[]): bigint {
  if (input.discount !== undefined && input.discountPercent !== undefined)
    throw new FiscalError("two_discounts", "discount", "el descuento va en pesos o en porcentaje, no en ambos");
  const eligible = sum(lines.map(discountableGross));
  if (input.discountPercent !== undefined)
    return divideHalfEven(eligible * readRate(input.discountPercent, "discountPercent"), hundredPercent);
  const discount = readPesos(input.discount ?? 0, "discount");
  if (discount > eligible)
    throw new FiscalError(
      "discount_too_large",
      "discount",
      `supera los $${eligible.toLocaleString("es-CO")} que admiten descuento`,
    );
  return discount;
}

function discountableGross(line: Line): bigint {
  return line.discountable ? line.gross : 0n;
}

function discountShares(lines: readonly Line[], discount: bigint): bigint[] {
  const weights = lines.map(discountableGross);
  const eligible = sum(weights);
  if (eligible === 0n) return weights;
  return shareOut(
    weights.map((weight) => weight * discount),
    eligible,
  );
}

/** For each line, the amounts of its percentage taxes within its net, by code. */
function percentageAmounts(lines: readonly Line[], nets: readonly bigint[]): Map<string, bigint>[] {
  const amounts = lines.map(() => new Map<string, bigint>());
  const groups = Map.groupBy(lines.keys(), (index) =>
    lines[index]!.percentages.map(({ code, rate }) => `${code}@${rate}`).join(" "),
  );
  for (const members of groups.values()) {
    const { percentages } = lines[members[0]!]!;
    const divisor = hundredPercent + sum(percentages.map(({ rate }) => rate));
    // Two taxes rounded up on a line of one peso would make its base negative.
    const room = members.map(
      (index) => nets[index]! - sum(percentages.map((tax) => (nets[index]! * tax.rate) / divisor)),
    );
    const takePeso = (member: number) => {
      if (room[member] === 0n) return false;
      room[member]! -= 1n;
      return true;
    };
    for (const { code, rate } of percentages) {
      const numerators = members.map((index) => nets[index]! * rate);
      const shares = shareOut(numerators, divisor, takePeso);
      members.forEach((index, member) => void amounts[index]!.set(code, shares[member]!));
    }
  }
  return amounts;
}

function taxedLine(line: Line, discount: bigint, net: bigint, amounts: Map<string, bigint>): TaxedLine {
  const base = net - sum(amounts.values());
  const units = line.quantity / million;
  return {
    subtotal: toPesos(line.gross + line.perUnit, "subtotal"),
    discount: toPesos(discount, "discount"),
    net: toPesos(net, "net"),
    taxes: line.rules.map(({ code, name, rate, per_unit }) => ({
      code,
      name,
      rate,
      per_unit,
      base: toPesos(per_unit === null ? base : units, "base"),
      amount: toPesos(per_unit === null ? amounts.get(code)! : units * BigInt(per_unit), "amount"),
    })),
  };
}

/** One entry per code, rate and value per unit, in that order. */
export function breakDown(lines: readonly { taxes: readonly LineTax[] }[]): TaxTotal[] {
  const groups = Map.groupBy(
    lines.flatMap((line) => line.taxes),
    (tax) => `${tax.code} ${tax.rate} ${tax.per_unit}`,
  );
  return [...groups.values()]
    .map((taxes) => {
      const { code, rate, per_unit } = taxes[0]!;
      const total = (key: "base" | "amount") => toPesos(sum(taxes.map((tax) => BigInt(tax[key]))), key);
      return { code, rate, per_unit, base: total("base"), amount: total("amount") };
    })
    .sort((a, b) => compare(a.code, b.code) || compare(a.rate, b.rate) || compare(a.per_unit, b.per_unit));
}

function compare<T extends string | number | null>(a: T, b: T): number {
  return Number((a ?? -1) > (b ?? -1)) - Number((a ?? -1) < (b ?? -1));
}
