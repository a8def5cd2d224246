/** What became of the records that were tried again. Those that somebody else has stored meanwhile are not counted. */
export interface Tried {
  stored: number;
  refused: number;
  waiting: number;
}

export function addTried(sum: Tried, more: Tried): void {
  sum.stored += more.stored;
  sum.refused += more.refused;
  sum.waiting += more.waiting;
}
