import { foldText } from "../../engine/search/search-text.ts";

/** Words that developers use for what the guides call otherwise. */
const synonyms = [
  ["paginar", "pagina", "pagination", "cursor", "next_cursor", "starting_after", "limit"],
  ["clave", "token", "apikey", "api_key", "bearer", "credencial"],
  ["autenticacion", "auth", "login", "autorizacion", "authorization"],
  ["firma", "signature", "hmac", "verificar"],
  ["webhook", "callback", "notificacion", "endpoint"],
  ["reintento", "retry", "reintentar", "repetir"],
  ["duplicado", "repetido", "idempotencia", "idempotency", "doble"],
  ["limite", "rate", "cuota", "throttle", "throttling", "429"],
  ["error", "fallo", "codigo"],
  ["venta", "sale", "sales", "order", "orden", "pedido"],
  ["cliente", "customer", "comprador"],
  ["producto", "product", "articulo", "item", "sku"],
  ["documento", "factura", "invoice", "dian", "cufe"],
  ["inventario", "stock", "existencias", "inventory"],
  ["turno", "caja", "cash", "arqueo"],
  ["cotizacion", "quote", "presupuesto"],
  ["compra", "purchase", "purchases", "recepcion", "receipt"],
  ["proveedor", "supplier", "suppliers", "vendor"],
  ["evento", "event", "bitacora"],
  ["prueba", "test", "sandbox", "demo"],
  ["produccion", "live", "production"],
  ["permiso", "scope", "alcance"],
  ["sincronizar", "sync", "incremental", "updated_since"],
  ["exportar", "export", "descargar", "ndjson"],
  ["version", "cambios", "changelog", "novedades"],
  ["fecha", "hora", "zona", "timezone", "iso"],
];

export function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);
}

/** The word itself, then the others of its group. */
export function meaningsOf(word: string): string[] {
  const stem = stemOf(word);
  const groups = synonyms.filter((group) => group.some((one) => stemOf(one) === stem || isSlip(word, one)));
  return [word, ...new Set(groups.flat().filter((one) => one !== word))];
}

/** How well a word of a page answers a word of the query, from 0 to 1. */
export function closeness(wanted: string, word: string): number {
  if (word === wanted) return 1;
  if (wanted.length >= 3 && word.startsWith(wanted)) return 0.9;
  if (wanted.length < 4) return 0;
  const [a, b] = [stemOf(wanted), stemOf(word)];
  if (a === b) return 0.8;
  if (a.length >= 5 && b.startsWith(a)) return 0.7;
  return isSlip(wanted, word) ? 0.4 : 0;
}

/** Whether the one may be the other with a slip of the keyboard, or two in a long word. */
function isSlip(typed: string, word: string): boolean {
  const allowed = typed.length >= 8 ? 2 : typed.length >= 5 ? 1 : 0;
  if (allowed === 0 || /\d/.test(typed) || Math.abs(typed.length - word.length) > allowed) return false;
  return distance(typed, word, allowed) <= allowed;
}

const endings =
  /(aciones|acion|iciones|icion|ciones|cion|amiento|imiento|ando|iendo|adas|ados|idas|idos|ada|ado|ida|ido|aria|ario|ar|er|ir|as|os|es|a|o|e|s)$/;

/** Without its ending: "paginar", "página" and "paginación" are one. At least four letters remain. */
export function stemOf(word: string): string {
  const ending = endings.exec(word)?.[0] ?? "";
  return word.length - ending.length >= 4 ? word.slice(0, word.length - ending.length) : word;
}

/** The letters to add, drop, change or swap with their neighbour; stops counting beyond `most`. */
function distance(a: string, b: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let steps = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) steps = Math.min(steps, before[j - 2]! + 1);
      next.push(steps);
    }
    if (Math.min(...next) > most) return most + 1;
    before = row;
    row = next;
  }
  return row.at(-1)!;
}
