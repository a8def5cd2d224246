import { errorBody } from "../../api/http/error-handler.ts";
import { errorExamples, exampleRequestId } from "../../api/public/openapi/errors.ts";
import { statusTexts } from "../../api/public/openapi/text.ts";
import {
  ApiError,
  type ErrorCode,
  errorCatalogue,
  everyError,
  portalErrorCatalogue,
  syncErrorCatalogue,
} from "../../lib/errors.ts";
import { type Html, html, prose } from "./html.ts";
import { layout, type MenuGroup } from "./layout.ts";

export const errorsPath = "/docs/errores";

type AnyCode = keyof typeof everyError;

/** One anchor per error code of every API, which the `doc_url` of each error links to. */
export function errorsPage(publicUrl: string, menu: readonly MenuGroup[]): string {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const examples = errorExamples(publicUrl) as Record<string, { value: object }>;
  const groups = [...Map.groupBy(codes, (code) => errorCatalogue[code].status)];
  const body = html`
<h1>Códigos de error</h1>
<p>Todas las respuestas de error tienen la misma forma. Decida con <code>code</code> y con el estado HTTP, que no cambian; el texto de <code>message</code> puede ser más exacto que el de esta página. Si pide soporte, envíe el <code>request_id</code>.</p>
<pre>${JSON.stringify(examples.NOT_FOUND!.value, null, 2)}</pre>
<ul class="index">${codes.map((code) => html`<li><a href="#${code}">${code}</a></li>`)}</ul>
${groups.map(
  ([status, group]) => html`<section><h2>${status} · ${statusTexts[status]!}</h2>
${group.map((code) => article(code, examples[code]?.value))}</section>`,
)}
${internalApis.map(
  ({ title, text, catalogue }) => html`<section><h2>${title}</h2>
<p>${prose(text)}</p>
${(Object.keys(catalogue) as AnyCode[]).map((code) => article(code, errorBody(new ApiError(code), exampleRequestId, publicUrl)))}</section>`,
)}`;
  return layout({ title: "Códigos de error", path: errorsPath, body, menu });
}

/** Additional codes of the APIs outside the public contract. */
const internalApis = [
  {
    title: "Sincronización de cajas",
    text: "Los recibe una caja en `/sync/v1`, además de los anteriores. Una integración con la API pública no los ve.",
    catalogue: syncErrorCatalogue,
  },
  {
    title: "Portal de la cuenta",
    text: "Los muestra el portal, además de los anteriores. Una integración con la API pública no los ve.",
    catalogue: portalErrorCatalogue,
  },
];

function article(code: AnyCode, example: object | undefined): Html {
  const { status, message } = everyError[code];
  const { meaning, nextStep } = splitMessage(message);
  const note = notes[code];
  const noteParagraphs = note === undefined ? [] : [html`<p>${prose(note)}</p>`];
  const shown = example
    ? [html`<details><summary>Ejemplo</summary><pre>${JSON.stringify(example, null, 2)}</pre></details>`]
    : [];
  return html`<article class="error" id="${code}">
<h3><a href="#${code}">${code}</a> <span>HTTP ${status}</span></h3>
<p>${prose(meaning)}</p>
<p><strong>Qué hacer:</strong> ${prose(nextStep)}</p>
${[...noteParagraphs, ...shown]}
</article>`;
}

/** Every message first says what happened and then what to do. */
export function splitMessage(message: string): { meaning: string; nextStep: string } {
  const end = message.indexOf(". ") + 1;
  return { meaning: message.slice(0, end), nextStep: message.slice(end + 1) };
}

/** Additional properties or headers of an error. */
const notes: Partial<Record<AnyCode, string>> = {
  VALIDATION_ERROR:
    "`errors` trae todos los campos que fallan, cada uno con `param` y `message`; el primero se repite en `param`. Un campo o parámetro desconocido también es un error.",
  INSUFFICIENT_SCOPE: "`required_scope` dice el permiso que falta.",
  ROUTE_NOT_FOUND: "Si la ruta existe con otro método, la cabecera `Allow` dice cuáles admite.",
  NOT_FOUND:
    "Un registro de otra cuenta tampoco existe para esta clave. Si el cuerpo nombra un registro que no existe, `param` dice el campo.",
  CONFLICT:
    "También lo responden las bodegas, con `param`: cerrar la predeterminada o quitarle `is_default` mientras hay otras abiertas (`PATCH /warehouses/{id}`), y registrar existencias en una bodega cerrada (`warehouse_id`). Ahí el `message` dice qué hacer; leer de nuevo no basta.",
  DEVICE_SEQ_GAP: "`expected` dice el número que falta.",
  DEVICES_OUTDATED: "`devices` trae cada caja por actualizar: `id`, `name`, `app_version` y `last_seen_at`.",
  IDEMPOTENCY_IN_PROGRESS: "La respuesta trae la cabecera `Retry-After`.",
  PAYLOAD_TOO_LARGE: "El límite es de 256 KiB por solicitud.",
  RATE_LIMITED:
    "El límite es por clave; las autenticaciones fallidas, con una clave desconocida o mal escrita, se limitan por dirección, y una clave válida pasa siempre. Las cabeceras `RateLimit-*` dicen cuánto queda.",
  INTERNAL_ERROR:
    "Responde 500, o 503 con `Retry-After` cuando el servicio no está disponible por un momento. Repita un POST con la misma `Idempotency-Key`: no se hará dos veces.",
};
