import type { Dispatcher } from "undici";
import { type Connection, type Network, openConnection } from "./connection.ts";
import { classify, type FailureClass, type Outcome, outcomeOfStatus } from "./failure-classes.ts";

export interface SendLimits {
  /** Service document: from the DNS query to the response's status. */
  deadlineMs: number;
  /** The body of a 2xx is discarded; this much of it is read, for this long, so that its connection can be reused. */
  restBytes: number;
  restMs: number;
  /** Connections of one endpoint that may wait for the end of a body at once. */
  mostUnfinished: number;
}

export const sendLimits: SendLimits = {
  deadlineMs: 10_000,
  restBytes: 16 * 1024,
  restMs: 1_000,
  mostUnfinished: 8,
};

export interface SendRequest {
  headers: Record<string, string>;
  body: string;
}

export interface SendResult {
  /** Undefined when the failure is ours: the attempt does not count. */
  outcome: Outcome | undefined;
  durationMs: number;
  remoteAddress: string | null;
  error?: unknown;
}

/** Sends to one endpoint over kept connections, one per request in flight. */
export interface Sender {
  send(request: SendRequest): Promise<SendResult>;
  /** Closes idle connections now, and busy ones after their request. */
  close(): void;
}

export function openSender(network: Network, url: string, changes: Partial<SendLimits> = {}): Sender {
  const { origin, pathname, search } = new URL(url);
  const limits = { ...sendLimits, ...changes };
  const idle: Connection[] = [];
  /** Delivered, while the response body has not ended yet. */
  const unfinished = new Set<Connection>();
  let isClosed = false;

  function release(connection: Connection, isReusable: boolean): void {
    unfinished.delete(connection);
    // After a failure its state is unknown: the next request gets a new connection, and with it a new DNS lookup.
    if (isReusable && !isClosed) idle.push(connection);
    else connection.destroy();
  }

  return {
    async send(request) {
      const connection = idle.pop() ?? openConnection(network, origin);
      const startedAt = performance.now();
      let isOver = false;
      const { outcome, error } = await exchange(connection, pathname + search, request, limits, (isReusable) => {
        isOver = true;
        release(connection, isReusable);
      });
      if (!isOver) {
        unfinished.add(connection);
        if (isClosed || unfinished.size > limits.mostUnfinished) release(connection, false);
      }
      const { remoteAddress } = connection;
      return { outcome, error, remoteAddress, durationMs: Math.round(performance.now() - startedAt) };
    },
    close() {
      isClosed = true;
      for (const connection of [...idle.splice(0), ...unfinished]) release(connection, false);
    },
  };
}

interface Exchange {
  outcome: Outcome | undefined;
  error?: unknown;
}

/**
 * Resolves with the status, or with the reason why there was none. `onOver` is called when the connection is free again,
 * which after a 2xx may be later: nobody waits for the body.
 */
function exchange(
  connection: Connection,
  path: string,
  { headers, body }: SendRequest,
  { deadlineMs, restBytes, restMs }: SendLimits,
  onOver: (isReusable: boolean) => void,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let hasStarted = false;
    let hasStatus = false;
    let isOver = false;
    let receivedBytes = 0;

    function end(isReusable: boolean): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      onOver(isReusable);
    }
    function fail(failure: FailureClass, error?: unknown): void {
      resolve({ outcome: { delivered: false, failure, status: null }, error });
      end(false);
    }
    let timer = setTimeout(() => fail("timeout"), deadlineMs);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        hasStarted = true;
        // The deadline passed while it was connecting: nothing may be sent any more.
        if (isOver) controller.abort(new Error("too late"));
      },
      onResponseStart(_controller, status) {
        // Interim responses (100, 103) come before the final one.
        if (status < 200 || isOver) return;
        hasStatus = true;
        const outcome = outcomeOfStatus(status);
        resolve({ outcome });
        clearTimeout(timer);
        if (outcome.delivered) timer = setTimeout(() => end(false), restMs);
        // After any other status the body is not read at all.
        else end(false);
      },
      onResponseData(_controller, chunk) {
        receivedBytes += chunk.length;
        if (receivedBytes > restBytes) end(false);
      },
      onResponseEnd() {
        end(true);
      },
      onResponseError(_controller, error) {
        const failure = hasStatus ? null : classify(error, hasStarted ? "exchanging" : "connecting");
        if (failure !== null) return fail(failure, error);
        resolve({ outcome: undefined, error });
        end(false);
      },
    };
    try {
      connection.client.dispatch({ path, method: "POST", headers, body }, handler);
    } catch (error) {
      resolve({ outcome: undefined, error });
      end(false);
    }
  });
}
