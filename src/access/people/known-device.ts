import { createHash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { day } from "../../lib/clock.ts";
import { networkOf } from "../../lib/network-of.ts";
import { acceptedKeys, currentKey, derivedKey, hmac, isMacOfAny } from "../../lib/secret-keys.ts";
import type { RequestSource } from "../accounts/hashing-queue.ts";
import { readCookie, writeCookie } from "./cookies.ts";

const lifeMs = 365 * day;

/** The form of an address under which it is looked up and counted. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase();
}

/** Where a request without a session comes from: a browser that signed in before, or else its network. */
export function sourceOf(request: FastifyRequest, config: Config, emailKey: string, now: Date): RequestSource {
  const device = readDevice(request, config, emailKey, now);
  if (device !== undefined) return { name: `device ${device.id}`, isKnown: true, knownSince: device.since };
  return { name: `address ${networkOf(request.ip)}`, isKnown: false };
}

/**
 * Marks the browser as known for this address for a year: failures of unknown sources then do not lock it out. The cookie
 * grants no access. It is signed and not stored on the server; each address has its own.
 */
export function rememberDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  emailKey: string,
  now: Date,
): void {
  const id = readDevice(request, config, emailKey, now)?.id ?? randomBytes(16).toString("base64url");
  const content = `${id}.${Math.floor(now.getTime() / 1000)}`;
  writeCookie(reply, config, {
    name: cookieName(emailKey),
    value: `${content}.${sign(currentKey(config.secretKeys), emailKey, content).toString("base64url")}`,
    maxAgeSeconds: lifeMs / 1000,
  });
}

function readDevice(
  request: FastifyRequest,
  config: Config,
  emailKey: string,
  now: Date,
): { id: string; since: Date } | undefined {
  const cookie = readCookie(request, config, cookieName(emailKey));
  const [, content = "", id, since, mac = ""] = /^(([\w-]{22})\.(\d{1,11}))\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
  const keys = acceptedKeys(config.secretKeys);
  if (!id || !isMacOfAny(Buffer.from(mac, "base64url"), keys, (key) => sign(key, emailKey, content))) return undefined;
  const sinceMs = Number(since) * 1000;
  return sinceMs + lifeMs > now.getTime() ? { id, since: new Date(sinceMs) } : undefined;
}

function cookieName(emailKey: string): string {
  return `mostrador_device_${createHash("sha256").update(emailKey).digest("hex").slice(0, 12)}`;
}

function sign(secretKey: string, emailKey: string, content: string): Buffer {
  return hmac(derivedKey(secretKey, "known devices"), `${emailKey}\n${content}`);
}
