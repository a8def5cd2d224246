import fastify from "fastify";
import { accessCache } from "../../src/access/api-keys/access-cache.ts";
import { buildApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { dailyPartitions } from "../../src/db/partitions.ts";
import { createPool, type Pool } from "../../src/db/pool.ts";
import { prepared } from "../../src/db/sql.ts";
import type { Deps } from "../../src/deps.ts";
import { searchBits, searchKeys, searchText } from "../../src/engine/search/search-text.ts";
import { feedSignal } from "../../src/engine/writing/feed-signal.ts";
import { shiftedClock } from "../../src/lib/clock.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";
import { createLogger } from "../../src/operations/start/logger.ts";
import { benchSecretKey } from "./dataset.ts";

const [kind, databaseUrl] = process.argv.slice(2) as [string, string];
const pool = createPool({ url: databaseUrl });
const app = kind === "ours" ? ours(pool) : bare(pool);
console.log(await app.listen({ port: 0, host: "127.0.0.1" }));
process.on("SIGTERM", () => void app.close().then(() => pool.end()));

/** The whole stack, as `start` runs it: keys, limits, validation, tags, and a log line per request. */
function ours(database: Pool) {
  const config = readConfig({
    SECRET_KEY: benchSecretKey,
    RATE_LIMIT_PER_SECOND: "1000000",
    RATE_LIMIT_BURST: "1000000",
  });
  const deps: Deps = {
    config,
    pool: database,
    clock: shiftedClock(),
    log: createLogger("info", 3),
    partitions: dailyPartitions(database, dailyTables),
    access: accessCache(database),
    feed: feedSignal(),
  };
  return buildApp(deps);
}

/** What Fastify, the driver and PostgreSQL allow: the same statements, no key, no validation, no log. */
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
    const text = await insertBare(database, request.headers.account, request.body);
    return reply.code(201).type("application/json").send(text);
  });
  return server;
}

/** The rows that POST /customers writes, in one plain transaction, statement by statement. */
async function insertBare(database: Pool, accountId: string, input: object): Promise<string> {
  const at = new Date();
  const id = uuidv7(at);
  const instant = at.toISOString();
  const body = {
    object: "customer",
    id,
    name: "",
    last_name: null,
    email: null,
    phone: null,
    person_type: "person",
    document_type: "CC",
    document_number: null,
    contact_channel: "none",
    deleted_at: null,
    ...input,
    created_at: instant,
    updated_at: instant,
  };
  const text = JSON.stringify(body);
  const search = searchText([body.name, body.email, body.document_number]);
  const client = await database.connect();
  await client.query("begin");
  await client.query(
    prepared(
      `insert into customers (account_id, id, created_at, updated_at, seq, email_key, document_number, search, search_keys, search_bits, body,
         revisions, feed_seq)
       values ($1, $2, $3, $3, 1, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        accountId,
        id,
        at,
        body.email,
        body.document_number,
        search,
        searchKeys(accountId, search),
        searchBits(search),
        text,
        JSON.stringify({ "*": [1, at.getTime()] }),
        at.getTime(),
      ],
    ),
  );
  await client.query(
    prepared(
      "insert into events (account_id, created_at, id, seq, type, body) values ($1, $2, $3, 1, 'customer.created', $4)",
      [accountId, at, uuidv7(at), `{"data":{"object":${text}}}`],
    ),
  );
  await client.query(
    prepared(
      "insert into idempotency_keys (account_id, key, created_at, fingerprint, status, headers, body) values ($1, $2, $3, $4, 201, '{}', $5)",
      [accountId, id, at, Buffer.alloc(32), text],
    ),
  );
  await client.query("commit");
  client.release();
  return text;
}
