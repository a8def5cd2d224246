import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Logger } from "pino";

const lookEveryMs = 1_000;

/**
 * Tells when the process has no file descriptor left. Node says nothing then: it takes each new connection and closes it
 * at once, so that clients are turned away and nobody knows why.
 */
export function watchDescriptors(log: Logger): { stop: () => void } {
  let isShort = false;
  const timer = setInterval(() => {
    const wasShort = isShort;
    isShort = !isOneFree();
    if (isShort && !wasShort) {
      log.error(
        "no file descriptor is free: new connections are turned away. Raise the limit (ulimit -n, LimitNOFILE)",
      );
    } else if (wasShort && !isShort) log.info("file descriptors are free again");
  }, lookEveryMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function isOneFree(): boolean {
  try {
    closeSync(openSync(devNull, "r"));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "EMFILE" && code !== "ENFILE";
  }
}
