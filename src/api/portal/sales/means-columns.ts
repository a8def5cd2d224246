import { keyOf } from "../../../business/sale-totals/move-totals.ts";
import { allMeans, otherMeans, paymentName } from "../../../taxes/means.ts";
import type { MeansColumns } from "../lists/sales.ts";
import { countedAmount } from "../lists/sales.ts";

/** More would be no table to read. */
const maxMeans = 30;

/** What came by each means, in the order in which people choose. What has no column of its own is in the last one, with the other means. */
export function meansColumns(means: readonly string[]): MeansColumns {
  const other = paymentName(otherMeans);
  const used = new Set(means);
  const own = [...allMeans.filter((code) => used.has(code)), ...means].map(paymentName);
  const names = [...new Set(own)].filter((name) => name !== other).slice(0, maxMeans);
  const columnOf = (code: string) => {
    const name = paymentName(keyOf(code));
    return names.includes(name) ? name : other;
  };
  return Object.fromEntries(
    [...names, other].map((name) => [
      `means ${name}`,
      countedAmount(`Recibido: ${name}`, ({ parts }) =>
        parts.reduce((sum, part) => (columnOf(part.payment_method) === name ? sum + part.amount : sum), 0),
      ),
    ]),
  );
}
