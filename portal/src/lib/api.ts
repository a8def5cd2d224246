import { isAway, reportConnection } from "./connection.ts";
import { forgetDrafts } from "./draft-storage.ts";
import { formWords } from "./form-words.ts";
import { reportBusinessChanged, shownBusiness } from "./shown-business.ts";
import { askStepUp, type StepKind } from "./step-up.ts";

/** An error response, in the format that all of the service's APIs share. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  readonly attemptsLeft: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** One message for each rejected field. */
  readonly errors: readonly { param: string; message: string }[];
  /** The registers that stand in the way, of a refusal about registers. */
  readonly devices: readonly { id: string; name: string; app_version: string | null }[];

  /** What a second step may be shown with, of a refusal that asks for it. */
  readonly kinds: readonly StepKind[];

  constructor(status: number, error: ErrorBody, retryAfter: string | null) {
    super(messageOf(error));
    this.status = status;
    this.code = error.code;
    this.param = error.param;
    this.requestId = error.request_id;
    this.attemptsLeft = error.attempts_left;
    this.errors = (error.errors ?? []).map(({ param, message }) => ({ param, message: formWords(message) }));
    this.kinds = error.kinds ?? [];
    this.devices = error.devices ?? [];
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  }
}

interface ErrorBody {
  code: string;
  message: string;
  param?: string;
  request_id?: string;
  attempts_left?: number;
  errors?: { param: string; message: string }[];
  devices?: { id: string; name: string; app_version: string | null }[];
  kinds?: StepKind[];
}

/** A form shows every field that was refused, in its own words. */
function messageOf({ message, errors }: ErrorBody): string {
  if (!errors || errors.length === 0) return formWords(message);
  return [...new Set(errors.map((one) => formWords(one.message)))].join(" ");
}

const unreachable: ErrorBody = {
  code: "UNREACHABLE",
  message: "No hay conexión con el servicio. Revise su internet; la página lo intenta de nuevo sola.",
};
const notSent: ErrorBody = {
  code: "UNREACHABLE",
  message:
    "No hay conexión con el servicio. Lo que escribió sigue aquí: cuando vuelva, revise si el cambio alcanzó a hacerse y, si no, repítalo.",
};

/** Changes under way. The second click of a double click gets the first one's response instead of making another change. */
const underWay = new Map<string, Promise<unknown>>();

export function call<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  headers?: Record<string, string>,
): Promise<T> {
  if (method === "GET") return send<T>(method, path, body, signal, headers);
  const key = `${method} ${path} ${JSON.stringify(body)}`;
  const same = underWay.get(key) as Promise<T> | undefined;
  if (same) return same;
  const sent = send<T>(method, path, body, signal, headers).finally(() => underWay.delete(key));
  underWay.set(key, sent);
  return sent;
}

/** A request that needs the second step asks for it and goes on; whoever cancels reads why nothing happened. */
async function send<T>(...request: Parameters<typeof sendOnce>): Promise<T> {
  try {
    return await sendOnce<T>(...request);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "STEP_UP_REQUIRED" || !(await askStepUp(error.kinds)))
      throw error;
    return sendOnce<T>(...request);
  }
}

async function sendOnce<T>(
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
  headers: Record<string, string> | undefined,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/portal/api${path}`, {
      method,
      credentials: "same-origin",
      headers: {
        ...(body !== undefined && { "content-type": typeOf(body) }),
        ...(shownBusiness() !== undefined && { "mostrador-business": shownBusiness() }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    reportConnection(false);
    throw new ApiError(0, method === "GET" ? unreachable : notSent, null);
  }
  reportConnection(!isAway(response.status));
  if (response.status === 204) return undefined as T;
  const answer = (await response.json().catch(() => undefined)) as { error?: ErrorBody } | undefined;
  if (response.ok) return answer as T;
  const error = answer?.error ?? {
    code: "UNREADABLE",
    message: "El servicio respondió algo que no se entiende. Espere un momento y vuelva a intentar.",
  };
  if (error.code === "BUSINESS_CHANGED") reportBusinessChanged();
  throw new ApiError(response.status, error, response.headers.get("retry-after"));
}

/** A file travels as it is, everything else as JSON. */
function typeOf(body: unknown): string {
  return body instanceof Blob ? "application/octet-stream" : "application/json";
}

export const get = <T>(path: string, signal?: AbortSignal) => call<T>("GET", path, undefined, signal);
export const post = <T>(path: string, body?: unknown, headers?: Record<string, string>) =>
  call<T>("POST", path, body, undefined, headers);
/** Whether the service said that it did nothing. After a lost answer nobody knows, so the same key must be sent again. */
export const wasRefused = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Repeated with the same key, it happens once: a lost answer can be asked for again. */
export const postOnce = <T>(path: string, body: unknown, key: string) =>
  post<T>(path, body, { "idempotency-key": key });
export const put = <T>(path: string, body: unknown) => call<T>("PUT", path, body);
export const patch = <T>(path: string, body: unknown, headers?: Record<string, string>) =>
  call<T>("PATCH", path, body, undefined, headers);
export const remove = <T = void>(path: string) => call<T>("DELETE", path);

/** When the owner signs out, the next person at this browser must find nothing. */
export async function signOut(): Promise<void> {
  await remove("/session");
  forgetDrafts();
}

/** A query string of the values that are set. */
export function query(values: Record<string, string | number | boolean | undefined | null>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (pairs.length === 0) return "";
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}
