import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import { type Logger, type LoggerOptions, pino } from "pino";
import { describeError } from "./describe-error.ts";
import { readableLine } from "./readable-log.ts";

/** Lines are buffered up to this time or size: a system call per request would slow reads measurably. */
const flushEveryMs = 250;
const bufferBytes = 8 * 1024;

/** The process's log on the given descriptor: JSON lines, or readable lines on a terminal. */
export function createLogger(level: string, fd = 1, suppresses?: Suppresses): Logger {
  if (isatty(fd)) return pino(logOptions(level, suppresses), { write: (line) => writeSync(fd, readableLine(line)) });
  const destination = pino.destination({ fd, sync: false, minLength: bufferBytes });
  const timer = setInterval(() => destination.flush(), flushEveryMs);
  timer.unref();
  process.on("exit", () => destination.flushSync());
  return pino(logOptions(level, suppresses), destination);
}

/** Whether a warning about this error should not be logged. */
export type Suppresses = (error: unknown) => boolean;

const warning = 40;

export function logOptions(level: string, suppresses: Suppresses = () => false): LoggerOptions {
  return {
    level,
    base: null,
    serializers: { err: (error: unknown) => describeError(error) },
    hooks: {
      logMethod(line, write, lineLevel) {
        const [first] = line as [unknown];
        if (
          lineLevel >= warning &&
          typeof first === "object" &&
          first !== null &&
          "err" in first &&
          suppresses(first.err)
        )
          return;
        write.apply(this, line);
      },
    },
  };
}
