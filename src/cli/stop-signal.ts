/** Signals this close together count as one: npm forwards what the terminal already sent to the whole process group. */
const duplicateMs = 1_000;

/** The user or the system asked the process to stop. */
export class Interruption extends Error {
  readonly signal: NodeJS.Signals;
  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

let shared: AbortSignal | undefined;

/** Aborted at the first stop signal. A later second one exits without waiting. */
export function stopSignal(): AbortSignal {
  shared ??= listen();
  return shared;
}

function listen(): AbortSignal {
  const stop = new AbortController();
  let firstAt = 0;
  function onSignal(signal: NodeJS.Signals): void {
    if (!stop.signal.aborted) {
      firstAt = performance.now();
      stop.abort(new Interruption(signal));
    } else if (performance.now() - firstAt > duplicateMs) process.exit(1);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  // The terminal was closed. Without one it may be nohup, whose purpose is to survive this signal.
  if (process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY) process.on("SIGHUP", onSignal);
  return stop.signal;
}
