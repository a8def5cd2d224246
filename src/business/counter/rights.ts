/**
 * What an owner may allow a cashier besides selling: the one table, for the service, the portal and the registers. The words
 * complete "puede …" and "no puede …".
 */
export const rights = {
  discount: "hacer descuentos",
  price: "cambiar precios",
  free_line: "vender líneas libres",
  remove_kept: "quitar lo que estuvo en espera",
  cancel: "anular ventas",
  return: "recibir devoluciones",
  cash: "registrar entradas y salidas de efectivo",
  drawer: "abrir el cajón",
  stock: "contar, recibir y trasladar existencias",
  expected_cash: "ver el efectivo esperado",
  close_shift: "cerrar el turno",
  create_product: "crear productos en la caja",
  correct_payment: "corregir el medio de pago",
} as const;
export type Right = keyof typeof rights;
export const allRights = Object.keys(rights) as Right[];

/** The rights that the first registers and services know. They keep a field of their own, so that an older process or register reads it as ever. */
export const firstRights = ["discount", "cancel", "return", "drawer"] as const satisfies readonly Right[];
type FirstRight = (typeof firstRights)[number];
const isFirst = (right: string): right is FirstRight => (firstRights as readonly string[]).includes(right);

/** A cashier's rights as they are stored and travel: `rights` holds the later ones, and is missing until an owner has set them. */
export interface Granted {
  permissions: readonly string[];
  rights?: readonly string[] | null | undefined;
}

/** What everybody could do before there was a right for it. */
const formerlyOpen: readonly Right[] = ["price", "free_line", "remove_kept", "stock", "expected_cash", "close_shift"];
/** What came with another right, or is close to it. */
const formerlyWith: readonly [Right, FirstRight][] = [
  ["cash", "drawer"],
  ["create_product", "cancel"],
  ["correct_payment", "cancel"],
];

/** All that a cashier may do, in the order of the table. Until an owner sets the later rights, nobody loses what she could do. */
export function rightsOf({ permissions, rights: later }: Granted): Right[] {
  const inherited = () => [
    ...formerlyOpen,
    ...formerlyWith.flatMap(([right, first]) => (permissions.includes(first) ? [right] : [])),
  ];
  const granted = new Set<string>([
    ...permissions.filter(isFirst),
    ...(later ?? inherited()).filter((one) => !isFirst(one)),
  ]);
  return allRights.filter((right) => granted.has(right));
}

/** How a cashier's rights are stored. */
export function grantedOf(all: readonly Right[]): { permissions: FirstRight[]; rights: Right[] } {
  return { permissions: all.filter(isFirst), rights: all.filter((right) => !isFirst(right)) };
}
