import { useSyncExternalStore } from "react";

/** The business that this tab shows. The session is shared by all tabs, and may be in another one meanwhile. */
let shown: string | undefined;
let isChanged = false;
const listeners = new Set<() => void>();

/** Whoever enters another business on purpose forgets the one before. */
export function showBusiness(id: string | undefined): void {
  shown = id;
  setChanged(false);
}

export const shownBusiness = () => shown;

/** The service refused something that was meant for the business on screen. */
export function reportBusinessChanged(): void {
  setChanged(true);
}

export function useBusinessChanged(): boolean {
  return useSyncExternalStore(subscribe, () => isChanged);
}

/** The address of a file under /portal/api: a link sends no header. */
export function fileAddress(path: string): string {
  if (shown === undefined) return `/portal/api${path}`;
  return `/portal/api${path}${path.includes("?") ? "&" : "?"}business=${shown}`;
}

function setChanged(to: boolean): void {
  if (isChanged === to) return;
  isChanged = to;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
