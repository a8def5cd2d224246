import { useSyncExternalStore } from "react";

/** Whether the service answers. The pages tell the owner when it does not, and go on by themselves when it does again. */
let isLost = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const onReturn = new Set<() => void>();
const askEveryMs = 1_500;

/** Behind a proxy, a service that is away answers with one of these. */
const awayStatuses = [502, 503, 504];

export const isAway = (status: number) => awayStatuses.includes(status);

/** Called with every outcome of a request. */
export function reportConnection(works: boolean): void {
  if (isLost !== works) return;
  isLost = !works;
  for (const listener of listeners) listener();
  if (isLost) askAgainSoon();
  else for (const listener of onReturn) listener();
}

/** Runs the function each time the service answers again. */
export function whenConnectionReturns(listener: () => void): () => void {
  onReturn.add(listener);
  return () => onReturn.delete(listener);
}

export function useConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, () => isLost);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function askAgainSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (isLost) void answers().then((works) => (works ? reportConnection(true) : askAgainSoon()));
  }, askEveryMs);
}

/** Any response counts, a refusal too. */
export async function answers(): Promise<boolean> {
  try {
    const response = await fetch("/portal/api/session", { credentials: "same-origin", cache: "no-store" });
    return !isAway(response.status);
  } catch {
    return false;
  }
}
