import type { FastifyInstance } from "fastify";
import type { Deps } from "../../deps.ts";
import { day } from "../../lib/clock.ts";

const path = "/.well-known/security.txt";
/** RFC 9116 wants less than a year; counted from each request, a service that runs for years does not go stale. */
const validDays = 180;

/**
 * Where a fault of security is reported. Without SECURITY_CONTACT there is none to name: answers to MAIL_FROM are read by nobody.
 */
export function securityContact(app: FastifyInstance, { config, clock }: Deps): void {
  const { securityContact: contact, publicUrl } = config;
  if (contact === undefined) return;
  app.get(path, (_request, reply) => {
    const expires = new Date(clock.now().getTime() + validDays * day);
    expires.setUTCHours(0, 0, 0, 0);
    return reply
      .header("cache-control", "public, max-age=86400")
      .type("text/plain; charset=utf-8")
      .send(
        [
          `Contact: ${contact}`,
          `Expires: ${expires.toISOString()}`,
          "Preferred-Languages: es, en",
          `Canonical: ${publicUrl}${path}`,
          "",
        ].join("\n"),
      );
  });
}
