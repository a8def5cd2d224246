import { useLayoutEffect, useRef } from "react";
import { addTaker, type ScanTaker } from "./scanner.ts";

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
      }),
    [],
  );
}
