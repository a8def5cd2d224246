/** Why an attempt failed, as the portal's history shows it. */
export const failureClasses = [
  "dns",
  "address",
  "connect",
  "tls",
  "timeout",
  "redirect",
  "status",
  "response",
] as const;
export type FailureClass = (typeof failureClasses)[number];

export type Outcome =
  | { delivered: true; status: number }
  | { delivered: false; failure: FailureClass; status: number | null };

/** Only 2xx counts as delivered. A 3xx has its own class, because redirects are never followed (service document). */
export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return { delivered: true, status };
  return { delivered: false, failure: status >= 300 && status < 400 ? "redirect" : "status", status };
}

/**
 * The class of an error thrown by undici, node:tls or the resolver. Null means that the receiver did nothing wrong (no
 * free file descriptor, a client closed by our own shutdown, a bug): such an attempt must not count against the endpoint.
 *
 * `phase` matters only for a reset connection: "read ECONNRESET" is the same error in the handshake and in the response.
 */
export function classify(error: unknown, phase: "connecting" | "exchanging" = "exchanging"): FailureClass | null {
  const failure =
    errorChain(error)
      .map(classOfOne)
      .find((found) => found !== null) ?? null;
  return failure === "response" && phase === "connecting" ? "connect" : failure;
}

/** What the business can do about the failure; a status with one usual cause has its own hint. */
export function hintFor(failure: FailureClass, status: number | null = null): string {
  return (failure === "status" && status !== null && statusHints.get(status)) || failureHints[failure];
}

type ErrorLike = { name?: unknown; code?: unknown; syscall?: unknown };

function classOfOne({ name, code, syscall }: ErrorLike): FailureClass | null {
  if (isTimeoutName(name)) return "timeout";
  // undici sets no code when the response is not HTTP at all.
  if (name === "HTTPParserError") return "response";
  if (typeof code !== "string") return null;
  // A query that our deadline cancelled.
  if (code === "ECANCELLED") return "timeout";
  // The resolver's "ECONNREFUSED" is about the DNS server, so the system call decides before the code.
  if (typeof syscall === "string" && /^(getaddrinfo|query)/.test(syscall)) return "dns";
  if (syscall === "connect" && code === "ECONNRESET") return "connect";
  return classOfCode.get(code) ?? codePatterns.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** AbortError too: the only thing that aborts an attempt is its 10 s deadline. */
function isTimeoutName(name: unknown): boolean {
  return name === "TimeoutError" || name === "AbortError";
}

const codesOfClass: Record<FailureClass, string | undefined> = {
  dns: "ENOTFOUND ENODATA ESERVFAIL EREFUSED EFORMERR EBADNAME EBADRESP ENONAME ETIMEOUT",
  address: "ADDRESS_NOT_PUBLIC",
  connect: "ECONNREFUSED EHOSTUNREACH EHOSTDOWN ENETUNREACH",
  tls: "EPROTO DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED",
  // One class for every wait that ran out, connecting included: the 10 s cover all of them together.
  timeout:
    "ETIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_ABORTED ERR_TLS_HANDSHAKE_TIMEOUT ABORT_ERR",
  // No status came. What goes wrong after a status no longer matters: the status has decided.
  response:
    "ECONNRESET ECONNABORTED EPIPE ERR_STREAM_PREMATURE_CLOSE UND_ERR_SOCKET UND_ERR_HEADERS_OVERFLOW UND_ERR_RESPONSE",
  // A response came.
  redirect: undefined,
  status: undefined,
};

const classOfCode = new Map(
  failureClasses.flatMap((failure) =>
    (codesOfClass[failure]?.split(" ") ?? []).map((code) => [code, failure] as const),
  ),
);

const codePatterns: [RegExp, FailureClass][] = [
  [/^EAI_/, "dns"],
  [/^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C(ERT|RL)_)/, "tls"],
  [/^(HPE_|ERR_HTTP2_)/, "response"],
];

/** The error, its causes, and the failed tries of an AggregateError (one per address of the name). */
function errorChain(error: unknown, depth = 0): ErrorLike[] {
  // fetch, undici and node nest fewer than five levels; the limit also ends a cause that points back to itself.
  if (typeof error !== "object" || error === null || depth > 5) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const nested = [cause, ...(Array.isArray(errors) ? errors.slice(0, 10) : [])];
  return [error, ...nested.flatMap((inner) => errorChain(inner, depth + 1))];
}

const failureHints: Record<FailureClass, string> = {
  dns: "El dominio no se pudo resolver. Revise que el nombre exista, que tenga un registro A o AAAA y que no haya vencido.",
  address:
    "El dominio apunta a una dirección privada o reservada y no se hizo la conexión. Corrija sus registros A y AAAA para que todos sean direcciones públicas.",
  connect:
    "El servidor no aceptó la conexión en el puerto 443. Revise que esté encendido, que escuche en ese puerto y que el cortafuegos la permita.",
  tls: "La conexión segura falló. Revise que el certificado esté vigente, cubra este dominio e incluya los certificados intermedios.",
  timeout:
    "No hubo respuesta en 10 segundos. Responda 2xx apenas reciba el evento y procéselo después, y revise que el cortafuegos no descarte la conexión.",
  redirect:
    "El servidor respondió con una redirección, y las entregas no las siguen. Ponga en el endpoint la URL final, tal como la muestra el navegador.",
  status:
    "El servidor respondió con un estado distinto de 2xx. Revise los registros de su servidor a esa hora y responda 2xx al recibir.",
  response:
    "El servidor cortó la conexión sin responder, o lo que respondió no es HTTP. Revise los registros de su servidor y de su proxy a esa hora.",
};

const statusHints = new Map([
  [
    401,
    "El servidor pidió autenticación (401). Deje esta ruta sin contraseña y verifique la cabecera Service-Signature.",
  ],
  [
    403,
    "El servidor rechazó la entrega (403). Revise que el cortafuegos o la protección contra robots permita esta ruta.",
  ],
  [404, "La ruta no existe en el servidor (404). Revise la URL del endpoint, letra por letra."],
  [405, "La ruta no acepta POST (405). Habilite el método POST en esa dirección."],
  [410, "El servidor dice que la ruta fue retirada (410). Actualice la URL del endpoint o elimínelo."],
  [413, "El servidor no acepta cuerpos de este tamaño (413). Aumente el límite de tamaño de esa ruta."],
  [415, "El servidor no acepta JSON (415). Permita Content-Type: application/json en esa ruta."],
  [429, "El servidor está limitando las solicitudes (429). Exceptúe del límite las entregas o amplíelo."],
  [500, "El servidor falló al procesar la entrega (500). Busque el error en sus registros a esa hora."],
  [502, "El proxy no alcanzó su aplicación (502). Revise que la aplicación esté en marcha."],
  [503, "El servidor no está disponible (503). Revise si está en mantenimiento o sin capacidad."],
  [504, "La aplicación no le respondió a tiempo a su proxy (504). Responda 2xx primero y procese el evento después."],
]);
