import type { ByYear } from "../lib/by-year.ts";

/** What the law sets anew for each year. An operator adds years without a release: `BAG_TAX_BY_YEAR`, `UVT_BY_YEAR`. */
export const knownYears = {
  /** Per plastic bag. 2025 and 2026 as published by the authority; 2023 and 2024 from secondary sources. */
  bagTax: { 2023: 60, 2024: 66, 2025: 70, 2026: 73 },
  /** Per tax value unit, which the authority sets in December. */
  uvt: { 2023: 42_412, 2024: 47_065, 2025: 49_799, 2026: 52_374 },
} as const satisfies Record<string, ByYear>;
