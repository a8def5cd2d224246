import type { Service } from "./service.ts";

export interface StoppedClock {
  readonly at: Date;
  /** Sets the clock to this instant, where it stays. */
  moveTo(at: Date | number): void;
}

/** Stops the service's clock, for tests about an exact millisecond. */
export function stopClock({ deps }: Service, at: Date = deps.clock.now()): StoppedClock {
  let now = at.getTime();
  deps.clock.now = () => new Date(now);
  return {
    get at() {
      return new Date(now);
    },
    moveTo(next) {
      now = Number(next);
    },
  };
}
