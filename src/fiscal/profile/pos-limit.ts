import { type ByYear, valueInForce } from "../../lib/by-year.ts";
import { bogotaYear } from "../../taxes/bogota-time.ts";
import { knownYears } from "../../taxes/year-values.ts";
import type { IssuerSettings } from "./profile.ts";

/**
 * The largest value of a POS document before taxes, for a business that wants to be warned. The statute still says 5
 * UVT, but the authority no longer applies it: it is optional and never stops a document.
 */
export function posLimit({ pos_limit_uvt, uvt }: IssuerSettings, uvtByYear: ByYear, at: Date): number | undefined {
  if (pos_limit_uvt === undefined) return undefined;
  return pos_limit_uvt * (uvt ?? valueInForce({ ...knownYears.uvt, ...uvtByYear }, bogotaYear(at)));
}
