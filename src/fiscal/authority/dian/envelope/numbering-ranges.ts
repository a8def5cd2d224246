import type { Authorization } from "../document/issuance.ts";
import { childText, findElement, type ReadElement, readAnswerXml } from "../xml/read-xml.ts";

/** A range as the authority has it, so that nobody types it. */
export interface FoundRange extends Authorization {
  /** Null for ranges of what is sealed with the software's PIN. */
  technicalKey: string | null;
}

export type RangesAnswer =
  | { kind: "found"; ranges: FoundRange[] }
  /** In the authority's words: the prefix is not associated with the software, the NIT is not enabled. */
  | { kind: "refused"; message: string };

const successful = "100";

export function readNumberingRanges(text: string): RangesAnswer {
  const envelope = readAnswerXml(text);
  const result = envelope && findElement(envelope, "GetNumberingRangeResult");
  if (!result) return { kind: "refused", message: "La DIAN no respondió los rangos de numeración." };
  const said = childText(result, "OperationDescription") ?? "La DIAN no dice por qué.";
  const list = result.children.find(({ name }) => name === "ResponseList");
  const ranges = (list?.children ?? []).map(rangeOf).filter((one) => one !== undefined);
  return childText(result, "OperationCode") === successful && ranges.length > 0
    ? { kind: "found", ranges }
    : { kind: "refused", message: said };
}

function rangeOf(element: ReadElement): FoundRange | undefined {
  const text = (name: string) => childText(element, name) ?? "";
  const [first, last] = [Number(text("FromNumber")), Number(text("ToNumber"))];
  const [validFrom, validUntil] = [day(text("ValidDateFrom")), day(text("ValidDateTo"))];
  const resolution = text("ResolutionNumber");
  if (!Number.isSafeInteger(first) || !(last >= first) || !validFrom || !validUntil || resolution === "")
    return undefined;
  const prefix = text("Prefix");
  return { resolution, prefix, first, last, validFrom, validUntil, technicalKey: childText(element, "TechnicalKey") };
}

/** The day as it is written: read as a time, it would be the day before in Bogotá. */
function day(text: string): string | undefined {
  return /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
}
