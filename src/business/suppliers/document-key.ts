import { plainDigits } from "../../taxes/document-number.ts";
import { parseNit } from "../../taxes/nit.ts";

/** What tells a supplier's document from another's, however it was written: its digits without points and check digit. */
export function documentKey(number: string | null | undefined): string | null {
  if (!number) return null;
  const nit = parseNit(number);
  return nit.kind === "unreadable" ? plainDigits(number) || null : nit.number;
}
