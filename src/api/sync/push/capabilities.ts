/** What a register reports with its push, and what it had announced before. */
export interface Announced {
  capabilities: readonly string[] | null;
  announced?: readonly string[] | null | undefined;
}

const actsTold = "counter_act.1";
const productActs = "product_act.1";
const saleActs = "sale_act.1";

/** A register that tells of acts: it names whoever is at the counter, and says what took a right. It stays one. */
export function tellsActs({ capabilities, announced }: Announced): boolean {
  return Boolean(capabilities?.includes(actsTold) || announced?.includes(actsTold));
}

/** It told of acts, and says that it no longer does. */
export function stopsTelling({ capabilities, announced }: Announced): boolean {
  return Boolean(announced?.includes(actsTold) && !capabilities?.includes(actsTold));
}

/** A register that says of each product it makes or changes who did: one that names nobody keeps it back. It stays one. */
export function namesMakers({ capabilities, announced }: Announced): boolean {
  return Boolean(capabilities?.includes(productActs) || announced?.includes(productActs));
}

/** A register that says with each sale and quote all that took a right, also of whoever may. It stays one. */
export function declaresOwn({ capabilities, announced }: Announced): boolean {
  return Boolean(capabilities?.includes(saleActs) || announced?.includes(saleActs));
}
