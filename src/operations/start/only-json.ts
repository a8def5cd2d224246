import type { Logger } from "pino";

/**
 * From now on whatever this process prints is a line of the log: what a dependency writes to the console, what a thread prints,
 * Node's own warnings, and the error that nobody caught. The log has a descriptor of its own and does not pass through here.
 */
export function printOnlyJson(log: Logger): void {
  for (const stream of [process.stdout, process.stderr]) stream.write = lineByLine(log);
  // Node's own listener writes past process.stderr.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ kind: warning.name, err: warning }, "a warning of Node"));
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "an error that nobody caught; the process ends");
    process.exit(1);
  });
}

type Write = typeof process.stdout.write;

function lineByLine(log: Logger): Write {
  return (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    const lines = (typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")).split("\n");
    for (const line of lines) if (line.trim() !== "") log.warn({ printed: line }, "printed by a part of the process");
    const callback = typeof encoding === "function" ? encoding : done;
    if (typeof callback === "function") process.nextTick(() => callback());
    return true;
  };
}
