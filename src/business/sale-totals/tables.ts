/** Stands for "none" in the keys of the totals. */
export const nilUuid = "00000000-0000-0000-0000-000000000000";

export interface TotalsTable {
  name: string;
  /** Its key after the account, and its sums, each with the type it is read as. */
  keys: Readonly<Record<string, string>>;
  sums: Readonly<Record<string, string>>;
}

const sold = {
  tickets: "bigint",
  total: "numeric",
  tax: "numeric",
  discount: "numeric",
  tip: "numeric",
  returned: "numeric",
};

/** What is kept of sales, by the day of Colombia. */
export const totalsTables = {
  hours: { name: "sale_hours", keys: { day: "date", hour: "smallint" }, sums: sold },
  shifts: {
    name: "sale_shifts",
    keys: { day: "date", device_id: "uuid", cash_session_id: "uuid", payment_method: "text" },
    sums: sold,
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

/** The table's columns after the account: its keys, then its sums. */
export function columnsOf({ keys, sums }: TotalsTable): string[] {
  return [...Object.keys(keys), ...Object.keys(sums)];
}

/**
 * Adds the rows of a select, which has the account and the table's columns in their order, to what is kept. Each table has
 * a statement of its own: a database that is sharded by account takes no INSERT inside a WITH.
 */
export function addTotalsSql(table: TotalsTable, rows: string): string {
  const added = Object.keys(table.sums).map((sum) => `${sum} = t.${sum} + excluded.${sum}`);
  return `insert into ${table.name} as t (account_id, ${columnsOf(table).join(", ")}) ${rows}
    on conflict (account_id, ${Object.keys(table.keys).join(", ")}) do update set ${added.join(", ")}`;
}
