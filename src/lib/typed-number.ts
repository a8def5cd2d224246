/**
 * A number as people type it here: 12.500, $ 12.500, 12500,50 or 12500.5; undefined if it is none. A single point before exactly
 * three digits separates thousands, as everywhere in Colombia, unless it follows a zero; a single comma separates decimals.
 */
export function typedNumber(text: string): number | undefined {
  const plain = normalized(text.replace(/[\s$\u00a0]|COP/gi, "").replace(/%$/, ""));
  return plain !== undefined && /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

function normalized(text: string): string | undefined {
  const [points, commas] = [text.split(".").length - 1, text.split(",").length - 1];
  if (points > 0 && commas > 0) {
    const decimal = text.lastIndexOf(",") > text.lastIndexOf(".") ? "," : ".";
    const thousands = decimal === "," ? "." : ",";
    if (text.split(decimal).length > 2 || !isGrouped(text.split(decimal)[0]!, thousands)) return undefined;
    return text.replaceAll(thousands, "").replace(decimal, ".");
  }
  if (points > 0) return isGrouped(text, ".") ? text.replaceAll(".", "") : points === 1 ? text : undefined;
  if (commas > 1) return isGrouped(text, ",") ? text.replaceAll(",", "") : undefined;
  return text.replace(",", ".");
}

function isGrouped(text: string, mark: string): boolean {
  const [first, ...rest] = text.replace(/^-/, "").split(mark);
  return /^[1-9]\d{0,2}$/.test(first!) && rest.length > 0 && rest.every((part) => /^\d{3}$/.test(part));
}
