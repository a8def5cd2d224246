import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { FiscalProfile, Regime } from "../../taxes/tax-classes.ts";
import type { BusinessInfo } from "./business-info.ts";

/** How a business charges taxes, as its registers are told: one without a fiscal profile has IVA in its prices. */
export async function readTaxProfile(db: Queryable, accountId: string): Promise<FiscalProfile> {
  const { rows } = await db.query<{
    regime: Regime | null;
    prices_include_tax: boolean | null;
    info: string | null;
  }>(sql`
    select f.regime, f.prices_include_tax, s.info::text as info
    from account_clock c left join fiscal_profiles f on f.account_id = c.account_id
    left join counter_settings s on s.account_id = c.account_id where c.account_id = ${accountId}`);
  const [row] = rows;
  const bags = row?.info ? (JSON.parse(row.info) as Partial<BusinessInfo>).bag_tax_by_year : undefined;
  const regime = row?.regime ?? null;
  return {
    regime: regime ?? "iva",
    pricesIncludeTax: regime === null || (row?.prices_include_tax ?? true),
    ...(bags && { bagTaxByYear: bags }),
  };
}
