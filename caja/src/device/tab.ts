const lockName = "caja";

export interface TabOptions {
  onHeld: () => void;
  /** Another tab is the register. */
  onTaken: () => void;
  /** Another tab took over. */
  onLost: () => void;
  isSteal?: boolean;
}

/** One register, one tab: the first holds a lock of the browser for as long as it lives; another may take it over. */
export function holdTab({ onHeld, onTaken, onLost, isSteal = false }: TabOptions): void {
  const options = isSteal ? { steal: true } : { ifAvailable: true };
  navigator.locks
    .request(lockName, options, async (lock) => {
      if (!lock) return onTaken();
      onHeld();
      await new Promise(() => {});
    })
    // A stolen lock rejects the request of whoever held it.
    .catch(onLost);
}
