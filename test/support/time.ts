import type { Service } from "./service.ts";

export interface StoppedClock {
  readonly at: Date;
  /** Moves the clock to this instant, where it stands. */
  moveTo(at: Date | number): void;
}

/** Stops the service's clock: what happens at an exact millisecond can only be shown while time stands still. */
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
