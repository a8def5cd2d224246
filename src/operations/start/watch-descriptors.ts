import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Logger } from "pino";

const checkEveryMs = 1_000;

/**
 * Logs when the process has no file descriptors left. Node itself reports nothing: it accepts each new connection and closes
 * it at once, so clients are refused without a trace.
 */
export function watchDescriptors(log: Logger): { stop: () => void } {
  let isShort = false;
  const timer = setInterval(() => {
    const wasShort = isShort;
    isShort = !hasFreeDescriptor();
    if (isShort && !wasShort) {
      log.error(
        "no file descriptor is free: new connections are turned away. Raise the limit (ulimit -n, LimitNOFILE)",
      );
    } else if (wasShort && !isShort) log.info("file descriptors are free again");
  }, checkEveryMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function hasFreeDescriptor(): boolean {
  try {
    closeSync(openSync(devNull, "r"));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "EMFILE" && code !== "ENFILE";
  }
}
