/**
 * What was earned, as every page, paper and file says it. docs/guide/cifras.md says the same to an owner.
 *
 * The margin of what was sold is its net sale without taxes less what it cost. What nobody knows the cost of is in neither: it is
 * counted apart, never as if it had cost nothing.
 */
export interface MarginSums {
  /** Lines sold; those taken back later count too. */
  lines: number;
  /** Net sales without taxes. */
  net: number;
  /** What was sold of it, to the peso. */
  cost: number;
  margin: number;
  /** Of the margin, which part of the net sales it is, in percent to one decimal; null where nothing of known cost was sold. */
  percent: number | null;
  /** Lines whose cost nobody knows, and their net sales. */
  unknown_lines: number;
  unknown_net: number;
  /** Lines sold before they came in: what comes in next says what they cost. */
  guess_lines: number;
}

/** As they are added up, before the margin is taken. */
export type CostSums = Pick<MarginSums, "lines" | "net" | "unknown_lines" | "unknown_net" | "guess_lines"> & {
  /** With all its decimals. */
  cost: number;
};

export function marginOf({ cost: exact, ...sums }: CostSums): MarginSums {
  const known = sums.net - sums.unknown_net;
  const cost = Math.round(exact);
  const margin = known - cost;
  return { ...sums, cost, margin, percent: known > 0 ? Math.round((margin / known) * 1000) / 10 : null };
}

/** The same sums of the lines in `sale_costs`, as SQL. */
export const costSumsSql = `sum(lines)::bigint as lines, sum(net)::bigint as net, coalesce(sum(cost), 0) as cost,
  coalesce(sum(lines) filter (where cost is null), 0)::bigint as unknown_lines,
  coalesce(sum(net) filter (where cost is null), 0)::bigint as unknown_net,
  coalesce(sum(lines) filter (where is_guess and cost is not null), 0)::bigint as guess_lines`;

export const costSumNames = ["lines", "net", "cost", "unknown_lines", "unknown_net", "guess_lines"] as const;
