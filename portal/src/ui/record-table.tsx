import type { MouseEvent, ReactNode } from "react";
import { Link, useLocation } from "wouter";

export interface Column<T> {
  title: string;
  cell: (row: T) => ReactNode;
  /** For numbers: to the right, with digits of one width. */
  isNumber?: boolean;
  /** Left out where there is no room; the record's own page has it. */
  isExtra?: boolean;
  /** The sum under the column. */
  total?: ReactNode;
}

/**
 * A table of records. The first column names the record and links to its page, if `href` is given; a click anywhere in the
 * row opens it too. Where there is no room each row becomes a block with a label before each value.
 */
export function RecordTable<T>({
  label,
  columns,
  rows,
  rowKey,
  href,
  sums,
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  href?: (row: T) => string;
  /** What stands under the last column, where that is more than one total. */
  sums?: readonly { label: string; value: ReactNode }[];
}) {
  const [, navigate] = useLocation();
  const [first, ...rest] = columns;
  const open = (row: T) => (event: MouseEvent) => {
    // Links and buttons in a row have their own effect, and so has selected text.
    if ((event.target as Element).closest("a, button, input") || window.getSelection()?.toString()) return;
    navigate(href!(row));
  };
  const classOf = ({ isNumber, isExtra }: Column<T>) =>
    [isNumber && "end", isExtra && "wide"].filter(Boolean).join(" ") || undefined;
  return (
    <table className="rows" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} className={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} {...(href && { "data-opens": true, onClick: open(row) })}>
            <td data-label="" className={classOf(first!)}>
              {href ? <Link href={href(row)}>{whole(first!.cell(row))}</Link> : whole(first!.cell(row))}
            </td>
            {rest.map((column) => (
              <td key={column.title} data-label={column.title} className={classOf(column)}>
                {whole(column.cell(row))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {sums && (
        <tfoot>
          {sums.map((sum) => (
            <tr key={sum.label}>
              <td data-label="" colSpan={columns.length - 1}>
                {sum.label}
              </td>
              <td data-label="" className={classOf(columns.at(-1)!)}>
                {sum.value}
              </td>
            </tr>
          ))}
        </tfoot>
      )}
      {columns.some(({ total }) => total !== undefined) && <Totals columns={columns} classOf={classOf} />}
    </table>
  );
}

/** A word that no column has room for may break. */
function whole(cell: ReactNode): ReactNode {
  return typeof cell === "string" && /\S{25}/.test(cell) ? <span className="name">{cell}</span> : cell;
}

function Totals<T>({
  columns,
  classOf,
}: {
  columns: readonly Column<T>[];
  classOf: (column: Column<T>) => string | undefined;
}) {
  return (
    <tfoot>
      <tr>
        {columns.map((column, i) => (
          <td key={column.title} data-label={i === 0 ? "" : column.title} className={classOf(column)}>
            {column.total ?? (i === 0 ? "Total" : null)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}
