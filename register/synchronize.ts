import { Refusal, UnreadableAnswer } from "./protocol.ts";
import type { Register } from "./register.ts";

/** How the register stands with the server. */
export type Connection =
  /** The last exchange succeeded. */
  | "online"
  /** No answer, or none that helps; it tries again by itself. */
  | "offline"
  /** Somebody answers, but not the service: a network's sign-in page, or a server that is broken. */
  | "unreadable"
  /** Its token is not accepted any more: a person has to link it again. */
  | "unlinked"
  /** The business's account is closed; what is recorded waits. */
  | "inactive";

export interface SyncStatus {
  connection: Connection;
  /** Records that the server has not acknowledged. */
  waiting: number;
  /** The first load of the catalog is done. */
  isLoaded: boolean;
  /** What the server said last, for whoever looks for the reason. */
  reason: string | undefined;
}

export interface SyncOptions {
  register: Register;
  onStatus: (status: SyncStatus) => void;
  random: () => number;
  /** Resolves after the time, or as soon as the signal aborts. */
  delay: (ms: number, stop: AbortSignal) => Promise<void>;
  waitSeconds?: number;
}

export interface Synchronizing {
  /** Something was recorded, or the network came back: do not wait any longer. */
  wake(): void;
  status(): SyncStatus;
  stop(): void;
}

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/** Uploads and receives at the same time, each with its own back-off, until it is stopped or the register is unlinked. */
export function synchronize({ register, onStatus, random, delay, waitSeconds = 25 }: SyncOptions): Synchronizing {
  const stopping = new AbortController();
  let waking = new AbortController();
  let status: SyncStatus = { connection: "offline", waiting: register.pending(), isLoaded: false, reason: undefined };

  function report(change: Partial<SyncStatus>): void {
    const next = { ...status, ...change, waiting: register.pending() };
    const isSame = (Object.keys(next) as (keyof SyncStatus)[]).every((key) => next[key] === status[key]);
    status = next;
    if (!isSame && !stopping.signal.aborted) onStatus(status);
  }

  /** Waits for a while, or until somebody wakes it. */
  const rest = (ms: number) => delay(ms, AbortSignal.any([stopping.signal, waking.signal]));

  /** An exchange tells whether it spoke with the server; after it, `restMs` may pass before the next one. */
  async function repeat(exchange: () => Promise<boolean>, restMs: number): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        const hasSpoken = await exchange();
        failures = 0;
        report(hasSpoken ? { connection: "online", reason: undefined } : {});
        if (restMs > 0) await rest(restMs);
      } catch (error) {
        if (stopping.signal.aborted) return;
        const connection = connectionAfter(error);
        report({ connection, reason: error instanceof Error ? error.message : String(error) });
        if (connection === "unlinked") return stopping.abort();
        const asked = error instanceof Refusal ? (error.retryAfterMs ?? 0) : 0;
        const waitMs = Math.min(firstWaitMs * 2 ** failures, longestWaitMs) * (0.5 + random());
        failures += 1;
        await rest(Math.max(asked, waitMs));
      }
    }
  }

  async function upload(): Promise<boolean> {
    const hasSpoken = register.pending() > 0;
    while (await register.push()) report({ connection: "online" });
    return hasSpoken;
  }
  function wake(): void {
    report({});
    waking.abort();
    waking = new AbortController();
  }
  async function receive(): Promise<boolean> {
    const before = register.pending();
    const hasMore = await register.pull(status.isLoaded ? waitSeconds : 0, stopping.signal);
    if (!hasMore && !status.isLoaded) report({ isLoaded: true });
    // A service that was put back to a copy has lost some of what this register had uploaded.
    if (register.pending() > before) wake();
    return true;
  }
  void repeat(upload, longestWaitMs);
  void repeat(receive, 0);

  return {
    wake,
    status: () => status,
    stop: () => stopping.abort(),
  };
}

function connectionAfter(error: unknown): Connection {
  if (error instanceof UnreadableAnswer) return "unreadable";
  if (!(error instanceof Refusal)) return "offline";
  if (["DEVICE_REVOKED", "DEVICE_FORKED", "UNAUTHENTICATED"].includes(error.code)) return "unlinked";
  return error.code === "ACCOUNT_INACTIVE" ? "inactive" : "offline";
}
