export const rangeKinds = ["pos", "invoice", "note", "internal"] as const;
export type RangeKind = (typeof rangeKinds)[number];

export interface NumberingRange {
  id: string;
  kind: RangeKind;
  /** Empty when there is none. */
  prefix: string;
  first: number;
  last: number;
  next: number;
  /** Its first day in Bogotá, as YYYY-MM-DD; null when it has always been valid. */
  validFrom: string | null;
  /** Its last day; null when it needs no authorization. */
  validUntil: string | null;
  technicalKey: string | null;
  resolution: string | null;
  /** The only register, warehouse or sede that it serves; all null when it serves all. */
  registerId: string | null;
  warehouseId: string | null;
  locationId: string | null;
  /** Which of its ends the owner has been told of. */
  told: readonly string[];
  /** Numbers still ahead that registers' own documents have. */
  taken: ReadonlySet<number>;
}

/** Where a document is issued: the register's ids, its warehouse where the business says which, and its sede. */
export interface Place {
  registers: readonly string[];
  warehouses: readonly string[];
  locations: readonly string[];
}

export const nowhere: Place = { registers: [], warehouses: [], locations: [] };

export type FoundRange =
  | { kind: "found"; range: NumberingRange }
  | { kind: "none"; range?: NumberingRange; reason: string };

export const spanishKinds: Record<RangeKind, string> = {
  pos: "documentos POS",
  invoice: "facturas electrónicas",
  note: "notas",
  internal: "documentos internos",
};

/**
 * The range that numbers the next document of a kind at a place, or a reason for the business to read. The register's
 * own ranges come first, then those of its warehouse, of its sede, and those for all; within each, the first that is usable.
 */
export function findRange(
  ranges: readonly NumberingRange[],
  kind: RangeKind,
  today: string,
  place: Place = nowhere,
): FoundRange {
  const serving = ranges.filter((range) => range.kind === kind && servesAt(range, place));
  const nearest = serving.toSorted((a, b) => distanceOf(a) - distanceOf(b));
  const usable = nearest.find((range) => isUsable(range, today));
  if (usable) return { kind: "found", range: usable };
  const range = serving.at(-1);
  const next = "Registre un rango nuevo en el perfil fiscal y reenvíe el documento.";
  if (!range) {
    const others = ranges.some((one) => one.kind === kind) ? " de esta caja" : "";
    return { kind: "none", reason: `No hay un rango de numeración para ${spanishKinds[kind]}${others}. ${next}` };
  }
  return {
    kind: "none",
    range,
    reason: `El rango de numeración ${rangeName(range)} para ${spanishKinds[kind]} ${whyUnusable(range, today)}. ${next}`,
  };
}

export function rangeName({ prefix, first, last }: Pick<NumberingRange, "prefix" | "first" | "last">): string {
  return `${prefix} ${first}–${last}`.trim();
}

function whyUnusable(range: NumberingRange, today: string): string {
  if (isExhausted(range)) return "se agotó";
  return isExpired(range, today) ? `venció el ${range.validUntil}` : `empieza a valer el ${range.validFrom}`;
}

export function servesAt(range: NumberingRange, { registers, warehouses, locations }: Place): boolean {
  const { registerId, warehouseId, locationId } = range;
  if (registerId !== null) return registers.includes(registerId);
  if (warehouseId !== null) return warehouses.includes(warehouseId);
  return locationId === null || locations.includes(locationId);
}

function distanceOf({ registerId, warehouseId, locationId }: NumberingRange): number {
  if (registerId !== null) return 0;
  if (warehouseId !== null) return 1;
  return locationId === null ? 3 : 2;
}

/** Whether it serves all registers of the business. */
export function servesAll({ registerId, warehouseId, locationId }: NumberingRange): boolean {
  return registerId === null && warehouseId === null && locationId === null;
}

export function isUsable(range: NumberingRange, today: string): boolean {
  return !isExhausted(range) && !isExpired(range, today) && !isFuture(range, today);
}

export function isExhausted(range: Pick<NumberingRange, "next" | "last">): boolean {
  return range.next > range.last;
}

export function isExpired(range: Pick<NumberingRange, "validUntil">, today: string): boolean {
  return range.validUntil !== null && range.validUntil < today;
}

/** A number given before the resolution's first day is rejected. */
export function isFuture(range: Pick<NumberingRange, "validFrom">, today: string): boolean {
  return range.validFrom !== null && range.validFrom > today;
}
