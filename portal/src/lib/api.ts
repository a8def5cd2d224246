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

  constructor(status: number, error: ErrorBody, retryAfter: string | null) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.param = error.param;
    this.requestId = error.request_id;
    this.attemptsLeft = error.attempts_left;
    this.errors = error.errors ?? [];
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
}

const unreachable: ErrorBody = {
  code: "UNREACHABLE",
  message: "No hay conexión con el servicio. Revise su internet; la página lo intenta de nuevo sola.",
};

export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  headers?: Record<string, string>,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/portal/api${path}`, {
      method,
      credentials: "same-origin",
      headers: { ...(body !== undefined && { "content-type": typeOf(body) }), ...headers },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, unreachable, null);
  }
  if (response.status === 204) return undefined as T;
  const answer = (await response.json().catch(() => undefined)) as { error?: ErrorBody } | undefined;
  if (response.ok) return answer as T;
  const error = answer?.error ?? {
    code: "UNREADABLE",
    message: "El servicio respondió algo que no se entiende. Espere un momento y vuelva a intentar.",
  };
  throw new ApiError(response.status, error, response.headers.get("retry-after"));
}

/** A file travels as it is, everything else as JSON. */
function typeOf(body: unknown): string {
  return body instanceof Blob ? "application/octet-stream" : "application/json";
}

export const get = <T>(path: string, signal?: AbortSignal) => call<T>("GET", path, undefined, signal);
export const post = <T>(path: string, body?: unknown, headers?: Record<string, string>) =>
  call<T>("POST", path, body, undefined, headers);
/** Repeated with the same key, it happens once: a lost answer can be asked for again. */
export const postOnce = <T>(path: string, body: unknown, key: string) =>
  post<T>(path, body, { "idempotency-key": key });
export const put = <T>(path: string, body: unknown) => call<T>("PUT", path, body);
export const patch = <T>(path: string, body: unknown, headers?: Record<string, string>) =>
  call<T>("PATCH", path, body, undefined, headers);
export const remove = (path: string) => call<void>("DELETE", path);

/** A query string of the values that are set. */
export function query(values: Record<string, string | number | boolean | undefined | null>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (pairs.length === 0) return "";
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}
