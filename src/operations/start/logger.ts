import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import { type Logger, type LoggerOptions, pino } from "pino";
import { describeError } from "./describe-error.ts";
import { readableLine } from "./readable-log.ts";

/** Lines gather until they are worth a system call or this time has passed: a write per request shows in the reads. */
const flushEveryMs = 250;
const worthWritingBytes = 8 * 1024;

/** The process's log: one line per thing that happened, on the given descriptor. JSON for programs, prose on a terminal. */
export function createLogger(level: string, fd = 1, hides?: Hides): Logger {
  if (isatty(fd)) return pino(logOptions(level, hides), { write: (line) => writeSync(fd, readableLine(line)) });
  const destination = pino.destination({ fd, sync: false, minLength: worthWritingBytes });
  const timer = setInterval(() => destination.flush(), flushEveryMs);
  timer.unref();
  process.on("exit", () => destination.flushSync());
  return pino(logOptions(level, hides), destination);
}

/** Whether a warning about this error would tell nothing new. */
export type Hides = (error: unknown) => boolean;

const warning = 40;

export function logOptions(level: string, hides: Hides = () => false): LoggerOptions {
  return {
    level,
    base: null,
    serializers: { err: (error: unknown) => describeError(error) },
    hooks: {
      logMethod(line, write, lineLevel) {
        const [first] = line as [unknown];
        if (lineLevel >= warning && typeof first === "object" && first !== null && "err" in first && hides(first.err))
          return;
        write.apply(this, line);
      },
    },
  };
}
