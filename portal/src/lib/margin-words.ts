import type { MarginReport } from "./answers.ts";
import { number, percent } from "./format.ts";

type Sums = MarginReport["totals"];

/** "31,5 %", or a dash where nothing of known cost was sold. */
export const share = ({ percent: points }: Pick<Sums, "percent">) => (points === null ? "–" : percent(points / 100));

/** What is not in the margin, and what may still change in it. */
export function marginNote({ unknown_lines, guess_lines, ...sums }: Sums): string {
  return [
    ...(sums.percent === null ? [] : [`${share(sums)} de lo vendido`]),
    ...(unknown_lines === 0 ? [] : [`sin costo: ${number(unknown_lines)}`]),
    ...(guess_lines === 0 ? [] : [`estimadas: ${number(guess_lines)}`]),
  ].join(", ");
}
