import fastify from "fastify";
import { buildApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createPool } from "../../src/db/create-pool.ts";
import type { Pool } from "../../src/db/pool.ts";
import { prepared } from "../../src/db/sql.ts";
import { makeDeps } from "../../src/operations/make-deps.ts";
import { createLogger } from "../../src/operations/start/logger.ts";
import { insertBareCustomer } from "./bare-customer.ts";
import { benchSecretKey } from "./dataset.ts";

const [kind, databaseUrl] = process.argv.slice(2) as [string, string];
const pool = createPool({ url: databaseUrl });
const app = kind === "ours" ? ours(pool) : bare(pool);
console.log(await app.listen({ port: 0, host: "127.0.0.1" }));
process.on("SIGTERM", () => void app.close().then(() => pool.end()));

/** The complete service, as `start` runs it: keys, limits, validation, tags, and a log line per request. */
function ours(database: Pool) {
  const config = readConfig({
    SECRET_KEY: benchSecretKey,
    RATE_LIMIT_PER_SECOND: "1000000",
    RATE_LIMIT_BURST: "1000000",
  });
  return buildApp(makeDeps(database, config, { log: createLogger("info", 3) }));
}

/** The limit that Fastify, the driver and PostgreSQL set: the same statements without keys, validation or log. */
function bare(database: Pool) {
  const server = fastify();
  const asText = { getTypeParser: () => (text: string) => text };
  const list = `select id, seq, created_at, body from products where account_id = $1 and deleted_at is null
    order by created_at desc, id desc limit $2`;
  const one = "select body, seq from products where account_id = $1 and id = $2 and deleted_at is null";
  server.get<{ Params: { account: string } }>("/list/:account", async (request, reply) => {
    const { rows } = await database.query<string[]>({
      ...prepared(list, [request.params.account, 26]),
      types: asText,
      rowMode: "array",
    });
    const bodies = rows.slice(0, 25).map((row) => row[3]);
    return reply
      .type("application/json")
      .send(`{"object":"list","data":[${bodies.join(",")}],"has_more":true,"next_cursor":null}`);
  });
  server.get<{ Params: { account: string; id: string } }>("/one/:account/:id", async (request, reply) => {
    const { rows } = await database.query<{ body: string }>({
      ...prepared(one, [request.params.account, request.params.id]),
      types: asText,
    });
    return reply.type("application/json").send(rows[0]!.body);
  });
  server.post<{ Headers: { account: string }; Body: { name: string } }>("/customers", async (request, reply) => {
    const { text } = await insertBareCustomer(database, request.headers.account, request.body);
    return reply.code(201).type("application/json").send(text);
  });
  return server;
}
