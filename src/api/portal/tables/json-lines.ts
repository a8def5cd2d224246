import type { Column, Line } from "./table.ts";

/** The only column of a file of JSON lines: the row itself. */
export const asJson: Column<unknown> = { title: "", type: "text", value: (row) => JSON.stringify(row) };

/** The file as text, a page at a time; each line of it is JSON of its own. */
export async function* jsonLinesOf(pages: AsyncIterable<readonly Line[]>): AsyncGenerator<string> {
  for await (const lines of pages)
    yield lines.map((line) => `${"remark" in line ? JSON.stringify({ remark: line.remark }) : line[0]}\n`).join("");
}
