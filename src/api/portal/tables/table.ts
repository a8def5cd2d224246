/** A value of a cell. Dates are instants; they are written in Colombian time. */
export type Cell = string | number | boolean | Date | null | undefined;

/** How a column's values are written. `pesos` and `number` are numbers, `date` and `moment` are dates, in either file. */
export type CellType = "text" | "pesos" | "number" | "date" | "moment" | "flag";

export interface Column<Row> {
  /** The heading, in Spanish. */
  title: string;
  type: CellType;
  value: (row: Row) => Cell;
}

/** A table of the portal that can be downloaded as a file. */
export interface Table<Row> {
  /** The file's name without its ending, and the name of its sheet. */
  title: string;
  /** Of a file of one sede, or of some: what its name says of them. */
  sedes?: string | undefined;
  columns: readonly Column<Row>[];
  /** The account's rows, page by page. A page that is read but not sent costs memory: a few hundred rows are enough. */
  pages: AsyncIterable<readonly Row[]>;
}

/** A line of a file: the cells of a row, or a remark that stands alone. */
export type Line = readonly Cell[] | { remark: string };

/** More is no table that a spreadsheet opens with pleasure; what is left out is said in the last line. */
export const tableLimits = { rows: 100_000, characters: 64 * 1024 * 1024 };
export type TableLimits = typeof tableLimits;

/** The lines under the headings. */
export async function* linesOf<Row>(
  { columns, pages }: Table<Row>,
  limits: TableLimits,
): AsyncGenerator<readonly Line[]> {
  let rows = 0;
  let characters = 0;
  for await (const page of pages) {
    const lines: Line[] = [];
    for (const row of page) {
      if (rows === limits.rows || characters > limits.characters) {
        yield [
          ...lines,
          {
            remark: `Aquí van las primeras ${rows} filas, que es lo que cabe. Elija un período más corto para el resto.`,
          },
        ];
        return;
      }
      const cells = columns.map(({ value }) => value(row));
      rows += 1;
      characters += cells.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length : 10), 0);
      lines.push(cells);
    }
    yield lines;
  }
}

/** Pages by keyset: `read` gets the last row of the page before, and returns fewer rows than the limit at the end. */
export async function* keysetPages<Row>(
  read: (limit: number, last: Row | undefined) => Promise<readonly Row[]>,
  limit = 500,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  for (;;) {
    const rows = await read(limit, last);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
  }
}

/** The pages of a table whose rows are already known, such as a report. */
export async function* onePage<Row>(read: () => Promise<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  yield await read();
}
