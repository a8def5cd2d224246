import type { AuthorityResponse } from "../../authority.ts";
import { childText, findElement, type ReadElement, readAnswerXml } from "../xml/read-xml.ts";

/** A rule that a document met or broke. What does not say its severity is taken for a rejection. */
export interface BrokenRule {
  code: string;
  isRejection: boolean;
  text: string;
}

/**
 * What the authority's service answered to a sending or a question about a document. A fault is an answer: nothing was
 * processed. Anything that is not its SOAP is none: it may have the document.
 */
export function readAnswer(status: number, text: string): AuthorityResponse {
  const envelope = readAnswerXml(text);
  const body = envelope && findElement(envelope, "Body");
  if (!body) return { kind: "unavailable", message: `La DIAN respondió ${status} sin un veredicto.` };
  const fault = findElement(body, "Fault");
  if (fault) return readFault(fault);
  const upload = uploaded(body);
  if (upload) return upload;
  const result = findElement(body, "DianResponse") ?? resultIn(body);
  return result
    ? readResult(result)
    : { kind: "unavailable", message: `La DIAN respondió ${status} sin un veredicto.` };
}

/** What is theirs passes by itself; what is ours (a certificate, an address, a time) does not. */
function readFault(fault: ReadElement): AuthorityResponse {
  const code = findElement(fault, "Value")?.text.trim() ?? "";
  const reason = findElement(fault, "Text")?.text.trim() || "sin decir por qué";
  if (/:(Receiver|Server)$/.test(code))
    return { kind: "unavailable", message: `La DIAN no pudo procesar el envío: ${reason}.` };
  return {
    kind: "misconfigured",
    code: "SOAP",
    message: `La DIAN no aceptó el envío (${reason}). Revise el certificado de firma y la hora del servidor.`,
  };
}

/** A batch or a document of the test set: it has a key under which its verdict can be asked for. */
function uploaded(body: ReadElement): AuthorityResponse | undefined {
  const result = findElement(body, "SendTestSetAsyncResult") ?? findElement(body, "SendBillAsyncResult");
  if (!result) return undefined;
  const trackId = childText(result, "ZipKey");
  if (trackId !== null) return { kind: "processing", message: "Recibido en el set de pruebas.", trackId };
  const message =
    findElement(result, "ProcessedMessage")?.text.trim() || "La DIAN no recibió el envío ni dijo por qué.";
  return { kind: "misconfigured", code: null, message };
}

function resultIn(body: ReadElement): ReadElement | undefined {
  return ["SendBillSyncResult", "GetStatusResult", "GetStatusZipResult"]
    .map((name) => findElement(body, name))
    .find((found) => found?.children.some(({ name }) => name === "IsValid"));
}

function readResult(result: ReadElement): AuthorityResponse {
  const code = childText(result, "StatusCode");
  const rules = rulesIn(result);
  const words = [childText(result, "StatusMessage"), childText(result, "StatusDescription")].filter(
    (one) => one !== null,
  );
  const said = words.join(" ");
  const message = rules.length > 0 ? rules.map(({ text }) => text).join(" | ") : (words[0] ?? null);

  if (childText(result, "IsValid")?.toLowerCase() === "true") {
    const key = childText(result, "XmlDocumentKey")?.toLowerCase();
    return {
      kind: "accepted",
      code,
      message: words[0] ?? message,
      ...(key && /^[0-9a-f]{96}$/.test(key) && { cufe: key }),
    };
  }
  const rejections = rules.filter(({ isRejection }) => isRejection);
  if (rejections.length > 0) return readRejections(rejections, code, message ?? said);
  if (code === "66" || /TrackId no (existe|encontrad)/i.test(said)) return { kind: "unknown", message: said };
  if (/procesado anteriormente/i.test(said)) return { kind: "duplicate", message: said };
  // Of the test set, not of the document, which gets no verdict of its own in it any more.
  if (code === "2" || code === "89") return { kind: "misconfigured", code, message: message ?? said };
  if (code === "99")
    return { kind: "rejected", code, message: message ?? "La DIAN rechazó el documento sin decir por qué." };
  // Without a code, or with 98, it is still at work.
  return { kind: "processing", message };
}

/** Number 90 alone says that it has the document already; 89 and 92, that the business is not enabled. */
function readRejections(rejections: readonly BrokenRule[], code: string | null, message: string): AuthorityResponse {
  const all = (codes: readonly string[]) => rejections.every((rule) => codes.includes(rule.code));
  if (all(["90"])) return { kind: "duplicate", message };
  if (all(["89", "92"])) return { kind: "misconfigured", code: rejections[0]!.code, message };
  return { kind: "rejected", code: code ?? "99", message };
}

/** "Regla: FAD06, Rechazo: text", and the older "Regla: FAD06 text". */
export function rulesIn(result: ReadElement): BrokenRule[] {
  const list = result.children.find(({ name }) => name === "ErrorMessage");
  return (list?.children ?? [])
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .map((text) => ({
      code: /Regla:\s*([A-Z0-9]+)/i.exec(text)?.[1]?.toUpperCase() ?? "",
      isRejection: !/Notificaci[oó]n/i.test(text.slice(0, 60)),
      text,
    }));
}

/** The authority's own signed verdict, which a buyer gets with the document: the XML itself, not an archive. */
export function applicationResponse(text: string): string | undefined {
  const envelope = readAnswerXml(text);
  const base64 = envelope && findElement(envelope, "XmlBase64Bytes")?.text.replaceAll(/\s+/g, "");
  if (!base64) return undefined;
  const xml = Buffer.from(base64, "base64").toString("utf8");
  return xml.replace("\ufeff", "").trimStart().startsWith("<") ? xml : undefined;
}
