import { type ReactNode, useEffect, useRef } from "react";

/** A word that nobody has to put away: it goes at the next key or touch. */
export function PassingNote(props: { className: string; onGone: () => void; children: ReactNode }) {
  const { className, onGone, children } = props;
  const latest = useRef(onGone);
  latest.current = onGone;
  useEffect(() => {
    const go = () => latest.current();
    // A click and not the touch that begins it: what moved up meanwhile would not be hit.
    for (const kind of ["keydown", "click"]) addEventListener(kind, go);
    return () => {
      for (const kind of ["keydown", "click"]) removeEventListener(kind, go);
    };
  }, []);
  return (
    <p role="alert" className={className}>
      {children}
    </p>
  );
}
