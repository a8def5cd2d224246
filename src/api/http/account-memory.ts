import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../lib/errors.ts";
import { unavailable } from "./error-handler.ts";
import type { TrafficLimits } from "./traffic-limits.ts";

/** Limits how much of this process's memory the requests of one account may use at once. */
export interface AccountMemory {
  /**
   * Calls `next` once there is enough memory, or with an error if there will not be soon. `bytes` is what the request needs,
   * where that is known. Reserving twice for one reply has no effect.
   */
  reserve(accountId: string, reply: FastifyReply, next: (error?: Error) => void, bytes?: number): void;
  /** The response is complete, and uses this much until its client has read it. */
  responseReady(reply: FastifyReply, bytes: number): void;
}

interface Account {
  id: string;
  reserved: number;
  unread: number;
  /** The expected size of this account's next response. */
  expected: number;
  queue: { bytes: number | undefined; start: () => void }[];
}

interface Reservation {
  account: Account;
  reserved: number;
  unread: number;
}

const firstGuessBytes = 256 * 1024;
/** The expected size shrinks slowly: one small response says little about the next. */
const decay = 0.75;

/**
 * Lets an account work on as many requests at once as fit in its memory; the others queue. An account whose clients do not
 * read gets no further responses until they do. Accounts never wait for each other here.
 */
export function accountMemory(
  limits: Pick<TrafficLimits, "unreadBytes" | "waitingRequests">,
  maxBytes: number,
  minBytes = 64 * 1024,
): AccountMemory {
  const accounts = new Map<string, Account>();
  const reservations = new WeakMap<FastifyReply, Reservation>();

  function accountOf(id: string): Account {
    let account = accounts.get(id);
    if (!account) {
      account = { id, reserved: 0, unread: 0, expected: firstGuessBytes, queue: [] };
      accounts.set(id, account);
    }
    return account;
  }

  function needed(account: Account, bytes: number | undefined): number {
    return Math.max(minBytes, bytes ?? account.expected);
  }

  function fits(account: Account, bytes: number | undefined): boolean {
    return account.reserved === 0 || account.reserved + needed(account, bytes) <= maxBytes;
  }

  function startQueued(account: Account): void {
    while (account.queue.length > 0 && fits(account, account.queue[0]!.bytes)) account.queue.shift()!.start();
  }

  function release(reservation: Reservation): void {
    const { account } = reservation;
    account.reserved -= reservation.reserved;
    account.unread -= reservation.unread;
    reservation.reserved = 0;
    reservation.unread = 0;
    startQueued(account);
    if (account.reserved === 0 && account.unread === 0 && account.expected <= firstGuessBytes)
      accounts.delete(account.id);
  }

  return {
    reserve(accountId, reply, next, bytes) {
      if (reservations.has(reply)) {
        next();
        return;
      }
      const account = accountOf(accountId);
      const start = () => {
        // Its connection is already closed, so no "close" event would release the reservation.
        if (reply.raw.destroyed) {
          next(unavailable(2));
          return;
        }
        if (account.unread >= limits.unreadBytes) {
          next(tooMuchUnread());
          return;
        }
        const reservation: Reservation = { account, reserved: needed(account, bytes), unread: 0 };
        account.reserved += reservation.reserved;
        reservations.set(reply, reservation);
        reply.raw.once("close", () => release(reservation));
        next();
      };
      if (account.queue.length === 0 && fits(account, bytes)) start();
      else if (account.queue.length >= limits.waitingRequests) next(unavailable(2));
      else account.queue.push({ bytes, start });
    },
    responseReady(reply, bytes) {
      const reservation = reservations.get(reply);
      if (!reservation || reservation.reserved === 0) return;
      const { account } = reservation;
      account.expected = Math.max(minBytes, bytes, account.expected * decay);
      account.reserved -= reservation.reserved;
      reservation.reserved = 0;
      reservation.unread = bytes;
      account.unread += bytes;
      startQueued(account);
    },
  };
}

/** Adds hooks that apply the limit to every request whose account is known. */
export function limitAccountMemory(
  app: FastifyInstance,
  memory: AccountMemory,
  accountOf: (request: FastifyRequest) => string | undefined,
): void {
  app.addHook("preHandler", (request, reply, next) => {
    const accountId = accountOf(request);
    if (accountId === undefined) next();
    else memory.reserve(accountId, reply, next);
  });
  measureResponses(app, memory);
}

export function measureResponses(app: FastifyInstance, memory: AccountMemory): void {
  app.addHook("onSend", (_request, reply, payload, next) => {
    const encoded = typeof payload === "string" && payload.length >= encodedFromLength ? Buffer.from(payload) : payload;
    memory.responseReady(reply, sizeOf(encoded));
    next(null, encoded);
  });
}

/** Longer texts are encoded here: the framework would measure them again, and Node reserve three times their length. */
const encodedFromLength = 4096;

function sizeOf(payload: unknown): number {
  if (typeof payload === "string") return Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : 0;
}

function tooMuchUnread(): ApiError {
  return new ApiError("RATE_LIMITED", {
    headers: { "retry-after": "5" },
    message:
      "Hay respuestas de esta cuenta que nadie ha terminado de leer. Léalas o cierre esas conexiones, y reintente tras los segundos de `Retry-After`.",
  });
}
