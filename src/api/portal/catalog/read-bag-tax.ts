import type { Config } from "../../../config.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { defaultTaxSettings, type Regime, taxesFor } from "../../../taxes/tax-classes.ts";

export interface BagTax {
  /** Pesos that a plastic bag costs today besides its price; null where the regime has no such tax. */
  per_bag: number | null;
}

/** As the registers charge it: a business without a profile sells as if its sales bore IVA. */
export async function readBagTax(
  db: Queryable,
  { bagTaxByYear }: Pick<Config, "bagTaxByYear">,
  accountId: string,
  now: Date,
): Promise<BagTax> {
  const { rows } = await db.query<{ regime: Regime }>(
    sql`select regime from fiscal_profiles where account_id = ${accountId}`,
  );
  const settings = { ...defaultTaxSettings, bagTaxByYear: { ...defaultTaxSettings.bagTaxByYear, ...bagTaxByYear } };
  const taxes = taxesFor("bag", 0, rows[0]?.regime ?? "iva", now, settings);
  return { per_bag: taxes.find(({ per_unit }) => per_unit !== null)?.per_unit ?? null };
}
