import type { ReactNode } from "react";
import type { Cell, CellType, List, ListColumn } from "../../../src/api/portal/lists/list.ts";
import type { Json } from "../lib/answers.ts";
import { date, number, pesos } from "../lib/format.ts";
import { StateBadge, Time } from "../ui/parts.tsx";
import type { Column } from "../ui/record-table.tsx";

/** What a column shows that is more than its value. */
export type Cells<Row, Name extends string> = Partial<Record<Name, (row: Json<Row>) => ReactNode>>;

/** The columns of a list that its page shows, or another page that has room for some. */
export function columnsOf<Row, Name extends string>(
  { columns, page: all }: Pick<List<Row, Name, never>, "columns" | "page">,
  cells: Cells<NoInfer<Row>, NoInfer<Name>> = {},
  page: readonly NoInfer<Name>[] = all,
): Column<Json<Row>>[] {
  return page.map((name) => {
    const column: ListColumn<Json<Row>> = columns[name];
    return {
      title: column.onPage ?? column.title,
      isNumber: column.type === "pesos" || column.type === "number",
      isExtra: column.isExtra,
      cell: cells[name] ?? ((row) => shown(column, row)),
    };
  });
}

function shown<Row>(column: ListColumn<Row>, row: Row): ReactNode {
  if (column.type === "state") return <StateBadge {...column.value(row)} />;
  const value = column.value(row);
  return value === null || value === undefined || value === "" ? (column.none ?? "–") : written(column.type, value);
}

function written(type: CellType, value: NonNullable<Cell>): ReactNode {
  switch (type) {
    case "text":
      return String(value);
    case "pesos":
      return pesos(Number(value));
    case "number":
      return number(Number(value));
    case "date":
      return date(String(value));
    case "moment":
      return <Time at={String(value)} />;
    case "flag":
      return value ? "Sí" : "No";
  }
}
