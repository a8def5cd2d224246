import { useCallback, useLayoutEffect, useRef } from "react";

/** A function that stays the same and does what was given last: what is drawn with it is not drawn again for it. */
export function useStable<Args extends unknown[], Result>(act: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
