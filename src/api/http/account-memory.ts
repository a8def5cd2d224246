import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../lib/errors.ts";
import { unavailable } from "./error-handler.ts";
import type { TrafficLimits } from "./traffic-limits.ts";

/** How much of one process's memory each account may hold at once with what it asks for. */
export interface AccountMemory {
  /**
   * Calls `next` when there is room, at once or in turn; with an error when there will be none soon. `bytes` is what it
   * takes, where that is known. Who is in already stays in.
   */
  enter(accountId: string, reply: FastifyReply, next: (error?: Error) => void, bytes?: number): void;
  /** The answer is made, and weighs so much until its client has taken it. */
  answered(reply: FastifyReply, bytes: number): void;
}

interface Account {
  id: string;
  making: number;
  unread: number;
  /** What an answer of this account may weigh, by those before it. */
  expected: number;
  waiting: { bytes: number | undefined; sit: () => void }[];
}

interface Seat {
  account: Account;
  making: number;
  unread: number;
}

/** What an account's answers are taken for before the first is known. */
const firstGuessBytes = 256 * 1024;
/** One small answer says little about the next: what was heavy is believed to be light only after some. */
const forgetting = 0.75;

/**
 * Lets an account work on as many requests at once as fit into its room; the others wait in the order they came. Whoever
 * has clients that do not read gets no more answers until they do. Nobody waits for another account here.
 */
export function accountMemory(
  limits: Pick<TrafficLimits, "unreadBytes" | "waitingRequests">,
  roomBytes: number,
  minBytes = 64 * 1024,
): AccountMemory {
  const accounts = new Map<string, Account>();
  const seats = new WeakMap<FastifyReply, Seat>();

  function accountOf(id: string): Account {
    let account = accounts.get(id);
    if (!account) {
      account = { id, making: 0, unread: 0, expected: firstGuessBytes, waiting: [] };
      accounts.set(id, account);
    }
    return account;
  }

  function needed(account: Account, bytes: number | undefined): number {
    return Math.max(minBytes, bytes ?? account.expected);
  }

  function hasRoom(account: Account, bytes: number | undefined): boolean {
    return account.making === 0 || account.making + needed(account, bytes) <= roomBytes;
  }

  function callNext(account: Account): void {
    while (account.waiting.length > 0 && hasRoom(account, account.waiting[0]!.bytes)) account.waiting.shift()!.sit();
  }

  function leave(seat: Seat): void {
    seat.account.making -= seat.making;
    seat.account.unread -= seat.unread;
    seat.making = 0;
    seat.unread = 0;
    callNext(seat.account);
    const { id, making, unread, expected } = seat.account;
    if (making === 0 && unread === 0 && expected <= firstGuessBytes) accounts.delete(id);
  }

  return {
    enter(accountId, reply, next, bytes) {
      if (seats.has(reply)) {
        next();
        return;
      }
      const account = accountOf(accountId);
      const sit = () => {
        // Its connection has ended already, so nothing would ever tell that the seat is free again.
        if (reply.raw.destroyed) {
          next(unavailable(2));
          return;
        }
        if (account.unread >= limits.unreadBytes) {
          next(tooMuchUnread());
          return;
        }
        const seat: Seat = { account, making: needed(account, bytes), unread: 0 };
        account.making += seat.making;
        seats.set(reply, seat);
        reply.raw.once("close", () => leave(seat));
        next();
      };
      if (account.waiting.length === 0 && hasRoom(account, bytes)) sit();
      else if (account.waiting.length >= limits.waitingRequests) next(unavailable(2));
      else account.waiting.push({ bytes, sit });
    },
    answered(reply, bytes) {
      const seat = seats.get(reply);
      if (!seat || seat.making === 0) return;
      const { account } = seat;
      account.expected = Math.max(minBytes, bytes, account.expected * forgetting);
      account.making -= seat.making;
      seat.making = 0;
      seat.unread = bytes;
      account.unread += bytes;
      callNext(account);
    },
  };
}

/** Hooks of an API whose requests know their account: its answers are made in that account's room. */
export function limitAccountMemory(
  app: FastifyInstance,
  room: AccountMemory,
  accountOf: (request: FastifyRequest) => string | undefined,
): void {
  app.addHook("preHandler", (request, reply, next) => {
    const accountId = accountOf(request);
    if (accountId === undefined) next();
    else room.enter(accountId, reply, next);
  });
  measureResponses(app, room);
}

export function measureResponses(app: FastifyInstance, room: AccountMemory): void {
  app.addHook("onSend", (_request, reply, payload, next) => {
    room.answered(reply, sizeOf(payload));
    next(null, payload);
  });
}

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
