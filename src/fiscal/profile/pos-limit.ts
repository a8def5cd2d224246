import { bogotaYear } from "../../taxes/bogota-time.ts";
import type { IssuerSettings } from "./profile.ts";

/** Pesos per tax value unit (UVT), which the authority sets for each year in December. */
const uvtByYear: Readonly<Record<number, number>> = { 2023: 42_412, 2024: 47_065, 2025: 49_799, 2026: 52_374 };

/**
 * The largest value of a POS document before taxes, for a business that wants to be warned. The statute still says 5
 * UVT, but the authority no longer applies it: it is optional and never stops a document.
 */
export function posLimit({ pos_limit_uvt, uvt }: IssuerSettings, at: Date): number | undefined {
  if (pos_limit_uvt === undefined) return undefined;
  const year = bogotaYear(at);
  const known = Object.keys(uvtByYear).map(Number);
  const inForce = known.filter((one) => one <= year).at(-1) ?? known[0]!;
  return pos_limit_uvt * (uvt ?? uvtByYear[inForce]!);
}
