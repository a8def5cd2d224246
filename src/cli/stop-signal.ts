/** Signals this close together are one: npm passes on what the terminal has already sent to the whole process group. */
const echoMs = 1_000;

/** The person at the keyboard, or the system, wants the process to end. */
export class Interruption extends Error {}

let listening: AbortSignal | undefined;

/** Aborts at the first signal that asks for an end; another one, later, does not wait for what the first has begun. */
export function stopSignal(): AbortSignal {
  listening ??= listen();
  return listening;
}

function listen(): AbortSignal {
  const stop = new AbortController();
  let askedAt = 0;
  function ask(): void {
    if (!stop.signal.aborted) {
      askedAt = performance.now();
      stop.abort(new Interruption("stopped by a signal"));
    } else if (performance.now() - askedAt > echoMs) process.exit(1);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, ask);
  // The window was closed. Without a terminal it may be nohup, whose whole point is to outlive this signal.
  if (process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY) process.on("SIGHUP", ask);
  return stop.signal;
}
