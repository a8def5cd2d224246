import type { Deps } from "../../../deps.ts";
import { ById, label, nullable, optional, uuid } from "../../../engine/resources/fields.ts";
import { returnSale } from "../../../fiscal/corrections/return-sale.ts";
import { switchToInvoice } from "../../../fiscal/corrections/switch-to-invoice.ts";
import { CorrectionError } from "../../../fiscal/returns/correction-error.ts";
import type { WantedLine } from "../../../fiscal/returns/plan-return.ts";
import { ApiError, type PortalErrorCode } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { actorOf } from "../settings/session-routes.ts";
import { refundLimit } from "./refund-limit.ts";
import { readReturnPlan } from "./return-plan.ts";

const closed = { additionalProperties: false };
const maxLines = 500;

const lines = Type.Array(
  Type.Object(
    {
      item_id: uuid(),
      quantity: Type.Number({ exclusiveMinimum: 0, maximum: 999_999_999, "x-max-decimals": 6 }),
    },
    closed,
  ),
  { minItems: 1, maxItems: maxLines },
);
const PlanBody = Type.Object({ lines }, closed);

const ReturnBody = Type.Object(
  {
    /** Sent again, it names the same return. */
    id: optional(uuid()),
    lines,
    payment_method: label(40),
    /** The open shift whose drawer pays in cash; null if the money comes from elsewhere. */
    cash_session_id: Type.Optional(nullable(uuid())),
    reason: optional(label(200)),
  },
  closed,
);

const InvoiceBody = Type.Object({ customer_id: uuid() }, closed);

/** What the owner does after a sale: take something back, or give its buyer an invoice. */
export function correctionRoutes(app: TypedApp, deps: Deps): void {
  // What the return below would give back; nothing is recorded.
  app.post(
    "/sales/:id/return-plan",
    { config: { right: "sales:correct" }, schema: { params: ById, body: PlanBody } },
    ({ session, params, body }): Promise<Answers["POST /sales/:id/return-plan"]> =>
      explaining(
        "RETURN_NOT_POSSIBLE",
        readReturnPlan(deps.pool, session.accountId, params.id.toLowerCase(), body.lines.map(lowerLine)),
      ),
  );
  app.post(
    "/sales/:id/returns",
    { config: { right: "sales:correct" }, schema: { params: ById, body: ReturnBody } },
    async (request, reply) => {
      const { id, lines, payment_method, cash_session_id, reason } = request.body;
      const asked = {
        id: id?.toLowerCase(),
        lines: lines.map(lowerLine),
        payment_method,
        cash_session_id: cash_session_id?.toLowerCase() ?? cash_session_id,
        reason: reason ?? null,
      };
      const by = { actor: actorOf(request), requestId: request.id, allow: refundLimit(request.session) };
      const { record, sale, isNew } = await explaining(
        "RETURN_NOT_POSSIBLE",
        returnSale(deps, request.session.accountId, request.params.id.toLowerCase(), asked, by),
      );
      const answer: Answers["POST /sales/:id/returns"] = { return: record, sale };
      return reply.code(isNew ? 201 : 200).send(answer);
    },
  );

  app.post(
    "/sales/:id/invoice",
    { config: { right: "sales:correct" }, schema: { params: ById, body: InvoiceBody } },
    async (request, reply) => {
      const by = { actor: actorOf(request), requestId: request.id };
      const sale = await explaining(
        "SWITCH_NOT_POSSIBLE",
        switchToInvoice(
          deps,
          request.session.accountId,
          request.params.id.toLowerCase(),
          request.body.customer_id.toLowerCase(),
          by,
        ),
      );
      const answer: Answers["POST /sales/:id/invoice"] = { sale };
      return reply.code(202).send(answer);
    },
  );
}

function lowerLine({ item_id, quantity }: WantedLine): WantedLine {
  return { item_id: item_id.toLowerCase(), quantity };
}

/** A refusal in the words of the rule that refused. */
async function explaining<T>(code: PortalErrorCode, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CorrectionError)) throw error;
    throw new ApiError(code, { message: error.message, param: error.param, cause: error });
  }
}
