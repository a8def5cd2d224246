/** A4, or a roll of 80 or 58 mm. */
export const paperWidths = ["a4", "80", "58"] as const;
export type PaperWidth = (typeof paperWidths)[number];

/** What stands on a paper, whatever its width. Plain data: it travels to the thread that draws it. */
export interface Paper {
  /** Its name as a file, without an ending: SETP990000027. */
  fileName: string;
  /** Shown by a viewer of the PDF. */
  title: string;
  /** Of the business, as #rrggbb. */
  color: string;
  /** At the foot of every page of an A4. */
  foot: string;
  /** The instant printed into the file, so that the same paper has the same bytes. */
  at: string;
  blocks: Block[];
}

export type Block =
  | Letterhead
  | Notice
  | { kind: "facts"; title?: string; facts: Fact[] }
  | Table
  | { kind: "lines"; lines: PaperLine[] }
  | { kind: "totals"; title?: string; totals: Total[] }
  | { kind: "code"; label: string; code: string; url: string; explanation: string }
  | { kind: "text"; text: string; isCentered?: boolean };

export interface Letterhead {
  kind: "letterhead";
  name: string;
  /** Of the business: NIT, regime, address. */
  lines: string[];
  title: string;
  number: string | null;
}

/** Something that the reader must not overlook: pending, rejected, annulled. */
export interface Notice {
  kind: "notice";
  text: string;
}

export type Fact = [label: string, value: string];

/** The first column takes the room that the others leave. */
export interface Table {
  kind: "table";
  title: string;
  head: string[];
  rows: string[][];
}

/** One line of goods: a row of an A4's table, two or more lines of a ticket. */
export interface PaperLine {
  description: string;
  quantity: string;
  price: string;
  tax: string;
  total: string;
}

export interface Total {
  label: string;
  value: string;
  isGrand?: boolean;
}
