import {
  type ChangesResponse,
  type Entry,
  type Fetch,
  type Identity,
  type PushResponse,
  Refusal,
  type StockPage,
} from "./protocol.ts";

/** The requests of /sync/v1 that a register sends. */
export interface SyncClient {
  enrol(code: string, name: string): Promise<Identity>;
  push(token: string, sentAt: string, records: readonly Entry[]): Promise<PushResponse>;
  changes(token: string, cursor: string, waitSeconds: number, stop?: AbortSignal): Promise<ChangesResponse>;
  /** A page of the stock: everything from an empty cursor, then what moved since. */
  stock(token: string, cursor: string): Promise<StockPage>;
}

/** What the service says about itself with every answer. */
export interface ServerInfo {
  /** The capabilities it takes; an older service names none. */
  accepts: string[];
  /** The oldest version of Caja that it still understands. */
  oldest: string | null;
}

export interface ClientApp {
  version: string;
  capabilities: readonly string[];
}

/** A register that only records and receives catalog changes, as the simulator's do. */
const plainRegister: ClientApp = { version: "4.0.0", capabilities: ["product.remote_edit.1", "return.1"] };

/** Longer than the server's longest long poll. */
const timeoutMs = 40_000;

export function syncClient(
  baseUrl: string,
  fetchLike: Fetch = fetch,
  app = plainRegister,
  onServer: (server: ServerInfo) => void = () => {},
): SyncClient {
  const { version: app_version, capabilities } = app;
  async function send<T>(
    method: string,
    path: string,
    token: string | undefined,
    body?: object,
    stop?: AbortSignal,
  ): Promise<T> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const response = await fetchLike(`${baseUrl}/sync/v1${path}`, {
      method,
      signal: stop ? AbortSignal.any([stop, deadline]) : deadline,
      headers: {
        "register-version": app_version,
        "register-capabilities": capabilities.join(","),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const content = (await readJson(response)) as T & { error?: ConstructorParameters<typeof Refusal>[1] };
    // Whoever answers without an id of its own is a proxy on the way.
    if (response.headers.has("request-id")) onServer(serverIn(response.headers));
    if (response.ok) return content;
    const waitMs = Number(response.headers.get("retry-after")) * 1000 || undefined;
    throw new Refusal(response.status, content.error ?? { code: "UNREADABLE", message: "sin explicación" }, waitMs);
  }
  return {
    enrol: (code, name) => send("POST", "/enrol", undefined, { code, name, app_version, capabilities }),
    push: (token, sentAt, records) =>
      send("POST", "/push", token, { sent_at: sentAt, app_version, capabilities, records }),
    changes: (token, cursor, waitSeconds, stop) =>
      send("GET", `/changes?cursor=${encodeURIComponent(cursor)}&wait=${waitSeconds}`, token, undefined, stop),
    stock: (token, cursor) => send("GET", `/stock?cursor=${encodeURIComponent(cursor)}`, token),
  };
}

function serverIn(headers: Headers): ServerInfo {
  const accepts = (headers.get("register-accepts") ?? "").split(",").filter(Boolean);
  return { accepts, oldest: headers.get("caja-oldest") };
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
    if (response.ok) throw new TypeError("the response is not the service's");
    return {};
  }
}
