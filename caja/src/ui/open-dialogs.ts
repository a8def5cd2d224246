import { createContext } from "react";

/** Those on the screen, the one on top last. */
const open: symbol[] = [];

/** The dialog that a component stands in; undefined on the screen itself. */
export const DialogContext = createContext<symbol | undefined>(undefined);

/** Returns how it is taken away again. */
export function enterDialog(dialog: symbol): () => void {
  open.push(dialog);
  return () => void open.splice(open.lastIndexOf(dialog), 1);
}

/** What lies behind a dialog waits until it is answered. */
export const isOnTop = (dialog: symbol | undefined) => open.at(-1) === dialog;
