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
  /** Its last day in Bogotá, as YYYY-MM-DD; null when it needs no authorization. */
  validUntil: string | null;
  technicalKey: string | null;
  resolution: string | null;
}

export type FoundRange =
  | { kind: "found"; range: NumberingRange }
  | { kind: "none"; range?: NumberingRange; reason: string };

export const spanishKinds: Record<RangeKind, string> = {
  pos: "documentos POS",
  invoice: "facturas electrónicas",
  note: "notas",
  internal: "documentos internos",
};

/** The first range of a kind that is valid and has a number left, or a reason for the business to read. */
export function findRange(ranges: readonly NumberingRange[], kind: RangeKind, today: string): FoundRange {
  const own = ranges.filter((range) => range.kind === kind);
  const usable = own.find((range) => !isExhausted(range) && !isExpired(range, today));
  if (usable) return { kind: "found", range: usable };
  const range = own.at(-1);
  const next = "Registre un rango nuevo en el perfil fiscal y reenvíe el documento.";
  if (!range) return { kind: "none", reason: `No hay un rango de numeración para ${spanishKinds[kind]}. ${next}` };
  const name = `${range.prefix} ${range.first}–${range.last}`.trim();
  const problem = isExhausted(range) ? "se agotó" : `venció el ${range.validUntil}`;
  return {
    kind: "none",
    range,
    reason: `El rango de numeración ${name} para ${spanishKinds[kind]} ${problem}. ${next}`,
  };
}

export function isExhausted(range: Pick<NumberingRange, "next" | "last">): boolean {
  return range.next > range.last;
}

export function isExpired(range: Pick<NumberingRange, "validUntil">, today: string): boolean {
  return range.validUntil !== null && range.validUntil < today;
}
