import { readSecuritySettings } from "../../../access/people/second-step/security-settings.ts";
import { requireShownFactor } from "../../../access/people/second-step/step-up.ts";
import type { Session } from "../../../access/people/session.ts";
import type { Deps } from "../../../deps.ts";
import { ApiError } from "../../../lib/errors.ts";
import type { readReturnPlan } from "./return-plan.ts";

type Plan = Awaited<ReturnType<typeof readReturnPlan>>;

/** Above the sum that the owner set, a return asks whoever makes it for a second step. */
export async function requireRefundAllowed(deps: Deps, session: Session, plan: () => Promise<Plan>): Promise<void> {
  const { refund_step_up_above } = await readSecuritySettings(deps.pool, session.accountId);
  if (refund_step_up_above === null) return;
  // What cannot be returned, or is returned already, the return itself answers.
  const planned = await plan().catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return undefined;
    throw error;
  });
  if (planned && planned.total > refund_step_up_above) await requireShownFactor(deps, session);
}
