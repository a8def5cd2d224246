import type { Dispatcher } from "undici";
import { type Connection, type Network, openConnection } from "./connection.ts";
import { classify, type FailureClass, type Outcome, outcomeOfStatus } from "./failure-classes.ts";

/** Service document: everything from the DNS question to the last byte of the answer. */
export const sendDeadlineMs = 10_000;

/** What a receiver may say; it is read and thrown away. More than this is a failure, however it began. */
export const maxResponseBytes = 16 * 1024;

export interface SendRequest {
  headers: Record<string, string>;
  body: string;
}

export interface SendResult {
  /** Undefined when the fault is ours: the attempt does not count. */
  outcome: Outcome | undefined;
  durationMs: number;
  remoteAddress: string | null;
  error?: unknown;
}

/** Sends to one endpoint over kept connections, one per request in flight. */
export interface Sender {
  send(request: SendRequest): Promise<SendResult>;
  /** Ends what is idle now, and each busy connection after its request. */
  close(): void;
}

export function openSender(network: Network, url: string, deadlineMs = sendDeadlineMs): Sender {
  const { origin, pathname, search } = new URL(url);
  const idle: Connection[] = [];
  let isClosed = false;

  return {
    async send(request) {
      const connection = idle.pop() ?? openConnection(network, origin);
      const startedAt = performance.now();
      const { outcome, error } = await exchange(connection, pathname + search, request, deadlineMs);
      // After a failure its state is anybody's guess: the next request gets a new one, and with it a new look at DNS.
      if (outcome?.delivered && !isClosed) idle.push(connection);
      else connection.destroy();
      const { remoteAddress } = connection;
      return { outcome, error, remoteAddress, durationMs: Math.round(performance.now() - startedAt) };
    },
    close() {
      isClosed = true;
      for (const connection of idle.splice(0)) connection.destroy();
    },
  };
}

interface Exchange {
  outcome: Outcome | undefined;
  error?: unknown;
}

function exchange(
  connection: Connection,
  path: string,
  { headers, body }: SendRequest,
  deadlineMs: number,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let status: number | undefined;
    let receivedBytes = 0;
    let hasStarted = false;
    let isSettled = false;

    function settle(exchanged: Exchange): void {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(deadline);
      resolve(exchanged);
    }
    function fail(failure: FailureClass, error?: unknown): void {
      settle({ outcome: { delivered: false, failure, status: status ?? null }, error });
    }
    const deadline = setTimeout(() => {
      fail("timeout");
      connection.destroy(new DOMException("the 10 seconds are over", "TimeoutError"));
    }, deadlineMs);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        hasStarted = true;
        // The deadline came while it was connecting: nothing must leave any more.
        if (isSettled) controller.abort(new Error("too late"));
      },
      onResponseStart(controller, statusCode) {
        // Interim answers (100, 103) come before the real one.
        if (statusCode < 200) return;
        status = statusCode;
        const outcome = outcomeOfStatus(statusCode);
        if (outcome.delivered) return;
        // A refusal needs no body: it is settled, and nothing more is read.
        settle({ outcome });
        controller.abort(new Error("refused"));
      },
      onResponseData(controller, chunk) {
        receivedBytes += chunk.length;
        if (receivedBytes <= maxResponseBytes) return;
        fail("response");
        controller.abort(new Error("the answer is too large"));
      },
      onResponseEnd() {
        settle({ outcome: outcomeOfStatus(status ?? 0) });
      },
      onResponseError(_controller, error) {
        const failure = classify(error, hasStarted ? "exchanging" : "connecting");
        if (failure === null) settle({ outcome: undefined, error });
        else fail(failure, error);
      },
    };
    try {
      connection.client.dispatch({ path, method: "POST", headers, body }, handler);
    } catch (error) {
      settle({ outcome: undefined, error });
    }
  });
}
