import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../../config.ts";
import { minute } from "../../../lib/clock.ts";
import { codeLifeMinutes } from "../../../mail/mail-kinds.ts";
import { readCookie, writeCookie } from "../cookies.ts";

const cookieName = "mostrador_stage";

export function stageToken(request: FastifyRequest, config: Config): string | undefined {
  return readCookie(request, config, cookieName);
}

export function setStageCookie(reply: FastifyReply, config: Config, token: string): void {
  const maxAgeSeconds = (codeLifeMinutes * minute) / 1000;
  writeCookie(reply, config, { name: cookieName, value: token, maxAgeSeconds });
}

export function clearStageCookie(reply: FastifyReply, config: Config): void {
  writeCookie(reply, config, { name: cookieName, value: "", maxAgeSeconds: 0 });
}
