import { useEffect, useRef } from "react";

/** A scanner types faster than any person: between its keys hardly any time passes. */
const longestGapMs = 60;
const shortestCode = 4;

/** Reads the codes of a scanner that types like a keyboard, wherever the focus is, unless somebody types into a field. */
export function useScanner(isActive: boolean, onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    if (!isActive) return;
    let keys = "";
    let lastAt = 0;
    function read(event: KeyboardEvent): void {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.timeStamp - lastAt > longestGapMs) keys = "";
      lastAt = event.timeStamp;
      if (event.key === "Enter") {
        if (keys.length >= shortestCode) {
          event.preventDefault();
          latest.current(keys);
        }
        keys = "";
      } else if (event.key.length === 1) keys += event.key;
    }
    addEventListener("keydown", read, true);
    return () => removeEventListener("keydown", read, true);
  }, [isActive]);
}
