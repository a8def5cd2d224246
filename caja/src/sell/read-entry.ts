/** What was typed or scanned: a code, with how many of it in front. */
export interface ReadEntry {
  code: string;
  /** Undefined where none was given. */
  units: number | undefined;
}

const counted = /^(\d{1,6}(?:[.,]\d{1,3})?)\s*\*\s*(.*)$/;

/** "0*" and "-3*" are no number of anything: whoever types them wants to take something off. */
export function isTakingOff(text: string): boolean {
  return /^(-\s*\d+([.,]\d+)?|0+([.,]0+)?)\s*\*/.test(text.trim());
}

/** Reads "5*7702001000018"; anything else is a code as it stands. */
export function readEntry(text: string): ReadEntry {
  const clean = text.trim();
  const found = counted.exec(clean);
  if (!found) return { code: clean, units: undefined };
  const units = Number(found[1]!.replace(",", "."));
  return units > 0 ? { code: found[2]!.trim(), units } : { code: clean, units: undefined };
}
