/**
 * Every error an integrator can get, in one place: its status and the Spanish sentence that says what happened and what
 * to do next. A more exact sentence may replace the message where the error arises; the code and status never change.
 */
export const errorCatalogue = {
  VALIDATION_ERROR: {
    status: 400,
    message:
      "La solicitud tiene datos que no cumplen el contrato. Corrija los campos indicados en `errors` y vuelva a enviarla.",
  },
  INVALID_JSON: {
    status: 400,
    message:
      "El cuerpo no es JSON válido. Envíe un objeto JSON en UTF-8 con la cabecera `Content-Type: application/json`.",
  },
  INVALID_CURSOR: {
    status: 400,
    message:
      "El cursor no corresponde a esta lista. Envíe en `starting_after` el `next_cursor` de la página anterior, sin cambios y con los mismos filtros, o empiece sin cursor.",
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    message:
      "Falta la cabecera `Idempotency-Key`. Envíe un valor único por operación, por ejemplo un UUID, y repítalo solo para reintentar.",
  },
  UNAUTHENTICATED: {
    status: 401,
    message:
      "Falta la clave de API. Envíe la cabecera `Authorization: Bearer <clave>` con una clave creada en el portal.",
  },
  INVALID_API_KEY: {
    status: 401,
    message:
      "La clave de API no existe o está mal copiada. Revise que esté completa o cree una nueva en el portal, en Claves API.",
  },
  API_KEY_REVOKED: {
    status: 401,
    message:
      "La clave de API fue revocada. Cree una nueva en el portal, en Claves API, y reemplácela en su integración.",
  },
  API_KEY_EXPIRED: {
    status: 401,
    message:
      "La clave de API venció. Cree o rote una clave en el portal, en Claves API, y reemplácela en su integración.",
  },
  API_KEY_WRONG_ENVIRONMENT: {
    status: 401,
    message: "La clave es de otro ambiente. Use una clave `mst_test_` en pruebas y una `mst_live_` en producción.",
  },
  ACCOUNT_INACTIVE: {
    status: 401,
    message: "La cuenta de este negocio está inactiva. Pida al titular que la reactive con el operador del servicio.",
  },
  PLAN_REQUIRED: {
    status: 403,
    message: "La API y los webhooks hacen parte del plan Pro. Pida al titular de la cuenta que active el plan Pro.",
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message:
      "La clave no tiene el permiso que pide esta operación. Cree en el portal una clave que incluya el permiso indicado en `required_scope`.",
  },
  BROWSER_REQUESTS_NOT_ALLOWED: {
    status: 403,
    message:
      "La API no acepta solicitudes desde un navegador, porque la clave quedaría a la vista. Llámela desde su servidor.",
  },
  NOT_FOUND: {
    status: 404,
    message:
      "El registro no existe en esta cuenta. Revise el identificador; si fue eliminado, consúltelo con `include_deleted=true` donde la ruta lo admite.",
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    message: "Esta ruta o método no existe. Revise la dirección en la referencia de la API.",
  },
  CONFLICT: {
    status: 409,
    message:
      "El registro cambió desde que usted lo leyó. Vuelva a leerlo, aplique su cambio sobre la versión actual y envíelo con el nuevo `ETag`.",
  },
  SKU_ALREADY_EXISTS: {
    status: 409,
    message:
      "El SKU ya lo usa otro producto o variante de la cuenta. Use un SKU distinto o edite el producto que lo tiene.",
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message:
      "Otra solicitud con la misma `Idempotency-Key` aún está en curso. Espere el tiempo de `Retry-After` y repita la misma solicitud.",
  },
  NO_WAREHOUSE: {
    status: 409,
    message:
      "La cuenta no tiene una bodega predeterminada activa. Envíe `warehouse_id` o cree una bodega predeterminada en una caja.",
  },
  DEVICES_OUTDATED: {
    status: 409,
    message:
      "Hay cajas con una versión que no admite este cambio y no se modificó nada. Actualice las cajas de la lista `devices` y repita la solicitud.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: "El cuerpo supera el tamaño permitido. Divida la operación en solicitudes más pequeñas.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message:
      "Esta `Idempotency-Key` ya se usó para otra operación. Genere un valor nuevo para cada operación distinta.",
  },
  VARIANT_STOCK_UNSUPPORTED: {
    status: 422,
    message: "Las variantes no llevan existencias en v1. Registre movimientos solo sobre productos sin variantes.",
  },
  COMPOSITE_STOCK_UNSUPPORTED: {
    status: 422,
    message: "Un producto compuesto no lleva existencias propias. Registre el movimiento sobre sus ingredientes.",
  },
  RATE_LIMITED: {
    status: 429,
    message: "Se superó el límite de solicitudes. Espere los segundos de `Retry-After` y reintente.",
  },
  INTERNAL_ERROR: {
    status: 500,
    message:
      "Ocurrió un error de nuestro lado. Reintente en unos segundos; si continúa, comparta el `request_id` con soporte.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

/** Additional codes of register synchronization. They are not part of the public contract, so its document omits them. */
export const syncErrorCatalogue = {
  DEVICE_REVOKED: {
    status: 401,
    message: "Esta caja fue retirada de la cuenta. Vincúlela de nuevo con un código del portal, en Cajas.",
  },
  DEVICE_FORKED: {
    status: 409,
    message:
      "Este número de envío ya se usó con otro contenido, como pasa al restaurar una copia. Vincule la caja de nuevo y vuelva a enviar lo suyo: nada se duplica.",
  },
  DEVICE_SEQ_GAP: {
    status: 409,
    message: "Faltan envíos anteriores de esta caja. Reenvíe desde el número indicado en `expected`.",
  },
  CURSOR_EXPIRED: {
    status: 410,
    message: "El cursor ya no sirve. Descargue todo de nuevo con el cursor vacío y conserve lo que aún no ha enviado.",
  },
  ENROLMENT_CODE_INVALID: {
    status: 400,
    message: "El código no existe, venció o ya se usó. Pida uno nuevo en el portal, en Cajas.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;
export type SyncErrorCode = keyof typeof syncErrorCatalogue;

/** Additional codes of the portal: same envelope, but not part of the public contract. */
export const portalErrorCatalogue = {
  SESSION_REQUIRED: { status: 401, message: "Su sesión terminó o no existe. Entre de nuevo al portal." },
  SIGN_IN_FAILED: {
    status: 401,
    message: "El correo o la contraseña no coinciden. Revíselos o restablezca su contraseña.",
  },
  SIGN_IN_LOCKED: {
    status: 429,
    message:
      "Hubo demasiados intentos fallidos. Espere los segundos de `Retry-After`, o restablezca su contraseña para entrar ya.",
  },
  FOREIGN_ORIGIN: {
    status: 403,
    message: "La solicitud viene de otro sitio y no se hizo nada. Haga el cambio desde el portal.",
  },
  TOO_MANY_ENDPOINTS: {
    status: 409,
    message: "La cuenta ya tiene 5 endpoints, que es el máximo. Elimine uno antes de agregar otro.",
  },
  ENDPOINT_STATE: {
    status: 409,
    message: "El endpoint no está en un estado que admita este cambio. Vuelva a leerlo y revise su estado.",
  },
  TOO_MANY_KEYS: {
    status: 409,
    message: "La cuenta ya tiene el máximo de claves de API vigentes. Revoque una que no use.",
  },
  KEY_ENDED: {
    status: 409,
    message: "Esta clave ya fue revocada o venció, así que no se puede rotar. Cree una clave nueva.",
  },
  KEY_REPLACED: {
    status: 409,
    message:
      "Esta clave ya se rotó y deja de funcionar cuando termine el plazo que eligió. Rote la clave que la reemplazó.",
  },
  EMAIL_TAKEN: {
    status: 409,
    message: "Ya hay una cuenta con ese correo. Use otro correo.",
  },
  PASSWORD_INCORRECT: { status: 422, message: "La contraseña actual no es correcta. Revísela e intente otra vez." },
  DELIVERY_PENDING: {
    status: 409,
    message: "La entrega todavía está pendiente y se enviará por sí sola. Espere a que termine para reenviarla.",
  },
  EVENT_EXPIRED: {
    status: 410,
    message:
      "El evento de esta entrega ya no está en la bitácora de 30 días. Lea el registro por la API: trae su estado actual.",
  },
  DOCUMENT_NOT_RESENDABLE: {
    status: 409,
    message: "Este documento no se puede reenviar. Solo se reenvía uno rechazado o que no se pudo emitir.",
  },
  CODE_EXPIRED: {
    status: 410,
    message:
      "El código venció, ya se usó o se agotaron sus intentos. Empiece de nuevo y use el código del nuevo correo.",
  },
  CODE_INCORRECT: { status: 422, message: "El código no es correcto. Revise el último correo e intente otra vez." },
  TOO_MANY_CODES: {
    status: 429,
    message:
      "Hoy ya se pidieron demasiados códigos para esta acción y no se confirmaron. Espere los segundos de `Retry-After`.",
  },
  UNDO_EXPIRED: {
    status: 410,
    message:
      "El enlace venció, ya se usó o no está completo. Si ya lo usó, restablezca su contraseña en el ingreso; si no, ábralo otra vez desde el correo.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type PortalErrorCode = keyof typeof portalErrorCatalogue;

/** The codes of all three APIs. A code means the same in each. */
export const everyError = { ...errorCatalogue, ...syncErrorCatalogue, ...portalErrorCatalogue };

export interface ErrorDetails {
  message?: string;
  param?: string | undefined;
  status?: number;
  headers?: Record<string, string>;
  /** Additional properties of the error body, such as `required_scope` or `devices`. */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/** An error response: thrown anywhere while handling a request, written in one place. */
export class ApiError extends Error {
  readonly code: ErrorCode | SyncErrorCode | PortalErrorCode;
  readonly status: number;
  readonly param: string | undefined;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;

  constructor(code: ErrorCode | SyncErrorCode | PortalErrorCode, details: ErrorDetails = {}) {
    // A stack says nothing about a refused request, and capturing it costs more than the refusal itself.
    const { stackTraceLimit } = Error;
    if (everyError[code].status < 500) Error.stackTraceLimit = 0;
    super(details.message ?? everyError[code].message, { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = details.status ?? everyError[code].status;
    this.param = details.param;
    this.headers = details.headers ?? {};
    this.extra = details.extra ?? {};
  }
}

export interface FieldError {
  param: string;
  message: string;
}

/** One or more invalid fields; the first one is named in `param`. */
export function validationError(errors: readonly FieldError[]): ApiError {
  const first = errors[0]!;
  const fields = errors.length === 1 ? `\`${first.param}\`` : `los ${errors.length} campos de \`errors\``;
  return new ApiError("VALIDATION_ERROR", {
    param: first.param,
    message: `${first.message} Corrija ${fields} y repita la solicitud.`,
    extra: { errors },
  });
}

/** A body or query refers to a record that the account does not have. */
export function referenceNotFound(param: string, what: string): ApiError {
  return new ApiError("NOT_FOUND", {
    param,
    message: `No existe ${what} con el identificador enviado en \`${param}\`. Revise el valor; debe ser de esta misma cuenta.`,
  });
}
