import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";

export function readCookie(request: FastifyRequest, config: Config, name: string): string | undefined {
  const start = `${fullName(config, name)}=`;
  const found = request.headers.cookie?.split(/; */).find((pair) => pair.startsWith(start));
  return found?.slice(start.length);
}

export function writeCookie(
  reply: FastifyReply,
  config: Config,
  { name, value, maxAgeSeconds }: { name: string; value: string; maxAgeSeconds: number },
): void {
  const secure = isSecure(config) ? "; Secure" : "";
  void reply.header(
    "set-cookie",
    `${fullName(config, name)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`,
  );
}

/** With this prefix browsers accept the cookie only over https, and from no other host of the domain. */
function fullName(config: Config, name: string): string {
  return isSecure(config) ? `__Host-${name}` : name;
}

function isSecure({ publicUrl }: Config): boolean {
  return publicUrl.startsWith("https:");
}
