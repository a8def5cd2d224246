import type { Static } from "typebox";
import { readDocument } from "../../api/portal/documents/read-document.ts";
import { readUnissued } from "../../api/portal/documents/unissued-documents.ts";
import { find } from "../../api/portal/home/find.ts";
import { label, uuid } from "../../engine/resources/fields.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { Type } from "../../lib/schema.ts";
import type { Json } from "../api-calls.ts";
import { defineTool, type ToolContext } from "../tool.ts";
import { defaultShown, limitField } from "./words.ts";

const Unissued = Type.Object({ limit: limitField(50) }, { additionalProperties: false });

export const unissuedDocuments = defineTool({
  name: "unissued_documents",
  title: "Documentos sin emitir",
  description:
    "Los documentos que la DIAN rechazó o que no se pudieron emitir, con la razón en palabras sencillas, y los que esperan respuesta.",
  scopes: ["invoices:read"],
  input: Unissued,
  async run({ limit = defaultShown }: Static<typeof Unissued>, { access: { accountId }, api, deps }) {
    const found = await readUnissued(deps.pool, accountId, { limit: limit + 1 });
    const { body: waiting } = await api.get("/invoices", { status: "pending", limit });
    return {
      unissued: found
        .slice(0, limit)
        .map(({ id, status, document_type, prefix, number, total, means, sale_id, created_at }) => ({
          ...{ id, status, document_type, document: `${prefix ?? ""}${number}`, total, means, sale_id, created_at },
        })),
      has_more: found.length > limit,
      waiting: waiting.data.map((one: Json) => ({
        ...{ id: one.id, document: `${one.prefix ?? ""}${one.number}`, total: one.total, created_at: one.created_at },
      })),
      waiting_has_more: waiting.has_more,
    };
  },
});

const Rejected = Type.Object(
  {
    invoice_id: Type.Optional(uuid({ description: "El documento con este identificador." })),
    document: Type.Optional(label(60, { description: "O su número, con o sin prefijo: SETT 1024." })),
  },
  { additionalProperties: false },
);
type Rejected = Static<typeof Rejected>;

export const explainRejection = defineTool({
  name: "explain_rejection",
  title: "Explicar un rechazo",
  description: "Por qué la DIAN no aceptó un documento, regla por regla, y qué hacer.",
  scopes: ["invoices:read"],
  input: Rejected,
  async run(input: Rejected, context) {
    const { access, deps } = context;
    const id = await idOf(context, input);
    const { document, rules, can_resend } = await readDocument(deps.pool, deps.config, access.accountId, id);
    const { document_type, status, prefix, number, total, dian_status, dian_message, sale_id } = document;
    return {
      document: { id, document: `${prefix ?? ""}${number}`, document_type, status, total, sale_id },
      dian: { status: dian_status, message: dian_message },
      rules: rules.map(({ code, said, is_notice, means, next }) => ({ code, said, is_notice, means, next })),
      next_step: nextStep(status, rules.length > 0, can_resend),
    };
  },
});

function nextStep(status: string, hasRules: boolean, canResend: boolean): string {
  if (status === "issued") return "Este documento está aceptado: no hay nada que corregir.";
  if (status === "pending") return "La DIAN todavía no responde: espere, se pregunta sola.";
  const how = canResend
    ? "Después reenvíelo en el portal, en Documentos."
    : "La caja que lo emitió lo vuelve a enviar.";
  return hasRules ? `Haga lo que dice \`next\` de cada regla. ${how}` : how;
}

async function idOf({ deps, access }: ToolContext, { invoice_id, document }: Rejected): Promise<string> {
  if (invoice_id !== undefined) return invoice_id;
  if (document === undefined)
    throw validationError([{ param: "document", message: "Diga cuál documento: `invoice_id` o `document`." }]);
  const found = await find(deps, { accountId: access.accountId, locationIds: null }, document);
  const ids = found.flatMap((one) => (one.kind === "document" ? [one] : []));
  const [first] = ids.filter(({ status }) => status !== "issued").concat(ids);
  if (!first)
    throw new ApiError("NOT_FOUND", {
      param: "document",
      message: "No hay un documento con ese número en el negocio.",
    });
  return first.id;
}
