import type { FastifyRequest } from "fastify";
import { requireShownFactor, requireStepUp } from "../../access/people/second-step/step-up.ts";
import type { Session } from "../../access/people/session.ts";
import { requireNotFrozen } from "../../access/people/told/freezes.ts";
import type { FrozenRoom } from "../../access/people/told/kinds.ts";
import type { Deps } from "../../deps.ts";
import { ApiError } from "../../lib/errors.ts";
import { filesOfCustomers } from "./lists/files-of-customers.ts";

/** What a session does only within ten minutes of a second step, if its person has one: the one place that says so. */
export const steppedUpRoutes = {
  people: [
    "PATCH /people/:id",
    "DELETE /people/:id",
    "POST /people/invitations",
    "DELETE /people/invitations/:id",
    "POST /roles",
    "PUT /roles/:id",
    "DELETE /roles/:id",
  ],
  security: ["PUT /security-settings", "DELETE /factors/:id", "POST /recovery-codes", "POST /account/email"],
  keys: [
    "POST /api-keys",
    "PATCH /api-keys/:id",
    "POST /api-keys/:id/rotate",
    "DELETE /api-keys/:id",
    "PUT /key-policy",
  ],
  endpoints: [
    "POST /webhook-endpoints",
    "PATCH /webhook-endpoints/:id",
    "DELETE /webhook-endpoints/:id",
    "POST /webhook-endpoints/:id/rotate-secret",
  ],
  fiscal: ["PUT /fiscal-profile", "POST /numbering-ranges"],
  exports: [
    ...[...filesOfCustomers].flatMap((file) => [`GET ${file}.csv`, `GET ${file}.xlsx`]),
    "GET /personal-data/export.zip",
    "GET /account/export.zip",
  ],
  end: ["POST /account/close", "POST /personal-data/erasures"],
} as const satisfies Record<string, readonly string[]>;

/** Asked above the sum that the owner set, where it is known (sales/refund-limit.ts). */
export const steppedUpBySum: readonly string[] = ["POST /sales/:id/returns"];

/**
 * Lists of people that may be read to their end: the first page is looked at, those behind it are carried away. Asked from the second
 * page on, and for a first one that is larger than the portal's.
 */
const steppedUpBehindFirst: ReadonlySet<string> = new Set(["GET /records/customers"]);

/** As many as a page of the portal shows at first. */
const mostOnFirst = 25;
const isMoreThanShown = (query: { limit?: unknown }) => "starting_after" in query || Number(query.limit) > mostOnFirst;

/** What a second step takes the place of a mailed code in: without one there is nothing in its place. */
const insteadOfMail: ReadonlySet<string> = new Set(["POST /confirmations/:id/second-step"]);

const steppedUp = new Set<string>(Object.values(steppedUpRoutes).flat());

/** What is frozen after a "no fui yo". */
const frozenRooms: readonly (readonly [FrozenRoom, readonly string[]])[] = [
  // New recovery codes are not: whoever still knows the old ones is kept out by them, and they are told and taken back themselves.
  ["factors", ["DELETE /factors/:id"]],
  ["keys", ["POST /api-keys", "POST /api-keys/:id/rotate"]],
  ["people", steppedUpRoutes.people],
];

/** What takes rights away an owner may still do: nobody else may be left to. Of a change only what raises is frozen (change-members.ts). */
const ownersWhileFrozen: ReadonlySet<string> = new Set([
  "PATCH /people/:id",
  "DELETE /people/:id",
  "DELETE /people/invitations/:id",
]);

/** What somebody of whom a second step is demanded may do until she has one. */
export const enrolmentRoutes: ReadonlySet<string> = new Set([
  "GET /session",
  "GET /account",
  "POST /session/account",
  "DELETE /membership",
  "GET /second-step",
  "POST /step-up",
  "POST /step-up/passkey",
  "POST /factors/totp",
  "POST /factors/totp/:id/confirm",
  "POST /factors/passkeys/options",
  "POST /factors/passkeys",
]);

/** Refuses what a session may not do before its person shows a second step, or has one at all. */
export async function guardRoute(deps: Deps, request: FastifyRequest, prefix: string): Promise<void> {
  const { method, url = "" } = request.routeOptions;
  const route = `${String(method)} ${url.slice(prefix.length)}`;
  requireEnrolled(request.session, route);
  const room = frozenRooms.find(([, routes]) => routes.includes(route))?.[0];
  const mayWhileFrozen = request.session.role === "owner" && ownersWhileFrozen.has(route);
  if (room && !mayWhileFrozen) await requireNotFrozen(deps.pool, request.session, room, deps.clock.now());
  const goesOn = steppedUpBehindFirst.has(route) && isMoreThanShown(request.query as { limit?: unknown });
  if (steppedUp.has(route) || goesOn) await requireStepUp(deps, request.session);
  if (insteadOfMail.has(route)) await requireShownFactor(deps, request.session);
}

function requireEnrolled({ mustEnrol }: Session, route: string): void {
  if (mustEnrol && !enrolmentRoutes.has(route)) throw new ApiError("SECOND_STEP_DEMANDED");
}
