import { test } from "vitest";
import { openSession } from "../../src/access/people/session.ts";
import { sql } from "../../src/db/sql.ts";
import { day } from "../../src/lib/clock.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { password } from "../support/portal.ts";
import { type Service, startService } from "../support/service.ts";
import { campaign, type Speaker, type Target } from "./campaign.ts";
import { type FuzzedRoute, fuzzedRequest } from "./requests.ts";
import { rounds } from "./rounds.ts";
import { routesOf } from "./routes-of.ts";
import { restoreEndpoints, type TwinShop, type Twins, twinShops } from "./twin-shops.ts";

/** The owner of one of the shops, in a browser. */
interface Owner extends Speaker {
  shop: TwinShop;
  cookie: string;
  /** Pending confirmations of this owner's session, with their codes. */
  codes: Map<string, string>;
}

/** Comparing a password takes 0.2 s: these routes are called rarely, and mostly refused before that. */
const costly = new Set(["POST /session", "POST /account/email", "POST /account/password", "POST /password-resets/:id"]);

/** Second steps, links of mails and codes for addresses. */
const ofSecrets =
  /\/(second-step|passkey|passkeys|objections|invitation-looks|invitations\/accept|step-up|factors|recovery-codes|trusted-browsers|sign-ups\/:id|password-resets\/:id|email-undo)(\/|$)/;

/** After these an owner may do nothing more until something else is done. */
const closing = new Set([
  "PUT /portal/api/security-settings",
  "DELETE /portal/api/membership",
  "POST /portal/api/account/close",
]);

test.each(rounds())(
  "no request to the portal's API, seed %i, fails, leaks or gets an undocumented response",
  async (seed, count) => {
    await using service = await startService();
    const twins = await twinShops(service);
    const owners = twins.shops.map((shop): Owner => {
      return { shop, cookie: "", codes: new Map(), foreignMarker: shop.foreignMarker };
    });
    for (const owner of owners) await signInAgain(service, owner);
    const routes = routesOf(service.app.portalRoutes)
      .filter(({ method, path }) => !closing.has(`${method} ${path}`))
      .map((route) => aimed(route, twins));
    const target: Target<Owner> = {
      name: "portal",
      baseUrl: service.baseUrl,
      speakers: owners,
      routes,
      isSecret: ({ path }) => ofSecrets.test(path),
      make(route, { shop, cookie, codes }, chance) {
        const credential: [string, string][] = chance.happens(0.02) ? [] : [["Cookie", `mostrador_session=${cookie}`]];
        const known = {
          ...twins.byField,
          url: [`https://${shop.marker}.com.co/nuevo`, "https://127.0.0.1/", "http://localhost", "https://a.local/#x"],
          email: [shop.portal.email, "nadie@example.com"],
          current_password: ["no es", "no es", "no es", password],
          password: ["no es"],
          code: ["000000", ...codes.values()],
          color: ["#b3261e", "rojo"],
          resend_id: twins.ids,
          // Of reports: days of which the later one is not before the earlier.
          from: [daysAgo(9), daysAgo(1)],
          to: [daysAgo(1), daysAgo(0)],
        };
        const ids = route.path.includes("/confirmations/") && codes.size > 0 ? [...codes.keys()] : route.ids;
        const aim = ids === undefined ? route : { ...route, ids };
        return fuzzedRequest(aim, chance, { credential, words: { ids: twins.ids, marker: shop.marker, known } });
      },
      check({ method }, { status, headers, text }) {
        if (status === 204 || status === 304 || method === "HEAD") return;
        const isFile = /^(attachment|inline);/.test(headers.get("content-disposition") ?? "");
        if (status === 200 && isFile) return;
        if (headers.get("content-type") !== "application/json; charset=utf-8") throw new Error(`not JSON: ${text}`);
        JSON.parse(text);
      },
      async after(_request, { status, text }, owner) {
        if (status === 401 && text.includes("SESSION_REQUIRED")) await signInAgain(service, owner);
      },
      refill: () => refill(service, twins, owners),
    };
    // There are three times as many routes as when the count was chosen.
    await campaign(target, seed, Math.ceil(3.5 * count));
  },
  600_000,
);

function daysAgo(days: number): string {
  return bogotaDate(new Date(Date.now() - days * day));
}

function aimed(route: FuzzedRoute, twins: Twins): FuzzedRoute {
  const own = (at: number) => twins.shops.map(({ ownIds }) => ownIds[at]!);
  const { path, method } = route;
  const ids = path.includes("/webhook-endpoints/")
    ? twins.endpointIds
    : path.includes("/deliveries/")
      ? twins.deliveryIds
      : path.includes("/api-keys/")
        ? own(1)
        : path.includes("/devices/")
          ? [...own(2), ...own(3)]
          : path.includes("/events/")
            ? twins.eventIds
            : path.includes("/days/")
              ? ["2026-11-16", "2020-02-29", "2026-02-30"]
              : twins.sharedIds[path.replace(/^\/portal\/api(\/records)?/, "").split("/:id")[0]!];
  const name = `${method} ${path.replace("/portal/api", "")}`;
  const weight = costly.has(name) ? 0.1 : method === "DELETE" ? 0.4 : 1;
  return { ...route, weight, ...(ids && { ids }) };
}

async function signInAgain({ deps }: Service, owner: Owner): Promise<void> {
  const { token, id } = await openSession(deps, owner.shop.accountId);
  owner.cookie = token;
  owner.codes.clear();
  await deps.pool.query(sql`update portal_sessions set user_agent = ${owner.shop.marker} where id = ${id}`);
}

/** Restores what runs out (codes per day, endpoints, keys): otherwise every later request would be refused. */
async function refill(service: Service, twins: Twins, owners: readonly Owner[]): Promise<void> {
  const { pool } = service.deps;
  await pool.query("delete from confirmations");
  await pool.query("delete from password_resets");
  await pool.query("delete from sign_in_failures");
  await pool.query("update api_keys set revoked_at = null, expires_at = null");
  await pool.query("update devices set revoked_at = null");
  await restoreEndpoints(service, twins);
  for (const owner of owners) {
    owner.codes.clear();
    await ask(service, owner, "/devices/enrolment", { name: owner.shop.marker });
    await ask(service, owner, "/api-keys", { name: owner.shop.marker, scopes: ["sales:read"] });
  }
}

async function ask({ baseUrl, deps }: Service, owner: Owner, path: string, body: object): Promise<void> {
  const headers = { cookie: `mostrador_session=${owner.cookie}`, "content-type": "application/json" };
  const response = await fetch(`${baseUrl}/portal/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (response.status !== 202) return;
  const { confirmation_id } = (await response.json()) as { confirmation_id: string };
  const { rows } = await deps.pool.query<{ body_text: string }>(
    sql`select body_text from mails where account_id = ${owner.shop.accountId} order by created_at desc, id desc limit 1`,
  );
  const code = /^\d{6}$/m.exec(rows[0]?.body_text ?? "")?.[0];
  if (code) owner.codes.set(confirmation_id, code);
}
