import {
  Mostrador,
  MostradorError,
  receiveWebhook,
  verifyWebhook,
  WebhookSignatureError,
} from "../../sdk/src/index.ts";

// biome-ignore lint/suspicious/noExplicitAny: the steps are data, and a resource is found by its name
type Json = any;

async function outcome(doing: () => Promise<unknown>): Promise<object> {
  try {
    return { value: await doing() };
  } catch (error) {
    if (error instanceof WebhookSignatureError) return { error: { kind: "signature" } };
    if (!(error instanceof MostradorError)) return { error: { kind: "other", message: String(error) } };
    const { code, status, param, requestId, errors } = error;
    const kind = code === "CONNECTION_ERROR" ? "connection" : "api";
    return { error: { kind, code, status, param: param ?? null, request_id: requestId ?? null, fields: errors } };
  }
}

const doers: Record<string, (mostrador: Mostrador, step: Json) => Promise<unknown>> = {
  me: (mostrador) => mostrador.me(),
  get: (mostrador, { of, id }) => resource(mostrador, of).get(id),
  list: (mostrador, { of, filters, page_size, most }) =>
    resource(mostrador, of)
      .list({ ...camel(filters), pageSize: page_size })
      .toArray(most),
  async pages(mostrador, { of, filters, page_size }) {
    const pages = [];
    for await (const { data } of resource(mostrador, of)
      .list({ ...camel(filters), pageSize: page_size })
      .pages())
      pages.push(data);
    return pages;
  },
  async sync(mostrador, { of, page_size, rounds, abandon }) {
    const read: Json[][] = [];
    let updatedSince: string | undefined;
    let moved = false;
    for (let round = 0; round < rounds; round++) {
      const changes = resource(mostrador, of).sync({ updatedSince, pageSize: page_size });
      const before = changes.updatedSince;
      const records = [];
      for await (const record of changes) {
        records.push(record);
        moved ||= changes.updatedSince !== before;
        if (abandon && round === 0) break;
      }
      read.push(records);
      updatedSince = changes.updatedSince;
    }
    return { rounds: read, moved };
  },
  export: (mostrador, { of, starting_after }) =>
    arrayOf(resource(mostrador, of).export({ startingAfter: starting_after })),
  create: (mostrador, { of, with: fields, key }) => resource(mostrador, of).create(fields, { idempotencyKey: key }),
  create_batch: (mostrador, { of, with: items, key }) =>
    resource(mostrador, of).createBatch(items, { idempotencyKey: key }),
  update: (mostrador, { of, id, with: changes, if_match }) =>
    resource(mostrador, of).update(id, changes, { ifMatch: if_match }),
  cancel: (mostrador, { of, id, with: fields, key }) =>
    resource(mostrador, of).cancel(id, fields, { idempotencyKey: key }),
  preview: (mostrador, { of, with: fields }) => resource(mostrador, of).preview(fields),
  async follow(mostrador, { type, read }) {
    const all = [];
    let cursor: string | undefined;
    for (const wanted of read) {
      const events = [];
      for await (const page of mostrador.events.follow({ type, everyMs: 5, cursor })) {
        events.push(...page.events);
        cursor = page.cursor ?? undefined;
        if (events.length >= wanted) break;
      }
      all.push(events);
    }
    return all;
  },
  async follow_until_end(mostrador, { type, rounds }) {
    const all = [];
    let cursor: string | undefined;
    for (let round = 0; round < rounds; round++) {
      const pages = [];
      for await (const page of mostrador.events.follow({ type, cursor, untilEnd: true })) {
        pages.push({ events: page.events, caught_up: page.caughtUp });
        cursor = page.cursor ?? undefined;
      }
      all.push(pages);
    }
    return all;
  },
  verify: (_mostrador, { body, header, secret, now, tolerance }) =>
    verifyWebhook(body, header, secret, { nowSeconds: now, ...(tolerance && { toleranceSeconds: tolerance }) }),
  receive: (_mostrador, { body, header, secret, now, tolerance }) =>
    receiveWebhook(body, header, secret, { nowSeconds: now, ...(tolerance && { toleranceSeconds: tolerance }) }),
};

function resource(mostrador: Mostrador, name: string): Json {
  return name.split(".").reduce((found: Json, part) => found[part], mostrador);
}

function camel(filters: object = {}): object {
  const parts = Object.entries(filters).map(([name, value]) => [
    name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(parts);
}

async function arrayOf(all: AsyncIterable<unknown>): Promise<unknown[]> {
  const found = [];
  for await (const one of all) found.push(one);
  return found;
}

/** Runs the cases over the TypeScript client; what it reads and writes stands in README.md. */
const asked: Json[] = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString());
const all = [];
for (const { base_url, api_key, client = {}, steps } of asked) {
  const mostrador = new Mostrador({
    apiKey: api_key,
    baseUrl: base_url,
    backoffMs: 5,
    ...(client.max_retries !== undefined && { maxRetries: client.max_retries }),
    ...(client.timeout_ms && { timeoutMs: client.timeout_ms }),
  });
  const outcomes = [];
  for (const step of steps) outcomes.push(await outcome(() => doers[step.do]!(mostrador, step)));
  all.push(outcomes);
}
process.stdout.write(JSON.stringify(all));
