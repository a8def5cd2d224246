import type { Return, ReturnLine } from "../../business/returns/schema.ts";
import { divideHalfEven } from "../../lib/money.ts";
import { must } from "../../lib/must.ts";
import { driftOf, netOf, nextPart } from "../../taxes/part-of-line.ts";
import { breakDown, type LineTax } from "../../taxes/tax.ts";
import { CorrectionError } from "./correction-error.ts";
import {
  addsUp,
  type EarlierReturn,
  fromMicro,
  type Returnable,
  type SoldLine,
  soldLines,
  toMicro,
} from "./sold-lines.ts";

export interface WantedLine {
  item_id: string;
  quantity: number;
}

/** What a return takes back, exact to the peso. */
export type PlannedReturn = Pick<
  Return,
  "kind" | "lines" | "subtotal" | "discount" | "tax" | "tip_amount" | "total" | "tax_breakdown"
>;

/**
 * What is returned of a completed sale, after its earlier returns. Throws a CorrectionError when more is wanted than is left.
 * The whole sale at once takes its tip along; its parts never do.
 */
export function planReturn(
  sale: Returnable,
  earlier: readonly EarlierReturn[],
  wanted: readonly WantedLine[],
): PlannedReturn {
  if (sale.status === "cancelled") throw new CorrectionError("La venta está anulada: no queda nada por devolver.");
  if (sale.status !== "completed")
    throw new CorrectionError("La venta todavía no está completada: complétela o anúlela en su caja.");
  const lines = soldLines(sale, earlier);
  const quantities = readWanted(lines, wanted);
  const isFull =
    earlier.length === 0 && [...lines.values()].every(({ item, sold }) => quantities.get(item.id) === sold);
  if (!isFull && !addsUp(sale, lines.values()))
    throw new CorrectionError("Las líneas de la venta no suman su total, así que solo se puede devolver completa.");
  const drift: Drift = new Map();
  const made = [...quantities].flatMap(([id, quantity]) =>
    quantity > 0n ? [returnedLine(must(lines.get(id), "The lines were checked before"), quantity, drift)] : [],
  );
  return isFull ? wholeSale(sale, made) : { kind: "partial", tip_amount: 0, ...sums(made) };
}

/** What is left of a sale after its returns, with its tip; undefined when nothing is. */
export function planRest(sale: Returnable, earlier: readonly EarlierReturn[]): PlannedReturn | undefined {
  const drift: Drift = new Map();
  const lines = [...soldLines(sale, earlier).values()].flatMap((line) =>
    line.left > 0n ? [returnedLine(line, line.left, drift)] : [],
  );
  const tip = earlier.reduce((left, { tip_amount }) => left - tip_amount, sale.tip_amount);
  if (lines.length === 0 && tip <= 0) return undefined;
  const rest = sums(lines);
  return { kind: "partial", tip_amount: tip, ...rest, total: rest.total + tip };
}

/** What the cancellation of a sale takes back after its returns, maybe nothing; undefined where it is the whole sale. */
export function restOf(sale: Returnable, earlier: readonly EarlierReturn[]): Omit<PlannedReturn, "kind"> | undefined {
  if (earlier.length === 0) return undefined;
  return planRest(sale, earlier) ?? { tip_amount: 0, ...sums([]) };
}

/** The wanted quantities, limited to what is left. */
export function limitToLeft(
  sale: Returnable,
  earlier: readonly EarlierReturn[],
  wanted: readonly WantedLine[],
): WantedLine[] {
  const lines = soldLines(sale, earlier);
  return [...total(wanted)].flatMap(([item_id, quantity]) => {
    const { left } = lines.get(item_id) ?? { left: 0n };
    if (left === 0n) return [];
    return [{ item_id, quantity: Math.min(fromMicro(quantity), fromMicro(left)) }];
  });
}

function readWanted(lines: ReadonlyMap<string, SoldLine>, wanted: readonly WantedLine[]): Map<string, bigint> {
  const quantities = total(wanted);
  for (const [id, quantity] of quantities) {
    const line = lines.get(id);
    if (!line) throw new CorrectionError("La venta no tiene esa línea.", "lines");
    const name = line.item.description ?? "una línea";
    if (quantity <= 0n) throw new CorrectionError(`La cantidad de «${name}» debe ser mayor que 0.`, "lines");
    if (quantity > line.left)
      throw new CorrectionError(
        line.left === 0n
          ? `De «${name}» ya se devolvió todo.`
          : `De «${name}» quedan ${fromMicro(line.left)} por devolver.`,
        "lines",
      );
    if (line.item.taxes?.some(({ rate }) => rate === null) && quantity % 1_000_000n !== 0n)
      throw new CorrectionError(`«${name}» paga impuesto por unidad: devuelva unidades completas.`, "lines");
  }
  if (quantities.size === 0) throw new CorrectionError("Elija al menos una línea para devolver.", "lines");
  // Lines of nothing go back with the rest.
  for (const [id, { sold }] of lines) if (sold === 0n) quantities.set(id, 0n);
  return quantities;
}

/** A line named twice is one line. */
function total(wanted: readonly WantedLine[]): Map<string, bigint> {
  const quantities = new Map<string, bigint>();
  for (const { item_id, quantity } of wanted)
    quantities.set(item_id, (quantities.get(item_id) ?? 0n) + toMicro(quantity));
  return quantities;
}

/** By how much each tax of the note's lines so far is too high, in millionths of a peso. */
type Drift = Map<string, bigint>;

function returnedLine(
  { item, sold, left, whole, discount, returned }: SoldLine,
  quantity: bigint,
  drift: Drift,
): ReturnLine {
  const after = sold - left + quantity;
  const rates = (item.taxes ?? [])
    .filter(({ per_unit }) => per_unit === null)
    .map(({ code, rate }) => `${code} ${rate}`);
  const part = nextPart(
    whole,
    returned,
    after,
    sold,
    rates.map((rate) => drift.get(rate) ?? 0n),
  );
  for (const [i, excess] of driftOf(whole, part).entries()) drift.set(rates[i]!, (drift.get(rates[i]!) ?? 0n) + excess);
  const discounted = Number(divideHalfEven(discount * after, sold) - returned.discount);
  const amounts = part.taxes.map(Number);
  let perUnit = 0;
  const taxes = item.taxes?.map((tax): LineTax => {
    if (tax.per_unit === null)
      return {
        ...tax,
        base: Number(part.base),
        amount: must(amounts.shift(), "There is one amount for each percentage"),
      };
    const units = Number(quantity / 1_000_000n);
    perUnit += units * tax.per_unit;
    return { ...tax, base: units, amount: units * tax.per_unit };
  });
  const value = Number(netOf(part)) + perUnit;
  return {
    object: "return_line",
    item_id: item.id,
    product_id: item.product_id,
    variant_id: item.variant_id,
    description: item.description,
    quantity: fromMicro(quantity),
    unit_price: item.unit_price,
    subtotal: value + discounted,
    discount: discounted,
    total: value,
    tax_class: item.tax_class,
    taxes: taxes ?? null,
  };
}

function wholeSale(
  { subtotal, discount, tax, tip_amount, total, tax_breakdown }: Returnable,
  lines: ReturnLine[],
): PlannedReturn {
  return { kind: "full", lines, subtotal, discount, tax, tip_amount, total, tax_breakdown };
}

function sums(lines: ReturnLine[]): Omit<PlannedReturn, "kind" | "tip_amount"> {
  const sumOf = (value: (line: ReturnLine) => number) => lines.reduce((sum, line) => sum + value(line), 0);
  const breakdown = breakDown(lines.map(({ taxes }) => ({ taxes: taxes ?? [] })));
  return {
    lines,
    subtotal: sumOf((line) => line.subtotal),
    discount: sumOf((line) => line.discount),
    tax: breakdown.reduce((sum, { amount }) => sum + amount, 0),
    total: sumOf((line) => line.total),
    tax_breakdown: breakdown,
  };
}
