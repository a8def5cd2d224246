/** A downloaded table, read by the titles of its columns. */
export interface ReadTable {
  titles: string[];
  column: (title: string) => unknown[];
  sum: (title: string) => number;
}

export function tableOf([head = [], ...rows]: readonly (readonly unknown[])[]): ReadTable {
  const titles = head.map(String);
  const column = (title: string) => {
    const at = titles.indexOf(title);
    if (at < 0) throw new Error(`There is no column ${title} among ${titles.join(", ")}`);
    return rows.map((row) => row[at]);
  };
  return { titles, column, sum: (title) => column(title).reduce<number>((sum, cell) => sum + Number(cell), 0) };
}

/** Of a CSV whose cells hold no separator and whose numbers are whole. */
export function csvTable(text: string): ReadTable {
  const lines = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n");
  return tableOf(lines.map((line) => line.split(";")));
}
