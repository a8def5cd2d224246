import { type RefObject, useEffect, useRef } from "react";

/** What comes on the screen because somebody asked for it takes the keys: its first field, or its first button, is in sight and focused. */
export function useFirstField<T extends HTMLElement>(): RefObject<T | null> {
  const form = useRef<T>(null);
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>("input, select") ?? form.current?.querySelector("button");
    first?.focus();
    // With the button that sends it.
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return form;
}
