/** Stands for "none" in the keys of the totals. */
export const nilUuid = "00000000-0000-0000-0000-000000000000";

export interface TotalsTable {
  name: string;
  /** The primary key columns after account_id, and the summed columns, with their SQL types. */
  keys: Readonly<Record<string, string>>;
  sums: Readonly<Record<string, string>>;
  /** For a sum that older rows do not have: the sum to read in its place. */
  absent?: Readonly<Record<string, string>>;
}

const sold = {
  tickets: "bigint",
  total: "numeric",
  tax: "numeric",
  discount: "numeric",
  tip: "numeric",
  returned: "numeric",
  passthrough: "numeric",
};

/** The totals of sales. Days are calendar days in Colombia. */
export const totalsTables = {
  hours: {
    name: "sale_hours",
    keys: { day: "date", hour: "smallint" },
    sums: sold,
  },
  shifts: {
    name: "sale_shifts",
    keys: { day: "date", device_id: "uuid", cash_session_id: "uuid", payment_method: "text" },
    sums: { ...sold, payments: "bigint" },
    absent: { payments: "tickets" },
  },
  products: {
    name: "sale_products",
    keys: { day: "date", product_id: "uuid" },
    sums: { lines: "bigint", quantity: "numeric", amount: "numeric" },
  },
  taxes: {
    name: "sale_taxes",
    keys: { day: "date", code: "text", rate: "text" },
    sums: { base: "numeric", amount: "numeric" },
  },
} satisfies Record<string, TotalsTable>;

export type TotalsName = keyof typeof totalsTables;

/** account_id, the key columns and the sums, in the order of the table. */
export function columnsOf({ keys, sums }: TotalsTable): string[] {
  return ["account_id", ...Object.keys(keys), ...Object.keys(sums)];
}

/** The columns as they are read from rows of the table `t`. */
export function readColumns(table: TotalsTable, t: string): string[] {
  return columnsOf(table).map((name) => {
    const other = table.absent?.[name];
    return other === undefined ? `${t}.${name}` : `coalesce(${t}.${name}, ${t}.${other}) as ${name}`;
  });
}

/** A subquery to read totals from, with missing sums filled in. */
export function totalsSource(name: TotalsName): string {
  const table = totalsTables[name];
  return `(select ${readColumns(table, "k").join(", ")} from ${table.name} k)`;
}

/**
 * Adds the rows of a select to the totals. The select returns the columns of `columnsOf`, in that order. Each table has a statement of
 * its own: a database that is sharded by account takes no INSERT inside a WITH.
 */
export function addTotalsSql(table: TotalsTable, rows: string): string {
  const kept = (sum: string) => {
    const other = table.absent?.[sum];
    return other === undefined ? `t.${sum}` : `coalesce(t.${sum}, t.${other})`;
  };
  const added = Object.keys(table.sums).map((sum) => `${sum} = ${kept(sum)} + excluded.${sum}`);
  return `insert into ${table.name} as t (${columnsOf(table).join(", ")}) ${rows}
    on conflict (account_id, ${Object.keys(table.keys).join(", ")}) do update set ${added.join(", ")}`;
}
