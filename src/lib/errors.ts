/**
 * Every error an integrator can get, in one place: its status and the Spanish sentence that says what happened and what
 * to do next. A more exact sentence may replace the message where the error arises; the code and status never change.
 */
export const errorCatalogue = {
  ...withStatus(400, {
    VALIDATION_ERROR:
      "La solicitud tiene datos que no cumplen el contrato. Corrija los campos indicados en `errors` y vuelva a enviarla.",
    INVALID_JSON:
      "El cuerpo no es JSON válido. Envíe un objeto JSON en UTF-8 con la cabecera `Content-Type: application/json`.",
    INVALID_CURSOR:
      "El cursor no corresponde a esta lista. Envíe en `starting_after` el `next_cursor` de la página anterior, sin cambios y con los mismos filtros, o empiece sin cursor.",
    IDEMPOTENCY_KEY_REQUIRED:
      "Falta la cabecera `Idempotency-Key`. Envíe un valor único por operación, por ejemplo un UUID, y repítalo solo para reintentar.",
  }),
  ...withStatus(401, {
    UNAUTHENTICATED:
      "Falta la clave de API. Envíe la cabecera `Authorization: Bearer <clave>` con una clave creada en el portal.",
    INVALID_API_KEY:
      "La clave de API no existe o está mal copiada. Revise que esté completa o cree una nueva en el portal, en Claves API.",
    API_KEY_REVOKED:
      "La clave de API fue revocada. Cree una nueva en el portal, en Claves API, y reemplácela en su integración.",
    API_KEY_EXPIRED:
      "La clave de API venció. Cree o rote una clave en el portal, en Claves API, y reemplácela en su integración.",
    API_KEY_WRONG_ENVIRONMENT:
      "La clave es de otro ambiente. Use una clave `mst_test_` en pruebas y una `mst_live_` en producción.",
    ACCOUNT_INACTIVE:
      "La cuenta de este negocio está inactiva. Pida al titular que la reactive con el operador del servicio.",
  }),
  ...withStatus(403, {
    PLAN_REQUIRED:
      "La API y los webhooks hacen parte del plan Pro. Pida al titular de la cuenta que active el plan Pro.",
    INSUFFICIENT_SCOPE:
      "La clave no tiene el permiso que pide esta operación. Cree en el portal una clave que incluya el permiso indicado en `required_scope`.",
    ADDRESS_NOT_ALLOWED:
      "La clave no se puede usar desde esta dirección IP. Use una de las que tiene permitidas, o pida al titular que agregue la suya en el portal, en «Claves API».",
    BROWSER_REQUESTS_NOT_ALLOWED:
      "La API no acepta solicitudes desde un navegador, porque la clave quedaría a la vista. Llámela desde su servidor.",
  }),
  ...withStatus(404, {
    NOT_FOUND:
      "El registro no existe en esta cuenta. Revise el identificador; si fue eliminado, consúltelo con `include_deleted=true` donde la ruta lo admite.",
    ROUTE_NOT_FOUND: "Esta ruta o método no existe. Revise la dirección en la referencia de la API.",
  }),
  ...withStatus(409, {
    CONFLICT:
      "El registro cambió desde que usted lo leyó. Vuelva a leerlo, aplique su cambio sobre la versión actual y envíelo con el nuevo `ETag`.",
    SKU_ALREADY_EXISTS:
      "El SKU ya lo usa otro producto o variante de la cuenta. Use un SKU distinto o edite el producto que lo tiene.",
    IDEMPOTENCY_IN_PROGRESS:
      "Otra solicitud con la misma `Idempotency-Key` aún está en curso. Espere el tiempo de `Retry-After` y repita la misma solicitud.",
    NO_WAREHOUSE:
      "Todas las bodegas de la cuenta están cerradas. Cree otra o abra una de ellas: en el portal, en Ajustes → Bodegas, o con POST /warehouses o PATCH /warehouses/{id}.",
    DEVICES_OUTDATED:
      "Hay cajas con una versión que no admite este cambio y no se modificó nada. Actualice las cajas de la lista `devices` y repita la solicitud.",
  }),
  ...withStatus(413, {
    PAYLOAD_TOO_LARGE: "El cuerpo supera el tamaño permitido. Divida la operación en solicitudes más pequeñas.",
  }),
  ...withStatus(422, {
    IDEMPOTENCY_KEY_REUSED:
      "Esta `Idempotency-Key` ya se usó para otra operación. Genere un valor nuevo para cada operación distinta.",
    VARIANT_STOCK_UNSUPPORTED:
      "Las variantes no llevan existencias en v1. Registre movimientos solo sobre productos sin variantes.",
    COMPOSITE_STOCK_UNSUPPORTED:
      "Un producto compuesto no lleva existencias propias. Registre el movimiento sobre sus ingredientes.",
  }),
  ...withStatus(429, {
    RATE_LIMITED: "Se superó el límite de solicitudes. Espere los segundos de `Retry-After` y reintente.",
  }),
  ...withStatus(500, {
    INTERNAL_ERROR:
      "Ocurrió un error de nuestro lado. Reintente en unos segundos; si continúa, comparta el `request_id` con soporte.",
  }),
};

/** Additional codes of register synchronization. They are not part of the public contract. */
export const syncErrorCatalogue = {
  ...withStatus(400, {
    ENROLMENT_CODE_INVALID: "El código no existe, venció o ya se usó. Pida uno nuevo en el portal, en Cajas.",
  }),
  ...withStatus(401, {
    DEVICE_REVOKED: "Esta caja fue retirada de la cuenta. Vincúlela de nuevo con un código del portal, en Cajas.",
  }),
  ...withStatus(409, {
    DEVICE_FORKED:
      "Este número de envío ya se usó con otro contenido, como pasa al restaurar una copia. Vincule la caja de nuevo y vuelva a enviar lo suyo: nada se duplica.",
    DEVICE_SEQ_GAP: "Faltan envíos anteriores de esta caja. Reenvíe desde el número indicado en `expected`.",
  }),
  ...withStatus(410, {
    CURSOR_EXPIRED:
      "El cursor ya no sirve. Descargue todo de nuevo con el cursor vacío y conserve lo que aún no ha enviado.",
  }),
};

export type ErrorCode = keyof typeof errorCatalogue;
export type SyncErrorCode = keyof typeof syncErrorCatalogue;

/** Additional codes of the portal: same envelope, but not part of the public contract. */
export const portalErrorCatalogue = {
  ...withStatus(401, {
    SESSION_REQUIRED: "Su sesión terminó o no existe. Entre de nuevo al portal.",
    SECOND_STEP_EXPIRED:
      "Pasó demasiado tiempo, hubo demasiados intentos o el ingreso empezó en otro navegador. Escriba de nuevo su correo y su contraseña.",
    SIGN_IN_FAILED: "El correo o la contraseña no coinciden. Revíselos o restablezca su contraseña.",
  }),
  ...withStatus(403, {
    INSUFFICIENT_RIGHTS: "Su rol en este negocio no permite esto. Pídaselo a quien es dueño.",
    SECOND_STEP_DEMANDED:
      "Este negocio pide a todos un segundo paso y usted todavía no tiene uno. Agréguelo en Ajustes → Seguridad → Segundo paso y siga.",
    FROZEN:
      "De un cambio como este se dijo «no fui yo», y por 72 horas no se puede repetir, tampoco si lo dijo usted. Si es urgente, pídaselo a otro dueño.",
    STEP_UP_REQUIRED: "Para este cambio muestre otra vez su segundo paso. Vale por diez minutos.",
    SIGN_UP_CLOSED: "Aquí no se abren negocios por esta página. Hable con quien opera este Mostrador.",
    NO_BUSINESS:
      "Su correo y su contraseña son correctos, pero ya no hace parte de ningún negocio. Pida al dueño que lo invite de nuevo.",
    FOREIGN_ORIGIN: "La solicitud viene de otro sitio y no se hizo nada. Haga el cambio desde el portal.",
  }),
  ...withStatus(409, {
    TOO_MANY_ENDPOINTS: "La cuenta ya tiene 5 endpoints, que es el máximo. Elimine uno antes de agregar otro.",
    ENDPOINT_STATE: "El endpoint no está en un estado que admita este cambio. Vuelva a leerlo y revise su estado.",
    TOO_MANY_KEYS: "La cuenta ya tiene el máximo de claves de API vigentes. Revoque una que no use.",
    TOO_MANY_INVITATIONS:
      "Ya hay 20 invitaciones abiertas, que es el máximo. Retire en Personas una que ya no haga falta y envíe esta otra vez.",
    TOO_MANY_FACTORS: "Ya tiene el máximo de segundos pasos de esta clase. Quite uno que no use y agregue el nuevo.",
    BUSINESS_CHANGED:
      "En otra pestaña de este navegador se pasó a otro negocio, y aquí no se hizo nada. Recargue la página para seguir en ese, o vuelva a este con el menú del nombre.",
    KEY_ENDED: "Esta clave ya fue revocada o venció, así que no se puede rotar. Cree una clave nueva.",
    KEY_REPLACED:
      "Esta clave ya se rotó y deja de funcionar cuando termine el plazo que eligió. Rote la clave que la reemplazó.",
    LAST_OWNER: "Es el único dueño del negocio. Dé primero ese rol a otra persona.",
    ROLE_IN_USE: "Alguien tiene este rol, o una invitación lo da. Cambie primero su rol.",
    EMAIL_TAKEN: "Ya hay alguien con ese correo. Use otro correo.",
    DELIVERY_PENDING:
      "La entrega todavía está pendiente y se enviará por sí sola. Espere a que termine para reenviarla.",
    DELIVERY_ENDED: "La entrega ya terminó y no tiene más intentos pendientes. Reenvíela para intentarlo otra vez.",
    RETURN_NOT_POSSIBLE: "La devolución no se puede hacer así. Revise la venta, sus devoluciones y el medio de pago.",
    SWITCH_NOT_POSSIBLE:
      "El documento de esta venta no se puede cambiar por una factura. Revise la venta y el cliente.",
    DOCUMENT_NOT_RESENDABLE:
      "Este documento no se puede reenviar. Solo se reenvía uno rechazado o que no se pudo emitir.",
    DOCUMENT_NOT_MAILABLE:
      "Este documento todavía no está aceptado, así que no se envía al cliente. Espere el veredicto de la DIAN o corríjalo y reenvíelo.",
  }),
  ...withStatus(410, {
    EVENT_EXPIRED:
      "El evento de esta entrega ya no está en la bitácora de 30 días. Lea el registro por la API: trae su estado actual.",
    CODE_EXPIRED:
      "El código venció, ya se usó o se agotaron sus intentos. Empiece de nuevo y use el código del nuevo correo.",
    INVITATION_EXPIRED: "La invitación venció, ya se usó o la retiraron. Pida a quien lo invitó que le envíe otra.",
    OBJECTION_EXPIRED:
      "El enlace venció, ya se usó o no está completo. Ábralo otra vez desde el correo, o entre a Ajustes → Seguridad.",
    UNDO_EXPIRED:
      "El enlace venció, ya se usó o no está completo. Si ya lo usó, restablezca su contraseña en el ingreso; si no, ábralo otra vez desde el correo.",
  }),
  ...withStatus(422, {
    WRONG_SECOND_STEP: "Así no se confirma este ingreso. Use una de las formas que se le ofrecen.",
    PASSWORD_INCORRECT: "La contraseña actual no es correcta. Revísela e intente otra vez.",
    CODE_INCORRECT: "El código no es correcto. Revise el último correo e intente otra vez.",
  }),
  ...withStatus(429, {
    SIGN_IN_LOCKED:
      "Hubo demasiados intentos fallidos. Espere los segundos de `Retry-After`, o restablezca su contraseña para entrar ya.",
    SECOND_STEP_LOCKED:
      "Hubo demasiados códigos equivocados. Espere los segundos de `Retry-After` y escriba el que su aplicación muestre entonces.",
    TOO_MANY_CODES:
      "Hoy ya se pidieron demasiados códigos para esta acción y no se confirmaron. Espere los segundos de `Retry-After`.",
  }),
};

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

function withStatus<Code extends string>(status: number, messages: Record<Code, string>) {
  const entries = Object.entries<string>(messages).map(([code, message]) => [code, { status, message }]);
  return Object.fromEntries(entries) as Record<Code, { status: number; message: string }>;
}
