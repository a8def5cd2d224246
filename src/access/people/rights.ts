import { type BuiltInRole, builtInRoles, isBuiltIn, type RoleKind, roleWords } from "./built-in-roles.ts";

export { type BuiltInRole, builtInRoles, isBuiltIn, type RoleKind, roleWords };

export const rightRooms = ["Negocio", "En la caja", "Desarrolladores", "Ajustes", "Dueño"] as const;

interface Declared {
  /** Completes "puede …" and "no puede …". */
  words: string;
  /** What of the portal it opens, for whoever puts a role together. */
  covers: string;
  room: (typeof rightRooms)[number];
  /** Who of the built-in roles has it, besides the owner. */
  roles: readonly Exclude<BuiltInRole, "owner">[];
  /** What it opens is of the whole business: whoever has only some sedes does not have it, whatever her role. */
  ofWhole?: true;
  /**
   * Of what a cashier may do: who could do it until an owner set the rights. Whoever was given it, for the four that the first
   * registers and services know; everybody; whoever had another right of the counter; or nobody.
   */
  formerly?: "given" | "everybody" | "nobody" | { with: string };
}

/** Whoever runs the day of a sede may do everything at its counter. */
const atCounter = <const F extends Declared["formerly"]>(words: string, covers: string, formerly: F) =>
  ({ words, covers, room: "En la caja", roles: ["administrator", "manager"], formerly }) as const;

/**
 * Everything that somebody may do in a business: the one table, for the portal's routes and pages, the roles, and the counter.
 * `counter` lets a person of the business attend at a register; what begins with `counter:` she may do there besides selling, and
 * whoever is only a cashier is given it by name (business/counter/rights.ts).
 */
const table = {
  "today:read": {
    words: "ver Hoy",
    covers: "Las cifras del día y lo que pide atención.",
    room: "Negocio",
    roles: ["administrator", "manager", "accountant"],
  },
  "sales:read": {
    words: "ver las ventas",
    covers: "Ventas, devoluciones y cotizaciones, con sus papeles.",
    room: "Negocio",
    roles: ["administrator", "manager", "accountant"],
  },
  "sales:correct": {
    words: "corregir ventas",
    covers: "Recibir devoluciones y cambiar el documento de una venta por una factura.",
    room: "Negocio",
    roles: ["administrator", "manager"],
  },
  "orders:read": {
    words: "ver los pedidos",
    covers: "Pedidos de afuera, con quien los hizo y dónde van.",
    room: "Negocio",
    roles: ["administrator", "manager", "accountant"],
  },
  "orders:write": {
    ...{ words: "atender los pedidos", covers: "Aceptar y rechazar pedidos." },
    ...{ room: "Negocio", roles: ["administrator", "manager"] },
  },
  "products:read": {
    words: "ver los productos",
    covers: "Productos, precios y categorías.",
    room: "Negocio",
    roles: ["administrator", "manager", "accountant"],
  },
  "products:write": {
    words: "cambiar los productos",
    covers: "Crear, cambiar e importar productos, con sus precios e impuestos.",
    room: "Negocio",
    roles: ["administrator"],
  },
  "customers:read": {
    words: "ver los clientes",
    covers: "Clientes, con sus datos y lo que han comprado.",
    room: "Negocio",
    roles: ["administrator", "manager", "accountant"],
  },
  "customers:write": {
    words: "cambiar los clientes",
    covers: "Crear y cambiar clientes.",
    room: "Negocio",
    roles: ["administrator", "manager"],
  },
  "stock:read": {
    words: "ver el inventario",
    covers: "Existencias, movimientos y bodegas.",
    room: "Negocio",
    roles: ["administrator", "manager", "accountant"],
  },
  "stock:write": {
    words: "mover existencias",
    covers: "Contar, recibir, ajustar y trasladar.",
    room: "Negocio",
    roles: ["administrator", "manager"],
  },
  "purchases:read": {
    ...{ words: "ver las compras", covers: "Proveedores, compras, sus costos y lo que se debe." },
    ...{ room: "Negocio", roles: ["administrator", "manager", "accountant"] },
  },
  "purchases:write": {
    ...{ words: "comprar", covers: "Crear proveedores, pedir, recibir y devolver mercancía." },
    ...{ room: "Negocio", roles: ["administrator", "manager"] },
  },
  "payables:write": {
    ...{ words: "pagar a los proveedores", covers: "Escribir los pagos de lo que se debe, y anularlos." },
    ...{ room: "Negocio", roles: ["administrator", "accountant"] },
  },
  "shifts:read": {
    words: "ver los turnos",
    covers: "Turnos, cierres del día y actos de caja.",
    room: "Negocio",
    roles: ["administrator", "manager", "accountant"],
  },
  "documents:read": {
    words: "ver los documentos",
    covers: "Facturas, documentos POS y notas, con sus papeles.",
    room: "Negocio",
    roles: ["administrator", "manager", "accountant"],
  },
  "documents:write": {
    words: "atender los documentos",
    covers: "Reenviarlos a la DIAN o al cliente y cerrar lo que quedó por revisar.",
    room: "Negocio",
    roles: ["administrator", "accountant"],
  },
  "reports:read": {
    words: "ver los informes",
    covers: "Ventas e impuestos de un período.",
    room: "Negocio",
    roles: ["administrator", "accountant"],
  },
  "costs:read": {
    ...{ words: "ver costos y márgenes", room: "Negocio", roles: ["administrator", "accountant"] },
    covers: "Lo que cuesta cada producto, lo que se ganó y el valor del inventario.",
  },
  exports: {
    words: "descargar archivos",
    covers: "Las listas e informes que puede ver, en CSV y Excel.",
    room: "Negocio",
    roles: ["administrator", "accountant"],
  },
  accounting: {
    words: "cambiar las cuentas contables",
    covers: "Las cuentas con las que sale el comprobante de cada día.",
    room: "Negocio",
    roles: ["administrator", "accountant"],
  },
  counter: {
    words: "atender en la caja",
    covers: "Vender en las cajas de sus sedes, con un PIN propio.",
    room: "En la caja",
    roles: ["administrator", "manager"],
  },
  "counter:discount": atCounter("hacer descuentos", "Rebajar una línea o el tiquete.", "given"),
  "counter:price": atCounter("cambiar precios", "Vender a otro precio que el del producto.", "everybody"),
  "counter:free_line": atCounter("vender líneas libres", "Vender lo que no está en los productos.", "everybody"),
  "counter:remove_kept": atCounter(
    "quitar lo que estuvo en espera",
    "Quitar líneas de un tiquete en espera, o botarlo.",
    "everybody",
  ),
  "counter:cancel": atCounter("anular ventas", "Anular una venta completa en la caja.", "given"),
  "counter:return": atCounter("recibir devoluciones", "Devolver lo vendido, y su dinero, en la caja.", "given"),
  "counter:cash": atCounter("registrar entradas y salidas de efectivo", "Meter y sacar dinero del cajón.", {
    with: "drawer",
  }),
  "counter:drawer": atCounter("abrir el cajón", "Abrirlo sin una venta.", "given"),
  "counter:stock": atCounter(
    "contar, recibir y trasladar existencias",
    "Mover existencias desde la caja.",
    "everybody",
  ),
  "counter:expected_cash": atCounter("ver el efectivo esperado", "Saber cuánto debe haber en el cajón.", "everybody"),
  "counter:close_shift": atCounter("cerrar el turno", "Contar el cajón y cerrar.", "everybody"),
  "counter:create_product": atCounter("crear o cambiar productos en la caja", "Crear lo que se vende y aún no está.", {
    with: "cancel",
  }),
  "counter:correct_payment": atCounter("corregir el medio de pago", "Cambiar con qué se pagó una venta.", {
    with: "cancel",
  }),
  "developers:read": {
    words: "ver las integraciones",
    covers: "Claves de API, webhooks, entregas, eventos y solicitudes.",
    room: "Desarrolladores",
    roles: ["administrator", "developer"],
    ofWhole: true,
  },
  "developers:write": {
    words: "cambiar las integraciones",
    covers: "Crear, rotar y revocar claves; agregar, cambiar y eliminar webhooks.",
    room: "Desarrolladores",
    roles: ["administrator", "developer"],
    ofWhole: true,
  },
  "registers:read": {
    words: "ver las cajas",
    covers: "Las cajas, su versión y lo que dejaron por revisar.",
    room: "Ajustes",
    roles: ["administrator", "manager", "accountant"],
  },
  "registers:write": {
    words: "vincular y retirar cajas",
    covers: "Vincular, nombrar y retirar cajas, y recibir lo que no pudieron enviar.",
    room: "Ajustes",
    roles: ["administrator"],
  },
  cashiers: {
    words: "cambiar los cajeros",
    covers: "Crear, cambiar y retirar cajeros, con sus derechos y su PIN.",
    room: "Ajustes",
    roles: ["administrator", "manager"],
  },
  "settings:read": {
    words: "ver los ajustes del negocio",
    covers: "Facturación, mostrador, papeles y bodegas, sin cambiarlos.",
    room: "Ajustes",
    roles: ["administrator", "accountant"],
  },
  "settings:write": {
    words: "cambiar los ajustes del negocio",
    covers: "Nombre, mostrador, tiquetes, papeles, bodegas y avisos de existencias.",
    room: "Ajustes",
    roles: ["administrator"],
  },
  fiscal: {
    words: "cambiar los datos ante la DIAN",
    covers: "El perfil fiscal y los rangos de numeración.",
    room: "Ajustes",
    roles: ["administrator"],
  },
  people: {
    words: "invitar personas y dar roles",
    covers: "Invitar, cambiar y retirar personas, y armar roles.",
    room: "Dueño",
    roles: [],
    ofWhole: true,
  },
  plan: {
    words: "decidir sobre el plan y la cuenta",
    covers: "El plan, llevarse todos los datos y cerrar el negocio.",
    room: "Dueño",
    roles: [],
    ofWhole: true,
  },
  security: {
    words: "ver la seguridad del negocio",
    covers: "La bitácora y lo que se exige para entrar.",
    room: "Dueño",
    roles: [],
    ofWhole: true,
  },
} as const satisfies Record<string, Declared>;

export type Right = keyof typeof table;
export const allRights = Object.keys(table) as Right[];
export const rights: Readonly<Record<Right, Declared>> = table;
/** Of the counter's, those that a cashier of before was given by name. */
export type FirstRight = { [R in Right]: (typeof table)[R] extends { formerly: "given" } ? R : never }[Right];

const allOf = (role: BuiltInRole): ReadonlySet<Right> =>
  new Set(allRights.filter((right) => role === "owner" || rights[right].roles.includes(role)));

export const rightsOfRole = Object.fromEntries(builtInRoles.map((role) => [role, allOf(role)])) as Readonly<
  Record<BuiltInRole, ReadonlySet<Right>>
>;

/** What is left of rights for whoever has only some sedes. */
export function rightsWithin(held: ReadonlySet<Right>, locationIds: readonly string[] | null): ReadonlySet<Right> {
  return locationIds === null ? held : new Set([...held].filter((right) => !rights[right].ofWhole));
}

/** Of what is stored with a role, the rights that this version knows, in the order of the table. */
export function knownRights(stored: readonly string[]): Right[] {
  return allRights.filter((right) => stored.includes(right));
}
