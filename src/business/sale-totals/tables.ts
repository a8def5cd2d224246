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

/** The same of each sede but the first, whose are what is left of the whole. */
export const locationTables: Record<TotalsName, TotalsTable> = {
  hours: ofLocations("location_hours", totalsTables.hours),
  shifts: ofLocations("location_shifts", totalsTables.shifts),
  products: ofLocations("location_products", totalsTables.products),
  taxes: ofLocations("location_taxes", totalsTables.taxes),
};

function ofLocations(name: string, { keys, sums }: TotalsTable): TotalsTable {
  return { name, keys: { location_id: "uuid", ...keys }, sums };
}

/** Of which sedes totals are read: as SQL, the parameter with their ids, and whether the first is among them. */
export interface TotalsOf {
  ids: string;
  hasFirst: boolean;
}

/** Of these sedes, given as the parameter of that name; of the whole business without any. */
export function totalsOf(locationIds: readonly string[] | null, accountId: string, ids: string): TotalsOf | undefined {
  return locationIds === null ? undefined : { ids, hasFirst: locationIds.includes(accountId) };
}

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

/** A subquery to read totals from, with missing sums filled in; of some sedes, if it is said of which. */
export function totalsSource(name: TotalsName, of?: TotalsOf): string {
  const table: TotalsTable = totalsTables[name];
  const whole = `select ${readColumns(table, "k").join(", ")} from ${table.name} k`;
  if (!of) return `(${whole})`;
  const from = `from ${locationTables[name].name} k where k.location_id`;
  if (!of.hasFirst) return `(select ${columnsOf(table).join(", ")} ${from} = any(${of.ids}::uuid[]))`;
  const negated = Object.keys(table.sums).map((sum) => `-${sum}`);
  const others = `select ${["account_id", ...Object.keys(table.keys), ...negated].join(", ")} ${from} <> all(${of.ids}::uuid[])`;
  return `(${whole} union all ${others})`;
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
