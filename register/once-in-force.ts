/** Taxes change at midnight: nothing that was computed is older than this. */
const hourMs = 3_600_000;

/**
 * Remembers what was computed of a thing that never changes, such as a ticket as it is now, while the business stays as it was. A screen
 * asks for the same sums in several places, and for the price of every tile.
 */
export function onceInForce<Result>(now: () => Date) {
  const known = new WeakMap<object, { business: object; hour: number; result: Result }>();
  return (of: object, business: object, compute: () => Result): Result => {
    const hour = Math.floor(now().getTime() / hourMs);
    const before = known.get(of);
    if (before?.business === business && before.hour === hour) return before.result;
    const result = compute();
    known.set(of, { business, hour, result });
    return result;
  };
}
