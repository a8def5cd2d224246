import { useEffect, useLayoutEffect, useRef } from "react";
import { addTaker, type ScanTaker } from "./scanner.ts";

/** Takes scans while the component is on the screen, before whoever was there already. */
export function useScan(taker: ScanTaker): void {
  const latest = useRef(taker);
  useLayoutEffect(() => {
    latest.current = taker;
  });
  useEffect(
    () =>
      addTaker({
        isKnown: (code) => latest.current.isKnown?.(code) ?? false,
        take: (code) => latest.current.take(code),
      }),
    [],
  );
}
