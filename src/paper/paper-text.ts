import type { Block, Paper, Total } from "./paper.ts";

/** A paper's tables and sums as lines of text, for a terminal: the same words and numbers, in one column. */
export function paperText({ blocks }: Paper): string {
  const rows = blocks.flatMap(rowsOf);
  const widest = (at: 0 | 1) => Math.max(0, ...rows.map((row) => (typeof row === "string" ? 0 : row[at].length)));
  const [labels, values] = [widest(0), widest(1)];
  return rows
    .map((row) => (typeof row === "string" ? row : `  ${row[0].padEnd(labels)}  ${row[1].padStart(values)}`))
    .join("\n");
}

/** A title, or what a value is and the value. */
type Row = string | [label: string, value: string];

function rowsOf(block: Block): Row[] {
  switch (block.kind) {
    case "facts":
      return [...titled(block.title), ...block.facts];
    case "totals":
      return [...titled(block.title), ...block.totals.map(({ label, value }: Total): Row => [label, value])];
    case "table":
      return [...titled(block.title), ...block.rows.map((cells) => tableRow(cells, block.head))];
    default:
      return [];
  }
}

const titled = (title: string | undefined): Row[] => ["", ...(title === undefined ? [] : [title])];

/** What stands between the first column and the last is named by its head, unless there is only one. */
function tableRow(cells: readonly string[], head: readonly string[]): Row {
  const between = cells.slice(1, -1);
  const named = between.length > 1 ? between.map((cell, i) => `${head[i + 1]?.toLowerCase()} ${cell}`) : between;
  return [[cells[0], named.join(", ")].filter(Boolean).join(": "), cells.at(-1) ?? ""];
}
