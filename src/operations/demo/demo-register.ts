import type { FastifyInstance, FastifyRequest } from "fastify";
import { createEnrolmentCode } from "../../access/devices/create-enrolment-code.ts";
import { isFromHere } from "../../api/http/from-here.ts";
import { requireOwnOrigin } from "../../api/http/own-origin.ts";
import { rateLimited, rateLimiter } from "../../api/http/rate-limit.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import type { Deps } from "../../deps.ts";
import { networkOf } from "../../lib/network-of.ts";
import { demoKeyWorks, lacksDemo } from "./ensure-demo.ts";
import { demoEmail, demoName } from "./identity.ts";

const linksPerMinute = 20;

/** Where the demo shop's register opens: by itself where it is offered, otherwise with a code for ten minutes. */
export async function demoRegister(deps: Deps): Promise<string> {
  const code = opensDemo(deps) ? "" : `#codigo=${await newCode(deps)}`;
  return `${deps.config.publicUrl}/caja/${code}`;
}

/**
 * A register that nobody has linked asks here whether there is a demo shop to try, and gets a code for it. Nobody signs in for
 * that: whoever reaches a test installation may sell in its demo shop, and in no other.
 */
export function offerDemoRegister(app: FastifyInstance, deps: Deps): void {
  const limiter = rateLimiter(linksPerMinute / 60, linksPerMinute);
  const mayAsk = (request: FastifyRequest) => opensDemo(deps) && (deps.config.demoEverywhere || isFromHere(request));
  const isOffered = async (request: FastifyRequest) => mayAsk(request) && (await demoKeyWorks(deps));
  app.get("/caja/demo", async (request, reply) => {
    void reply.header("cache-control", "no-store");
    if (await isOffered(request)) return { name: demoName };
    // The first start builds it while pages are served already.
    return { name: null, ...(mayAsk(request) && (await lacksDemo(deps)) && { is_coming: true }) };
  });
  app.post("/caja/demo", { bodyLimit: 1024 }, async (request, reply) => {
    requireOwnOrigin(request, deps.config.publicUrl);
    const network = networkOf(request.ip);
    if (!limiter.take(network)) throw rateLimited(limiter.state(network));
    if (!(await isOffered(request))) return reply.callNotFound();
    void reply.header("cache-control", "no-store");
    return reply.code(201).send({ code: await newCode(deps) });
  });
}

function opensDemo({ config }: Deps): boolean {
  return config.environment === "test" && config.demo;
}

async function newCode(deps: Deps): Promise<string> {
  const { rows } = await deps.pool.query<{ id: string }>(
    sql`select id from accounts where lower(email) = ${demoEmail}`,
  );
  const { code } = await createEnrolmentCode(deps, { accountId: oneRow(rows).id, name: "Caja de demostración" });
  return code;
}
