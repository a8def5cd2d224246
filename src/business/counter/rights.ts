interface Declared<First extends string = string> {
  /** Completes "puede …" and "no puede …". */
  words: string;
  /**
   * Who could do it until an owner sets the rights: whoever was given it, for the four that the first registers and services
   * know; everybody; whoever had another right; or nobody.
   */
  formerly: "given" | "everybody" | "nobody" | { with: First };
}

/** What an owner may allow a cashier besides selling: the one table, for the service, the portal and the registers. */
const table = {
  discount: { words: "hacer descuentos", formerly: "given" },
  price: { words: "cambiar precios", formerly: "everybody" },
  free_line: { words: "vender líneas libres", formerly: "everybody" },
  remove_kept: { words: "quitar lo que estuvo en espera", formerly: "everybody" },
  cancel: { words: "anular ventas", formerly: "given" },
  return: { words: "recibir devoluciones", formerly: "given" },
  cash: { words: "registrar entradas y salidas de efectivo", formerly: { with: "drawer" } },
  drawer: { words: "abrir el cajón", formerly: "given" },
  stock: { words: "contar, recibir y trasladar existencias", formerly: "everybody" },
  expected_cash: { words: "ver el efectivo esperado", formerly: "everybody" },
  close_shift: { words: "cerrar el turno", formerly: "everybody" },
  create_product: { words: "crear o cambiar productos en la caja", formerly: { with: "cancel" } },
  correct_payment: { words: "corregir el medio de pago", formerly: { with: "cancel" } },
} as const satisfies Record<string, Declared>;

export type Right = keyof typeof table;
export const allRights = Object.keys(table) as Right[];

/** They are stored and sent in a field of their own, so that an older process or register reads it as ever. */
type FirstRight = { [R in Right]: (typeof table)[R]["formerly"] extends "given" ? R : never }[Right];
export const rights: Readonly<Record<Right, Declared<FirstRight>>> = table;
const isFirst = (right: string): right is FirstRight =>
  Object.hasOwn(table, right) && table[right as Right].formerly === "given";

/** A cashier's rights as they are stored and travel: `rights` holds the later ones, and is missing until an owner has set them. */
export interface Granted {
  permissions: readonly string[];
  rights?: readonly string[] | null | undefined;
}

/** All that a cashier may do, in the order of the table. Until an owner sets the later rights, nobody loses what she could do. */
export function rightsOf({ permissions, rights: later }: Granted): Right[] {
  const had = ({ formerly }: Declared) =>
    formerly === "everybody" || (typeof formerly === "object" && permissions.includes(formerly.with));
  return allRights.filter((right) =>
    isFirst(right) ? permissions.includes(right) : (later?.includes(right) ?? had(rights[right])),
  );
}

/** How a cashier's rights are stored. */
export function grantedOf(all: readonly Right[]): { permissions: FirstRight[]; rights: Right[] } {
  return { permissions: all.filter(isFirst), rights: all.filter((right) => !isFirst(right)) };
}
