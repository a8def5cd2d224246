import { sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { ApiError } from "../../../lib/errors.ts";
import { personById } from "../person.ts";
import { mailStageCode, tryStage } from "./stage.ts";

/** Mails whoever knows the password and has lost the rest a code with which she comes in without it. */
export async function mailForLostFactors(deps: CoreDeps, stageToken: string | undefined): Promise<void> {
  const now = deps.clock.now();
  const stage = await tryStage(deps.pool, stageToken, now);
  const person = await personById(deps.pool, stage.person_id);
  if (!person || stage.kinds.includes("mailed_code")) throw new ApiError("SECOND_STEP_EXPIRED");
  // Asked for twice, it is the same code, and the mail under way holds it.
  if (stage.lost_at !== null) return;
  await deps.partitions.ensure(now);
  await transaction(deps.pool, async (client) => {
    await client.query(sql`select from people where id = ${person.id} for update`);
    // The tries of a code begin with it.
    await client.query(sql`update sign_in_stages set lost_at = ${now}, attempts = 0 where id = ${stage.id}`);
    await mailStageCode(deps, client, {
      id: stage.id,
      personId: person.id,
      email: person.email,
      accountId: stage.account_id,
      remoteAddress: stage.remote_address,
      userAgent: stage.user_agent,
      isLost: true,
    });
  });
  deps.mail?.emit();
}
