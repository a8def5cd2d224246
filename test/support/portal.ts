import { scryptSync } from "node:crypto";
import type { Plan } from "../../src/access/accounts/create-account.ts";
import { openSession } from "../../src/access/people/session.ts";
import type { Queryable } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import type { Answer } from "./client.ts";
import type { Business, Service } from "./service.ts";

/** An owner's browser: a cookie, and the origin it was opened on. */
export interface Portal {
  business: Business;
  accountId: string;
  email: string;
  /** The header of its session, for requests that are not JSON. */
  cookie: string;
  get(path: string): Promise<Answer>;
  /** A response that need not be JSON. */
  download(path: string): Promise<{ status: number; headers: Headers; bytes: Buffer }>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** The code of the last mail to this owner. */
  code(): Promise<string>;
  /** Requests a change, reads the mail and confirms it; returns the response to the confirmation. */
  confirmed(path: string, body?: unknown, method?: "POST" | "PUT" | "PATCH"): Promise<Answer>;
}

export const password = "una clave larga";
/** As hashPassword makes it, but with cheap parameters: comparing with the real ones takes 0.2 s of a core. */
export const passwordHash = ["scrypt", 1024, 8, 1, "sal", derived()].join("$");

function derived(): string {
  return scryptSync(password, Buffer.from("sal", "base64url"), 32, { N: 1024, r: 8, p: 1 }).toString("base64url");
}

/** From now on the owner of an account, whom `newAccount` gave none, signs in with `password`. */
export async function givePassword(pool: Queryable, accountId: string): Promise<void> {
  await pool.query(sql`update accounts set password_hash = ${passwordHash} where id = ${accountId}`);
  await pool.query(sql`update people set password_hash = ${passwordHash} where id = ${accountId}`);
}

/** A new account whose owner is signed in. */
export async function openPortal(service: Service, { plan = "pro" }: { plan?: Plan } = {}): Promise<Portal> {
  const business = await service.business({ plan });
  const { accountId } = business;
  const email = `${accountId}@example.com`;
  await givePassword(service.deps.pool, accountId);
  return openAgain(service, business, email);
}

/** One more session of the same owner, opened as a sign-in opens it. */
export async function openAgain(service: Service, business: Business, email: string): Promise<Portal> {
  const { token } = await openSession(service.deps, business.accountId);
  return portalOf(service, business, { token, email });
}

/** The browser of whoever holds a session's token. */
export function portalOf(
  service: Service,
  business: Business,
  { token, email }: { token: string; email: string },
): Portal {
  const { accountId } = business;
  const cookie = `mostrador_session=${token}`;
  const portal: Portal = {
    business,
    accountId,
    email,
    cookie,
    get: (path) => call(service, "GET", path, undefined, { cookie }),
    async download(path) {
      const response = await fetch(`${service.baseUrl}/portal/api${path}`, { headers: { cookie } });
      const { status, headers } = response;
      return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    post: (path, body, headers) => call(service, "POST", path, body, { cookie, ...headers }),
    put: (path, body, headers) => call(service, "PUT", path, body, { cookie, ...headers }),
    patch: (path, body, headers) => call(service, "PATCH", path, body, { cookie, ...headers }),
    delete: (path) => call(service, "DELETE", path, undefined, { cookie }),
    code: () => newestCode(service, email),
    async confirmed(path, body, method = "POST") {
      const asked = await call(service, method, path, body, { cookie });
      if (asked.status !== 202) throw new Error(`${asked.status} ${asked.text}`);
      return portal.post(`/confirmations/${asked.body.confirmation_id}`, { code: await portal.code() });
    },
  };
  return portal;
}

/** The headers of a request that a proxy forwards from an address; the service is started with `TRUST_PROXY: "1"`. */
export const from = (address: string) => ({ "x-forwarded-for": address });

export async function newestCode(service: Service, email: string): Promise<string> {
  const mail = (await mailsTo(service, email)).find(({ text }) => /^\d{6}$/m.test(text));
  if (!mail) throw new Error(`no code was mailed to ${email}`);
  return /^\d{6}$/m.exec(mail.text)![0];
}

/** Newest first, as the mailbox shows them. */
export async function mailsTo(
  service: Service,
  email: string,
): Promise<{ subject: string; text: string; sent_at: string }[]> {
  const response = await fetch(`${service.baseUrl}/dev/mail`, { headers: { accept: "application/json" } });
  const all = (await response.json()) as { to: string; subject: string; text: string; sent_at: string }[];
  return all.filter(({ to }) => to === email);
}

export async function call(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${service.baseUrl}/portal/api${path}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? undefined : JSON.parse(text) };
}
