import { useEffect, useLayoutEffect, useRef } from "react";

const checkMs = 1_000;

/** Locks the screen when nobody touched it for so many minutes; 0 is never. The ticket stays. */
export function useIdleLock(minutes: number, lock: (() => void) | undefined): void {
  const latest = useRef(lock);
  useLayoutEffect(() => {
    latest.current = lock;
  });
  const isOn = minutes > 0 && lock !== undefined;
  useEffect(() => {
    if (!isOn) return;
    let touchedAt = Date.now();
    const touch = () => {
      touchedAt = Date.now();
    };
    // By the clock, not by a long timer: a tablet that slept is locked when it wakes.
    const timer = setInterval(() => {
      if (Date.now() - touchedAt >= minutes * 60_000) latest.current?.();
    }, checkMs);
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touch, true);
    return () => {
      clearInterval(timer);
      for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, touch, true);
    };
  }, [isOn, minutes]);
}
