import type { PaperWidth } from "../paper.ts";

const mm = 72 / 25.4;

/** The measures of a kind of paper, in points. */
export interface Sheet {
  isTicket: boolean;
  width: number;
  /** Of a page; a ticket is cut where its text ends, and is only divided past the longest page that PDF allows. */
  height: number;
  margin: number;
  /** The body's type size; everything else is set in relation to it. */
  size: number;
  qrSize: number;
}

export const sheets: Readonly<Record<PaperWidth, Sheet>> = {
  a4: { isTicket: false, width: 210 * mm, height: 297 * mm, margin: 15 * mm, size: 8.5, qrSize: 36 * mm },
  // A printer for 80 mm rolls prints 72 mm, one for 58 mm prints 48 mm.
  "80": { isTicket: true, width: 80 * mm, height: 14_000, margin: 4 * mm, size: 8, qrSize: 46 * mm },
  "58": { isTicket: true, width: 58 * mm, height: 14_000, margin: 5 * mm, size: 7, qrSize: 42 * mm },
};
