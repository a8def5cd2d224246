import type { Right } from "../../../access/people/rights.ts";

/**
 * A list of the portal, said once: its page, its file, its search and the query that the service takes are made from it.
 * Both the service and the browser run what stands in this folder.
 */
export interface List<Row, Name extends string, F extends Filters> {
  /** The page's heading, and the name of the file and of its sheet. */
  title: string;
  /** Where the service answers with the rows, and under `/totals` with what they add up to. */
  path: `/${string}`;
  /** `/tables/sales` is served as `/tables/sales.csv` and `/tables/sales.xlsx`. */
  file?: `/tables/${string}`;
  /** Needed to see it, and for its file besides the right to download. */
  right: Right;
  /** Needed for its file instead, where that is a paper to work with. */
  fileRight?: Right;
  /** Whether `/tables/sales.jsonl` is served too, whose lines are the rows as JSON. */
  hasLines?: true;
  /** Whether each row is of a sede, which its file says where there are several. */
  isPlaced?: true;
  filters: F;
  /** In the order of the file. */
  columns: Readonly<Record<Name, ListColumn<AsRead<Row>>>>;
  /** Those that the page shows, in its order. The first one names the row. */
  page: readonly NoInfer<Name>[];
  /** Never set: it tells the compiler what a row is. */
  row?: Row;
}

/** Says what a list is: `listOf<QuoteRow>()({ … })`. */
export const listOf =
  <Row>() =>
  <Name extends string, const F extends Filters>(list: List<Row, Name, F> & PlacedAs<Row>): List<Row, Name, F> =>
    list;

type PlacedAs<Row> = Row extends { location_id?: string | null | undefined } ? unknown : { isPlaced?: never };

/** A value of a cell. Instants are dates, or their text where they came as JSON. */
export type Cell = string | number | boolean | Date | null | undefined;

/** How a column's values are written. `pesos` and `number` are numbers, `date` and `moment` are dates, in a file of either format. */
export type CellType = "text" | "pesos" | "number" | "date" | "moment" | "flag";

/** What a state is called, and its colour on pages. */
export interface StateWords {
  title: string;
  color: StateColor;
}

/** What needs nobody, what is well, what waits for somebody, and what went wrong: each has a style of its own. */
export type StateColor = "gray" | "green" | "yellow" | "red";

export type ListColumn<Row> = (
  | { type: CellType; value: (row: Row) => Cell }
  | { type: "state"; value: (row: Row) => StateWords }
) & {
  title: string;
  /** The heading on the page, where it is another. */
  onPage?: string;
  /** What the page shows for no value, if not a dash. */
  none?: string;
  /** Left out of the page where there is no room; the record's own page has it. */
  isExtra?: boolean;
  /** Not in the file, which has its parts. */
  isOnPageOnly?: boolean;
};

/** The words of a closed set. */
export type Words = Readonly<Record<string, string | { title: string }>>;

/**
 * A filter, by the name of the service's parameter. `name` is its place in the page's address, and `label` stands over its field;
 * without a label it is only in addresses, and without a name in no page.
 */
export type Filter = { name?: string; label?: string; placeholder?: string } & (
  | { kind: "since" | "until" | "amount" | "customer" }
  /** One of a closed set. */
  | { kind: "choice"; options: Words }
  /** A record, which the page finds for the owner to choose. */
  | { kind: "id" }
  /** Text that is compared whole. The page may have options for it. */
  | { kind: "text"; most: number; options?: Words }
  /** Text that is searched. The service searches from `least` characters on. */
  | { kind: "search"; least: 1 | 2 }
  /** `yes` is the address's word for it. */
  | { kind: "flag"; yes?: string; options?: Words }
);
export type Filters = Readonly<Record<string, Filter>>;

/** What the service is asked with. */
export type Asked<F extends Filters> = { -readonly [Param in keyof F]?: Value<F[Param]> };
type Value<One> = One extends { kind: "choice"; options: infer Options }
  ? keyof Options & string
  : One extends { kind: "flag" }
    ? boolean
    : One extends { kind: "amount" }
      ? number
      : string;

/** A row as the service reads it or as it arrives: JSON has no dates. */
export type AsRead<T> = T extends Date ? Date | string : T extends object ? { [K in keyof T]: AsRead<T[K]> } : T;

export const titleOf = (words: string | { title: string }): string => (typeof words === "string" ? words : words.title);
