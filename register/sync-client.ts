import {
  type ChangesResponse,
  type Entry,
  type Fetch,
  type Identity,
  type PushResponse,
  Refusal,
  type StockPage,
  UnreadableAnswer,
} from "./protocol.ts";
import { readChangesResponse, readError, readIdentity, readPushResponse, readStockPage } from "./read-answer.ts";

/** The requests of /sync/v1 that a register sends. */
export interface SyncClient {
  /** What the register reports that it knows: the service sends down accordingly. */
  capabilities: readonly string[];
  /** The owner named it when the code was made; `name` is for a service that does not say. */
  enrol(code: string, name: string): Promise<Identity>;
  push(token: string, sentAt: string, records: readonly Entry[]): Promise<PushResponse>;
  changes(token: string, cursor: string, waitSeconds: number, stop?: AbortSignal): Promise<ChangesResponse>;
  /** A page of the stock: everything from an empty cursor, then what moved since. */
  stock(token: string, cursor: string): Promise<StockPage>;
  /** A page of the sales of every register, newest first, and one of them; as they came, for shop-sales.ts to read. */
  sales(token: string, search: SalesSearch, cursor: string): Promise<unknown>;
  sale(token: string, id: string): Promise<unknown>;
}

/** The sales of a day, or of any day; those that these words name, or all. */
export interface SalesSearch {
  day?: string;
  q?: string;
}

/** What the service says about itself with every answer. */
export interface ServerInfo {
  /** The capabilities it takes; an older service names none. */
  accepts: string[];
  /** The oldest version of Caja that it still understands. */
  oldest: string | null;
  /** What the owner calls this register. */
  name: string | null;
}

/** Hears what the service says of itself, and by how much this machine's clock is ahead of the service's. */
export type ServerListener = (server: ServerInfo, clockAheadMs: number) => void;

export interface ClientApp {
  version: string;
  capabilities: readonly string[];
}

/** A register that only records and receives catalog changes, as the simulator's do. */
const plainRegister: ClientApp = { version: "4.0.0", capabilities: ["product.remote_edit.1", "return.1", "order.1"] };

/** Longer than the server's longest long poll. */
const timeoutMs = 40_000;
/** However long an answer asks to wait: what is sold must go up some time. */
const longestAskedMs = 600_000;

export function syncClient(
  baseUrl: string,
  fetchLike: Fetch = fetch,
  app = plainRegister,
  onServer: ServerListener = () => {},
): SyncClient {
  const { version: app_version, capabilities } = app;
  async function send(
    method: string,
    path: string,
    token: string | undefined,
    body?: object,
    stop?: AbortSignal,
  ): Promise<unknown> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const response = await fetchLike(`${baseUrl}/sync/v1${path}`, {
      method,
      // The service never sends a register elsewhere, and the token must not go there.
      redirect: "manual",
      signal: stop ? AbortSignal.any([stop, deadline]) : deadline,
      headers: {
        "register-version": app_version,
        "register-capabilities": capabilities.join(","),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400))
      throw new UnreadableAnswer();
    const content = await readJson(response);
    // Whoever answers without an id of its own is a proxy on the way.
    if (response.headers.has("request-id")) onServer(serverIn(response.headers), clockAhead(response.headers));
    if (response.ok) return content;
    const waitMs = Math.min(Number(response.headers.get("retry-after")) * 1000, longestAskedMs) || undefined;
    throw new Refusal(response.status, readError(content), waitMs);
  }
  return {
    capabilities,
    enrol: async (code, name) =>
      readIdentity(await send("POST", "/enrol", undefined, { code, name, app_version, capabilities })),
    push: async (token, sentAt, records) =>
      readPushResponse(await send("POST", "/push", token, { sent_at: sentAt, app_version, capabilities, records })),
    async changes(token, cursor, waitSeconds, stop) {
      const path = `/changes?cursor=${encodeURIComponent(cursor)}&wait=${waitSeconds}`;
      return readChangesResponse(await send("GET", path, token, undefined, stop), cursor);
    },
    async stock(token, cursor) {
      return readStockPage(await send("GET", `/stock?cursor=${encodeURIComponent(cursor)}`, token), cursor);
    },
    sales: (token, search, cursor) => send("GET", `/sales?${new URLSearchParams({ ...search, cursor })}`, token),
    sale: (token, id) => send("GET", `/sales/${encodeURIComponent(id)}`, token),
  };
}

function serverIn(headers: Headers): ServerInfo {
  const accepts = (headers.get("register-accepts") ?? "").split(",").filter(Boolean);
  return { accepts, oldest: headers.get("caja-oldest"), name: decoded(headers.get("register-name")) };
}

function decoded(text: string | null): string | null {
  try {
    return text === null ? null : decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Zero when the answer does not say when it was given. */
function clockAhead(headers: Headers): number {
  // A service of before says only its machine's time.
  return Date.now() - Date.parse(headers.get("service-time") ?? headers.get("date") ?? "") || 0;
}

/** "1.10.0" is later than "1.9.3". */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number));
  const at = b!.findIndex((part, i) => part !== (a![i] ?? 0));
  return at >= 0 && (a![at] ?? 0) < b![at]!;
}

/** A proxy, or the sign-in page of a hotel's network, may answer with something that is not JSON. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok) throw new UnreadableAnswer();
    return {};
  }
}
