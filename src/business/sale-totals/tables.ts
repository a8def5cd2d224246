/** Stands for "none" in the keys of the totals. */
export const nilUuid = "00000000-0000-0000-0000-000000000000";

export interface TotalsTable {
  name: string;
  /** Its key after the account, and its sums, each with the type it is read as. */
  keys: Readonly<Record<string, string>>;
  sums: Readonly<Record<string, string>>;
  /** What stands for a sum that a row was written without. */
  absent?: Readonly<Record<string, string>>;
  /** The column of the journal that has its rows. */
  journal: JournalColumn;
}

export type JournalColumn = "sold" | "products" | "taxes";

const sold = {
  tickets: "bigint",
  total: "numeric",
  tax: "numeric",
  discount: "numeric",
  tip: "numeric",
  returned: "numeric",
  passthrough: "numeric",
};

/** What is kept of sales, by the day of Colombia. */
export const totalsTables = {
  hours: {
    name: "sale_hours",
    keys: { day: "date", hour: "smallint" },
    sums: sold,
    absent: { passthrough: "0" },
    journal: "sold",
  },
  shifts: {
    name: "sale_shifts",
    keys: { day: "date", device_id: "uuid", cash_session_id: "uuid", payment_method: "text" },
    sums: { ...sold, payments: "bigint" },
    absent: { passthrough: "0", payments: "tickets" },
    journal: "sold",
  },
  products: {
    name: "sale_products",
    keys: { day: "date", product_id: "uuid" },
    sums: { lines: "bigint", quantity: "numeric", amount: "numeric" },
    journal: "products",
  },
  taxes: {
    name: "sale_taxes",
    keys: { day: "date", code: "text", rate: "text" },
    sums: { base: "numeric", amount: "numeric" },
    journal: "taxes",
  },
} satisfies Record<string, TotalsTable>;

export type TotalsName = keyof typeof totalsTables;

/** The table's columns: the account, its keys, its sums. */
export function columnsOf({ keys, sums }: TotalsTable): string[] {
  return ["account_id", ...Object.keys(keys), ...Object.keys(sums)];
}

/** The columns as they are read from rows of the table `t`. */
export function readColumns(table: TotalsTable, t: string): string[] {
  const absent = table.absent ?? {};
  return columnsOf(table).map((name) => {
    const other = absent[name];
    if (other === undefined) return `${t}.${name}`;
    return `coalesce(${t}.${name}, ${other === "0" ? other : `${t}.${other}`}) as ${name}`;
  });
}

/** The table's rows that are still in the journal. */
export function journalSource(table: TotalsTable): string {
  const typed = Object.entries({ ...table.keys, ...table.sums }).map(([column, type]) => `${column} ${type}`);
  const [, ...columns] = readColumns(table, "r");
  return `(select j.account_id, ${columns.join(", ")} from account_clock c
    join sale_journal j on j.account_id = c.account_id and j.seq > c.journal_seq
    cross join lateral json_to_recordset(j.${table.journal}) as r(${typed.join(", ")}))`;
}

/** What was sold, to read from: the table's rows and those in the journal. A key may have several. */
export function totalsSource(name: TotalsName): string {
  const table = totalsTables[name];
  const columns = columnsOf(table).join(", ");
  return `(select ${readColumns(table, "k").join(", ")} from ${table.name} k
    union all select ${columns} from ${journalSource(table)} noted)`;
}

/**
 * Adds the rows of a select, which has the table's columns in their order, to what is kept. Each table has a statement of
 * its own: a database that is sharded by account takes no INSERT inside a WITH.
 */
export function addTotalsSql(table: TotalsTable, rows: string): string {
  const absent = table.absent ?? {};
  const kept = (sum: string) => {
    const other = absent[sum];
    return other === undefined || other === "0" ? `t.${sum}` : `coalesce(t.${sum}, t.${other})`;
  };
  const added = Object.keys(table.sums).map((sum) => `${sum} = ${kept(sum)} + excluded.${sum}`);
  return `insert into ${table.name} as t (${columnsOf(table).join(", ")}) ${rows}
    on conflict (account_id, ${Object.keys(table.keys).join(", ")}) do update set ${added.join(", ")}`;
}
