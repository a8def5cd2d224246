/** For what is always there; the sentence says why, to whoever finds that it is not. */
export function must<T>(value: T | null | undefined, why: string): T {
  if (value === null || value === undefined) throw new Error(why);
  return value;
}
