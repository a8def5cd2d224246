import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { TSchema } from "typebox";
import type { Access } from "../../access/api-keys/access-cache.ts";
import { refusedAddresses } from "../../access/api-keys/record-refused-address.ts";
import type { Deps } from "../../deps.ts";
import type { EventType } from "../../engine/events/event-types.ts";
import type { Scope } from "../../engine/resources/scopes.ts";
import { isWithin } from "../../lib/address-range.ts";
import { ApiError, type ErrorCode } from "../../lib/errors.ts";
import { networkOf } from "../../lib/network-of.ts";
import { hashToken, isWellFormedToken } from "../../lib/token.ts";
import { isBrowser } from "../http/browser-guard.ts";
import { type RateLimiter, type RateState, rateLimited, tooManyFailures } from "../http/rate-limit.ts";
import type { KeyLimits } from "./key-limits.ts";

declare module "fastify" {
  interface FastifyRequest {
    access: Access;
    /** The key that was sent, even if it is no longer valid: its log shows the rejected request. */
    presented?: Access;
  }
  interface FastifyContextConfig {
    permission?: Scope;
    /** Schema of the success response. Not in `schema`, because stored text is sent without serializing it again. */
    responseSchema?: TSchema;
    /** What the reference shows of the body, where the route judges parts of it by itself. */
    bodySchema?: TSchema;
    /** Does many at once, and answers 200 with a result of each. */
    isBatch?: boolean;
    /** Does something with a record, and answers 200: its name in the reference, and what its answer is. */
    action?: { id: string; text: string; takesKey: boolean };
    /** Every field of the body is optional, and so is the body. */
    mayLackBody?: boolean;
    /** Schema of each line of an export. */
    lineSchema?: TSchema;
    /** Events that this operation emits, for the reference. */
    emits?: EventType[];
    /** Errors besides those of every route, for the reference. */
    errors?: ErrorCode[];
  }
}

export interface Limits {
  /** Requests per key and account; absent when the operator turned the limit off. */
  keys: KeyLimits | undefined;
  /** Failed authentications per network. */
  failedAttempts: RateLimiter;
}

/**
 * Authenticates a request in the contract's order: browser → key → address → account → plan → scope → rate. A key seen in the last
 * seconds needs no query and is handled synchronously.
 */
export function authenticate(deps: Deps, limits: Limits) {
  // Authorization headers of existing keys, so that checksum and SHA-256 are computed once per key, not per request.
  const hashes = new Map<string, Buffer>();
  const tellRefused = refusedAddresses(deps);
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    try {
      if (isBrowser(request)) throw new ApiError("BROWSER_REQUESTS_NOT_ALLOWED");
      const header = request.headers.authorization ?? "";
      const hash = hashes.get(header) ?? hashOfKey(header, deps.config.environment);
      const cached = deps.access.peek(hash);
      if (cached) {
        admit(cached);
        done();
        return;
      }
      // Whatever others at its address did: the limit of failures is for what turns out to be no key.
      deps.access.load(hash).then((access) => {
        try {
          if (!access) throw new ApiError("INVALID_API_KEY");
          if (hashes.size >= maxHashes) hashes.clear();
          hashes.set(header, hash);
          admit(access);
          done();
        } catch (error) {
          refuse(error);
        }
      }, refuse);
    } catch (error) {
      refuse(error);
    }

    function admit(access: Access): void {
      request.presented = access;
      checkAccess(access, deps.clock.now());
      if (access.allowed !== null && !isWithin(request.ip, access.allowed)) {
        tellRefused(access, request.ip);
        throw new ApiError("ADDRESS_NOT_ALLOWED");
      }
      request.access = access;
      const refusal = refusalOf(access, request.routeOptions.config.permission);
      if (!limits.keys) {
        if (refusal) throw refusal;
        return;
      }
      const admitted = refusal === undefined && limits.keys.take(access);
      const state = limits.keys.state(access);
      setRateHeaders(reply, state);
      if (!admitted) throw refusal ?? rateLimited(state);
    }

    function refuse(error: unknown): void {
      if (request.access === undefined) {
        const failed = error instanceof ApiError && countsAsFailure.has(error.code);
        const allowed = !failed || limits.failedAttempts.take(networkOf(request.ip));
        const state = limits.failedAttempts.state(networkOf(request.ip));
        setRateHeaders(reply, state);
        done(allowed ? (error as Error) : tooManyFailures(state));
        return;
      }
      done(error as Error);
    }
  };
}

const maxHashes = 10_000;

/** What is no key here. A revoked or expired one was: its owner is told so each time, and nobody has guessed it. */
const countsAsFailure: ReadonlySet<string> = new Set<ErrorCode>([
  "UNAUTHENTICATED",
  "INVALID_API_KEY",
  "API_KEY_WRONG_ENVIRONMENT",
]);

function hashOfKey(header: string, environment: "test" | "live"): Buffer {
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined) throw new ApiError("UNAUTHENTICATED");
  if (isWellFormedToken(`mst_${environment}_`, token)) return hashToken(token);
  const other = environment === "test" ? "live" : "test";
  throw new ApiError(isWellFormedToken(`mst_${other}_`, token) ? "API_KEY_WRONG_ENVIRONMENT" : "INVALID_API_KEY");
}

function checkAccess(access: Access, now: Date): void {
  if (access.revokedAt !== null && access.revokedAt <= now) throw new ApiError("API_KEY_REVOKED");
  if (access.expiresAt !== null && access.expiresAt <= now) throw new ApiError("API_KEY_EXPIRED");
}

/** Why a valid key may not do this, if so. A rejected request does not count against the rate limit. */
export function refusalOf(access: Access, permission: Scope | undefined): ApiError | undefined {
  if (!access.accountActive) return new ApiError("ACCOUNT_INACTIVE");
  if (access.plan !== "pro") return new ApiError("PLAN_REQUIRED");
  if (permission !== undefined && !access.scopes.has(permission)) {
    return new ApiError("INSUFFICIENT_SCOPE", {
      message: `La clave no tiene el permiso \`${permission}\`. Cree en el portal una clave que lo incluya.`,
      extra: { required_scope: permission },
    });
  }
  return undefined;
}

export function setRateHeaders(reply: FastifyReply, state: RateState): void {
  void reply.headers({
    "ratelimit-limit": state.limit,
    "ratelimit-remaining": state.remaining,
    "ratelimit-reset": state.resetSeconds,
  });
}
