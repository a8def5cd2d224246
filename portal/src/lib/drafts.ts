import { useCallback, useRef, useState } from "react";
import type { Session } from "./answers.ts";
import { client } from "./client.ts";
import { draftPrefix, forgetDraft, readDraft, writeDraft } from "./draft-storage.ts";

/**
 * What is typed into a form is kept in the tab until it is sent or discarded, so that it survives a reload, the back button and a
 * session that ended. Kept by account: another owner at the same browser never sees it. Never put a password in one.
 */
export interface Draft<T> {
  value: T;
  change: (part: Partial<T>) => void;
  /** After sending or discarding. */
  forget: () => void;
  /** Back to what the form showed at first. */
  reset: () => void;
  /** Whether the form started from what was typed before. */
  isRestored: boolean;
}

export function useDraft<T extends object>(name: string, initial: T): Draft<T> {
  const [place] = useState(() => placeOf(name));
  const start = useRef(initial);
  const [stored] = useState(() => readDraft<T>(place));
  const [value, setValue] = useState<T>({ ...initial, ...stored });
  const latest = useRef(value);
  const [isRestored, setRestored] = useState(stored !== undefined);
  const set = useCallback((next: T) => {
    latest.current = next;
    setValue(next);
  }, []);
  const forget = useCallback(() => {
    forgetDraft(place);
    // A form that stays open after it was sent starts anew from what it sent.
    start.current = latest.current;
    setRestored(false);
  }, [place]);
  const change = useCallback(
    (part: Partial<T>) => {
      set({ ...latest.current, ...part });
      writeDraft(place, latest.current, start.current);
    },
    [place, set],
  );
  const reset = useCallback(() => {
    set(start.current);
    forget();
  }, [forget, set]);
  return { value, change, forget, reset, isRestored };
}

function placeOf(name: string): string {
  return `${draftPrefix}${client.getQueryData<Session>(["session"])?.account.id ?? ""} ${name}`;
}
