import { type RefObject, useLayoutEffect, useRef } from "react";
import { addTaker, type Doubt, type ScanTaker, setAsker, setHome } from "./scanner.ts";

/** Takes scans while the component is on the screen, before whoever was there already. */
export function useScan(taker: ScanTaker): void {
  const latest = useRef(taker);
  useLayoutEffect(() => {
    latest.current = taker;
  });
  // With what the cashier sees, and not some time after it: a scan may come in between.
  useLayoutEffect(
    () =>
      addTaker({
        isKnown: (code) => latest.current.isKnown?.(code) ?? false,
        take: (code) => latest.current.take(code),
        ask: (doubt) => latest.current.ask?.(doubt),
      }),
    [],
  );
}

/** Asks about what came into a field for numbers too quickly to be surely a person's. */
export function useAsker(ask: (doubt: Doubt) => void): void {
  useLayoutEffect(() => {
    setAsker(ask);
    return () => setAsker(undefined);
  }, [ask]);
}

/** What is typed while no field has the focus goes to this one. Not where touching it would raise a keyboard on the screen. */
export function useHome(input: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen || !matchMedia("(hover: hover)").matches) return;
    setHome(() => input.current);
    return () => setHome(undefined);
  }, [input, isOpen]);
}
