import type { Static } from "typebox";
import { maxEmailLength } from "../../../access/accounts/password.ts";
import type { Deps } from "../../../deps.ts";
import { ById, label, nullable } from "../../../engine/resources/fields.ts";
import { mailDocument } from "../../../fiscal/documents/mail-document.ts";
import { defaultLook, readLook, setLook } from "../../../fiscal/profile/look.ts";
import { ApiError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import { documentPaper } from "../../../paper/papers/document-paper.ts";
import { purchasePaper } from "../../../paper/papers/purchase-paper.ts";
import { quotePaper } from "../../../paper/papers/quote-paper.ts";
import { readDocument } from "../../../paper/papers/read-document.ts";
import { returnPaper } from "../../../paper/papers/return-paper.ts";
import { newPress } from "../../../paper/press.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { sendPaper, WidthQuery } from "../documents/send-paper.ts";
import { closingRoutes } from "../shifts/closing-routes.ts";
import { actorOf } from "./session-routes.ts";

const closed = { additionalProperties: false };
const email = Type.String({ format: "email", maxLength: maxEmailLength });
const MailBody = Type.Object({ email: Type.Optional(nullable(email)) }, closed);

const line = (maxLength: number) => Type.Optional(nullable(label(maxLength)));
const LookBody = Type.Object(
  {
    name: line(120),
    address: line(120),
    city: line(80),
    phone: line(40),
    email: Type.Optional(nullable(email)),
    color: Type.String({
      pattern: "^#[0-9a-fA-F]{6}$",
      "x-hints": { pattern: "El color se escribe como #0b6b57." },
    }),
    footer: line(300),
    mails_documents: Type.Boolean(),
  },
  closed,
);

/** The papers of single records, their mail to the buyer, and how they look. */
export function paperRoutes(app: TypedApp, deps: Deps): void {
  const press = newPress();
  app.addHook("onClose", () => press.stop());
  closingRoutes(app, deps, press);

  app.get(
    "/invoices/:id/pdf",
    { config: { right: { any: ["documents:read", "sales:read"] } }, schema: { params: ById, querystring: WidthQuery } },
    async (request, reply) => {
      const facts = await readDocument(deps, request.session.accountId, request.params.id.toLowerCase());
      if (!facts) throw notFound("No existe este documento en la cuenta.");
      return sendPaper(press, request, reply, documentPaper(facts));
    },
  );
  app.get(
    "/quotes/:id/pdf",
    { config: { right: "sales:read" }, schema: { params: ById, querystring: WidthQuery } },
    async (request, reply) => {
      const { accountId } = request.session;
      const paper = await quotePaper(deps, accountId, request.params.id.toLowerCase(), deps.clock.now());
      if (!paper) throw notFound("No existe esta cotización en la cuenta.");
      return sendPaper(press, request, reply, paper);
    },
  );

  app.get(
    "/purchases/:id/pdf",
    { config: { right: "purchases:read" }, schema: { params: ById, querystring: WidthQuery } },
    async (request, reply) => {
      const paper = await purchasePaper(deps, request.session.accountId, request.params.id.toLowerCase());
      if (!paper) throw notFound("No existe esta compra en la cuenta.");
      return sendPaper(press, request, reply, paper);
    },
  );
  app.get(
    "/returns/:id/pdf",
    { config: { right: "sales:read" }, schema: { params: ById, querystring: WidthQuery } },
    async (request, reply) => {
      const paper = await returnPaper(deps, request.session.accountId, request.params.id.toLowerCase());
      if (!paper) throw notFound("No existe esta devolución en la cuenta.");
      return sendPaper(press, request, reply, paper);
    },
  );

  app.post(
    "/invoices/:id/mail",
    { config: { right: "documents:write" }, schema: { params: ById, body: MailBody } },
    async (request, reply) => {
      const to = await mailDocument(deps, request.session.accountId, request.params.id.toLowerCase(), {
        email: request.body.email?.trim() || undefined,
        actor: actorOf(request),
      });
      return reply.code(202).send({ email: to } satisfies Answers["POST /invoices/:id/mail"]);
    },
  );
  lookRoutes(app, deps);
}

function lookRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/look",
    { config: { right: "settings:read" } },
    ({ session }): Promise<Answers["GET /look"]> => readLook(deps.pool, session.accountId),
  );
  app.put(
    "/look",
    { config: { right: "settings:write", ofWhole: true }, schema: { body: LookBody } },
    async (request): Promise<Answers["PUT /look"]> => {
      const { accountId } = request.session;
      await setLook(deps, accountId, { ...defaultLook, ...trimmed(request.body) }, actorOf(request));
      return readLook(deps.pool, accountId);
    },
  );
}

/** An emptied field is one without a value. */
function trimmed(body: Static<typeof LookBody>) {
  const entries = Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]);
  return Object.fromEntries(entries) as Static<typeof LookBody> & { color: string };
}

function notFound(message: string): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message });
}
