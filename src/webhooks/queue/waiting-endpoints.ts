import { ofAllAccounts, type Part } from "../../db/nodes.ts";
import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";

/** An endpoint with deliveries in the queue. */
export interface WaitingEndpoint extends EndpointKey {
  /** Of its oldest delivery. */
  dueAt: Date;
}

/** Most looks find less than the first page. After one endpoint that fills a page the next is short, after several long. */
const shortPageRows = 256;
const longPageRows = 2048;
/** Each number of spans is a text of its own, and for a distributed table each span is a query. */
const spansPerStatement = 33;

/** The endpoints that filled a page at the last look, and have not been without deliveries since. */
export interface LongQueues {
  endpoints: readonly EndpointKey[];
}

/**
 * Reads the queue in the order of its index, page after page, and jumps from the last endpoint of a page to the next one. Of
 * endpoints with long queues it reads the first row, and what lies between them, in one statement: the cost is that of the
 * endpoints with deliveries, not of all endpoints nor of the length of any queue. Not one recursive statement, because no
 * distributed table takes it.
 */
export function waitingEndpoints(db: Queryable, known: LongQueues = { endpoints: [] }): Promise<WaitingEndpoint[]> {
  return ofAllAccounts(db, (part) => waitingIn(db, part, known));
}

async function waitingIn(db: Queryable, part: Part, known: LongQueues): Promise<WaitingEndpoint[]> {
  const found: WaitingEndpoint[] = [];
  const long: EndpointKey[] = [];
  const isWhole = part.values.length === 0;
  let ahead = spansAround(isWhole ? known.endpoints : []);
  while (ahead.length > 0) {
    const spans = ahead.slice(0, spansPerStatement);
    const { rows } = await db.query<SpanRow>(
      prepared(spansText(spans.length, part), [...valuesOf(spans), ...part.values]),
    );
    const bySpan = Map.groupBy(rows, ({ span }) => span);
    const rest = spans.flatMap((span, i) => {
      const endpoints = bySpan.get(i) ?? [];
      for (const row of endpoints) {
        const endpoint = { accountId: row.account_id, endpointId: row.endpoint_id };
        found.push({ ...endpoint, dueAt: row.oldest_due });
        if (span.size === 1 || row.deliveries >= shortPageRows) long.push(endpoint);
      }
      return restOf(span, endpoints);
    });
    ahead = [...rest, ...ahead.slice(spansPerStatement)];
  }
  if (isWhole) known.endpoints = long.sort(inQueueOrder);
  return found.sort(inQueueOrder);
}

/** A part of the queue between two places, of which at most `size` rows are read. */
interface Span {
  after: QueuePosition;
  before: QueuePosition;
  size: number;
}

type QueuePosition = readonly [accountId: string, endpointId: string, dueAt: "infinity" | "-infinity"];

interface SpanRow {
  span: number;
  account_id: string;
  endpoint_id: string;
  oldest_due: Date;
  /** Of those read. */
  deliveries: number;
}

const firstPlace: QueuePosition = [
  "00000000-0000-0000-0000-000000000000",
  "00000000-0000-0000-0000-000000000000",
  "-infinity",
];
const lastPlace: QueuePosition = [
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "infinity",
];
const startOf = ({ accountId, endpointId }: EndpointKey): QueuePosition => [accountId, endpointId, "-infinity"];
const endOf = ({ accountId, endpointId }: EndpointKey): QueuePosition => [accountId, endpointId, "infinity"];

/** The first row of each of these endpoints, and what lies before, between and after them. */
function spansAround(endpoints: readonly EndpointKey[]): Span[] {
  const heads = endpoints.map((endpoint) => ({ after: startOf(endpoint), before: endOf(endpoint), size: 1 }));
  const gaps = [...endpoints.map(startOf), lastPlace].map((before, i) => {
    const previous = endpoints[i - 1];
    return { after: previous ? endOf(previous) : firstPlace, before, size: shortPageRows };
  });
  return [...heads, ...gaps];
}

/** What lies behind the last endpoint of a full page. */
function restOf({ before, size }: Span, endpoints: readonly SpanRow[]): Span[] {
  const last = endpoints.at(-1);
  if (!last || size === 1 || endpoints.reduce((sum, { deliveries }) => sum + deliveries, 0) < size) return [];
  const after: QueuePosition = [last.account_id, last.endpoint_id, "infinity"];
  return [{ after, before, size: endpoints.length > 1 ? longPageRows : shortPageRows }];
}

function inQueueOrder(a: EndpointKey, b: EndpointKey): number {
  return a.accountId + a.endpointId < b.accountId + b.endpointId ? -1 : 1;
}

function valuesOf(spans: readonly Span[]): unknown[] {
  const places = [spans.map(({ after }) => after), spans.map(({ before }) => before)];
  return [
    ...places.flatMap((all) => [0, 1, 2].map((part) => all.map((place) => place[part]))),
    spans.map(({ size }) => size),
  ];
}

function spansText(count: number, part: Part): string {
  const spans = Array.from({ length: count }, (_, i) => spanText(i, i + 1, part));
  return `
  select span, account_id, endpoint_id, min(due_at) as oldest_due, count(*) as deliveries
  from (${spans.join(" union all ")}) found
  group by span, account_id, endpoint_id order by span, account_id, endpoint_id`;
}

const spanText = (span: number, i: number, part: Part) => `
    (select ${span} as span, account_id, endpoint_id, due_at from webhook_queue
     where (account_id, endpoint_id, due_at) > (($1::uuid[])[${i}], ($2::uuid[])[${i}], ($3::timestamptz[])[${i}])
       and (account_id, endpoint_id, due_at) < (($4::uuid[])[${i}], ($5::uuid[])[${i}], ($6::timestamptz[])[${i}])
       and ${part.of("account_id", 8)}
     order by account_id, endpoint_id, due_at limit ($7::int[])[${i}])`;
