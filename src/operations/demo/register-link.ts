import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { createEnrolmentCode } from "../../access/devices/create-enrolment-code.ts";
import { sql } from "../../db/sql.ts";
import type { Deps } from "../../deps.ts";
import { hashToken } from "../../lib/token.ts";
import { demoKeyWorks } from "./ensure-demo.ts";
import { demoEmail, demoLink } from "./identity.ts";

const path = "/dev/caja";

/** The register of the demo shop: an address that stays good, or with a code for ten minutes where the demo is not wanted. */
export async function demoRegister(deps: Deps): Promise<string> {
  const { publicUrl, secretKey } = deps.config;
  return `${publicUrl}${opensDemo(deps) ? `${path}/${demoLink(secretKey)}` : await withCode(deps)}`;
}

/**
 * The address that a start prints. It holds a secret of the installation, as the demo's password does, and links a register
 * to the demo shop alone: each time with a fresh code, which lives as short as any other.
 */
export function serveDemoRegister(app: FastifyInstance, deps: Deps): void {
  if (!opensDemo(deps)) return;
  const expected = hashToken(demoLink(deps.config.secretKey));
  app.get<{ Params: { secret: string } }>(`${path}/:secret`, async (request, reply) => {
    void reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    const isOurs = timingSafeEqual(hashToken(request.params.secret), expected) && (await demoKeyWorks(deps));
    return isOurs ? reply.redirect(await withCode(deps), 303) : reply.callNotFound();
  });
}

function opensDemo({ config }: Deps): boolean {
  return config.environment === "test" && config.demo;
}

async function withCode(deps: Deps): Promise<string> {
  const { rows } = await deps.pool.query<{ id: string }>(
    sql`select id from accounts where lower(email) = ${demoEmail}`,
  );
  const { code } = await createEnrolmentCode(deps, { accountId: rows[0]!.id, name: "Caja de demostración" });
  return `/caja/#codigo=${code}`;
}
