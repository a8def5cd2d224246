import { type Logger, pino } from "pino";

/** Lines gather until they are worth a system call or this time has passed: a write per request shows in the reads. */
const flushEveryMs = 250;
const worthWritingBytes = 8 * 1024;

/** The process's log: one JSON line per thing that happened, on the given descriptor. */
export function createLogger(level: string, fd = 1): Logger {
  const destination = pino.destination({ fd, sync: false, minLength: worthWritingBytes });
  const timer = setInterval(() => destination.flush(), flushEveryMs);
  timer.unref();
  process.on("exit", () => destination.flushSync());
  return pino({ level, base: null }, destination);
}
