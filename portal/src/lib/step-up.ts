import { useSyncExternalStore } from "react";
import type { Answer } from "./answers.ts";

export type StepKind = Answer<"GET /second-step">["kinds"][number];

/** What the dialog asks for, while requests wait for it. */
interface Asked {
  kinds: readonly StepKind[];
  /** With whether the second step was done. */
  answer: (isDone: boolean) => void;
}

let asked: Asked | undefined;
let waiting: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

function set(next: Asked | undefined): void {
  asked = next;
  for (const listener of listeners) listener();
}

/** Asks whoever is at the portal for her second step; requests that need it meanwhile wait for the same dialog. */
export function askStepUp(kinds: readonly StepKind[]): Promise<boolean> {
  if (kinds.length === 0) return Promise.resolve(false);
  waiting ??= new Promise<boolean>((resolve) => {
    set({
      kinds,
      answer(isDone) {
        set(undefined);
        waiting = undefined;
        resolve(isDone);
      },
    });
  });
  return waiting;
}

export function useAskedStepUp(): Asked | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
}
