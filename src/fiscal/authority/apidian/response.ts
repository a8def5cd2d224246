import { type Fields, isRecord } from "../../findings/finding.ts";
import type { AuthorityResponse } from "../authority.ts";

/**
 * What an HTTP response of APIDIAN means. It is 200 even when the authority rejects, and its JSON is converted XML: only
 * IsValid is a verdict, and nil values are objects. An unreadable response leaves the document in doubt.
 */
export function readResponse(status: number, text: string): AuthorityResponse {
  const body = parse(text);
  if (status === 401 || status === 403)
    return misconfigured(status, messageIn(body) ?? "APIDIAN no aceptó el token de la empresa.");
  if (status === 422)
    return misconfigured(status, validationErrors(body) ?? "APIDIAN no aceptó los datos del documento.");
  const result = findResult(body);
  if (result) return readResult(result, body);
  const fault = find(body, "Fault");
  if (fault !== undefined)
    return misconfigured(
      "SOAP",
      textOf(find(fault, "Text")) ?? textOf(find(fault, "faultstring")) ?? "La DIAN respondió con una falla SOAP.",
    );
  if (status === 404 || status === 405)
    return misconfigured(status, "APIDIAN_URL no lleva al servicio: APIDIAN respondió 404.");
  if (status >= 200 && status < 300 && isRecord(body) && body.success === false) return readFailure(body);
  return { kind: "unavailable", message: `APIDIAN respondió ${status} sin un veredicto.` };
}

/** The authority's words for a number it has, and the provider's own. */
const duplicateWords = /Regla:\s*90\b|procesado anteriormente|ya fue enviado anteriormente/i;

/** Where the verdict is, for each kind of call. */
const resultNames = ["SendBillSyncResult", "GetStatusResult", "GetStatusZipResult", "SendTestSetAsyncResult"];

function findResult(body: unknown): Fields | undefined {
  for (const name of resultNames) {
    const found = first(find(body, name));
    if (!isRecord(found)) continue;
    const inner = first(found.DianResponse);
    return isRecord(inner) ? inner : found;
  }
  return undefined;
}

function readResult(result: Fields, body: unknown): AuthorityResponse {
  const code = textOf(result.StatusCode);
  const rules = rulesIn(result.ErrorMessage);
  const messages = [textOf(result.StatusMessage), textOf(result.StatusDescription)].filter((one) => one !== null);
  const message = rules.length > 0 ? rules.join(" | ") : (messages[0] ?? null);
  const all = [...rules, ...messages].join(" ");

  if (String(textOf(result.IsValid)).toLowerCase() === "true") {
    const key = textOf(result.XmlDocumentKey) ?? (isRecord(body) ? textOf(body.cufe ?? body.cude) : null);
    return {
      kind: "accepted",
      code,
      message: messages[0] ?? message,
      ...(key && isHash(key) && { cufe: key.toLowerCase() }),
      ...signedXml(body),
    };
  }
  const zipKey = textOf(result.ZipKey);
  if (zipKey !== null) return { kind: "processing", message: "Recibido en el set de pruebas.", trackId: zipKey };
  if (duplicateWords.test(all)) return { kind: "duplicate", message: message ?? all };
  if (code === "66" || /TrackId no (existe|encontrad)/i.test(all)) return { kind: "unknown", message: message ?? all };
  if (/no está disponible|no se encuentra disponible/i.test(all)) return { kind: "unavailable", message: all };
  if (code === "89" || code === "2") return { kind: "misconfigured", code, message: message ?? all };
  if (code === "99" || rules.some((rule) => /Rechazo/i.test(rule)))
    return {
      kind: "rejected",
      code: code ?? "99",
      message: message ?? "La DIAN rechazó el documento sin decir por qué.",
    };
  // An empty code, 98 or an unknown one: no verdict yet, so it is queried again.
  return { kind: "processing", message };
}

const mostXmlCharacters = 4 * 1024 * 1024;

/** The signed document comes as base64 beside the verdict. What is no XML is not handed on to a buyer. */
function signedXml(body: unknown): { xml?: string } {
  const text = isRecord(body) ? textOf(body.invoicexml)?.replaceAll(/\s+/g, "") : undefined;
  if (text === undefined || text.length > mostXmlCharacters || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return {};
  const bytes = Buffer.from(text, "base64");
  const start = bytes.subarray(0, 300).toString("utf8").replace("\ufeff", "").trimStart();
  // Written anew: the database does not read base64 without its padding, and the verdict would be lost with it.
  return start.startsWith("<") ? { xml: bytes.toString("base64") } : {};
}

/** APIDIAN's own failures carry no verdict. Some are temporary; the others need a setting corrected. */
function readFailure(body: Fields): AuthorityResponse {
  const message = messageIn(body) ?? "APIDIAN no pudo procesar el documento.";
  if (duplicateWords.test(message)) return { kind: "duplicate", message };
  const temporary =
    /disponible|time-?d? ?out|tiempo de espera|conexi[oó]n|connection|resolve host|cURL error|servidor/i;
  return temporary.test(message) ? { kind: "unavailable", message } : { kind: "misconfigured", code: null, message };
}

function misconfigured(code: number | string, message: string): AuthorityResponse {
  return { kind: "misconfigured", code: String(code), message };
}

/** `{string: "…"}`, `{string: ["…", "…"]}`, plain text, or an empty object for none. */
function rulesIn(errors: unknown): string[] {
  const list = isRecord(errors) ? find(errors, "string") : errors;
  return (Array.isArray(list) ? list : [list]).flatMap((one) => textOf(one) ?? []);
}

function validationErrors(body: unknown): string | null {
  if (!isRecord(body)) return null;
  const fields = isRecord(body.errors) ? Object.entries(body.errors) : [];
  const texts = fields.map(([field, problems]) => `${field}: ${[problems].flat().map(String).join(" ")}`);
  return texts.length > 0 ? texts.join(" | ").slice(0, 1000) : messageIn(body);
}

function messageIn(body: unknown): string | null {
  return isRecord(body) ? textOf(body.message) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

/** The first value with that name, with or without an XML prefix, as deep as a SOAP envelope goes. */
function find(value: unknown, name: string, depth = 8): unknown {
  if (depth === 0 || typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) if (key === name || key.endsWith(`:${name}`)) return item;
  for (const item of Object.values(value)) {
    const found = find(item, name, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text node, however the XML was converted; nil and empty elements carry no text. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!isRecord(value)) return null;
  return textOf(value._value ?? value._text ?? value["#text"] ?? value.$ ?? null);
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{96}$/i.test(text);
}
