/** The source of what was sold at the counter, without an order. No order may call its own so. */
export const counterSource = "Caja";

/**
 * Whether two SQL texts name one source: capitals make no other, nor do spaces around it, which writing and filters take away. The one
 * rule of what is the same order, of lists, and of what an endpoint wants.
 */
export const isSameSource = (one: string, other: string) => `lower(${one}) = lower(${other})`;
