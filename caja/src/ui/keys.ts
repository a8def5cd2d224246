import { useContext, useEffect, useLayoutEffect, useRef } from "react";
import { DialogContext, isOnTop } from "./open-dialogs.ts";

/** Every act that has a key, in the order of the help. None is a single letter: letters are typed, and scanners type too. */
export const keys = {
  help: { key: "F1", title: "Ver las teclas" },
  search: { key: "F2", title: "Buscar o escribir un código" },
  price: { key: "F3", title: "Consultar precio" },
  free: { key: "Ctrl+L", title: "Línea libre" },
  buyer: { key: "F4", title: "Cliente y documento" },
  quantity: { key: "F5", title: "Cantidad de la línea marcada" },
  discount: { key: "F6", title: "Descuento, propina y notas" },
  drop: { key: "Ctrl+Delete", title: "Botar el tiquete" },
  hold: { key: "F7", title: "Poner en espera, o retomar" },
  quote: { key: "F8", title: "Cotizar" },
  charge: { key: "F9", title: "Cobrar" },
  exact: { key: "Ctrl+Enter", title: "En Cobrar: el valor exacto en efectivo" },
  orders: { key: "Ctrl+O", title: "Pedidos" },
  drawer: { key: "F10", title: "Abrir el cajón" },
  print: { key: "Ctrl+P", title: "Imprimir" },
  lock: { key: "Ctrl+B", title: "Bloquear, o cambiar de persona" },
} as const;
export type Act = keyof typeof keys;

interface Handler {
  act: () => void;
  /** The dialog that it stands in. */
  dialog: symbol | undefined;
}
const handlers = new Map<Act, Handler[]>();

/** What a key event is called in the table. */
function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${key}`;
}

const actOf = new Map<string, Act>((Object.keys(keys) as Act[]).map((act) => [keys[act].key, act]));

/** A screen can be locked whatever stands on it. */
const alwaysThere: ReadonlySet<Act> = new Set(["lock"]);

/** What the key of an act does now: behind an open dialog, nothing. */
function handlerOf(act: Act): Handler | undefined {
  return handlers.get(act)?.findLast(({ dialog }) => alwaysThere.has(act) || isOnTop(dialog));
}

/** One listener for all keys. One that is held down acts once, and nothing is done twice by one key. */
export function listenToKeys(target: Window): () => void {
  function press(event: KeyboardEvent): void {
    const act = actOf.get(nameOf(event)) ?? (event.key === "?" && !isText(event.target) ? "help" : undefined);
    const handler = act && handlerOf(act);
    // F5 would load the page again and F3 open the browser's search: here they never do.
    if (act && (handlers.get(act)?.length || /^F\d/.test(keys[act].key))) event.preventDefault();
    if (handler && !event.repeat) handler.act();
    // An Enter that is held down was for the field before this one: it neither presses a button nor sends a form.
    if (event.key === "Enter" && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
  }
  target.addEventListener("keydown", press);
  return () => target.removeEventListener("keydown", press);
}

/** Whether a "?" there is a part of what somebody types: nothing that is searched begins with it. */
function isText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== "search" || target.value !== "";
  return target instanceof HTMLTextAreaElement;
}

/** What a key does while the component is on the screen; the last one to come has it. Undefined leaves it to the others. */
export function useKey(act: Act, handler: (() => void) | undefined): void {
  const latest = useRef(handler);
  const dialog = useContext(DialogContext);
  useLayoutEffect(() => {
    latest.current = handler;
  });
  const isActive = handler !== undefined;
  useEffect(() => {
    if (!isActive) return;
    const own: Handler = { act: () => latest.current?.(), dialog };
    handlers.set(act, [...(handlers.get(act) ?? []), own]);
    return () =>
      void handlers.set(
        act,
        handlers.get(act)!.filter((one) => one !== own),
      );
  }, [act, isActive, dialog]);
}
