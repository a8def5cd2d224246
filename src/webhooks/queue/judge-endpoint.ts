import { withAccountLock } from "../../access/accounts/account-lock.ts";
import { recordAudit, theService } from "../../access/accounts/record-audit.ts";
import { addressesFor } from "../../access/people/alert-people.ts";
import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { dropPending } from "../../engine/deliveries/drop-pending.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { type Mail, queueMail } from "../../mail/queue-mail.ts";
import { endpointDeactivatedMail, endpointFailingMail } from "../../mail/templates.ts";
import { judgeHealth } from "../endpoints/endpoint-health.ts";
import { refreshFansOut } from "../endpoints/store.ts";
import type { FailingEndpoint } from "./record-results.ts";

/** Whether a failure calls for deactivation or for the half-way notice. Most call for neither, and cost no query. */
export function needsJudgement({ health, noticeFor }: FailingEndpoint, at: Date): boolean {
  const verdict = judgeHealth(health, at);
  if (verdict === "half_way") return noticeFor?.getTime() !== health.failingSince?.getTime();
  return verdict === "deactivate";
}

/** Judges an endpoint again under its account's clock; its status, its pending deliveries and the mail change together. */
export async function judgeEndpoint(deps: CoreDeps, failing: FailingEndpoint, at: Date): Promise<void> {
  const { accountId, endpointId } = failing;
  await deps.partitions.ensure(at);
  await withAccountLock(deps, accountId, async (client) => {
    const { rows } = await client.query(sql`
      select url, status, consecutive_failures, failing_since, notice_for from webhook_endpoints
      where account_id = ${accountId} and id = ${endpointId} for update`);
    const endpoint = rows[0];
    // Paused, deleted or deactivated in the meantime.
    if (endpoint?.status !== "active") return;
    const health = { consecutiveFailures: endpoint.consecutive_failures, failingSince: endpoint.failing_since };
    const verdict = judgeHealth(health, at);
    const facts = {
      url: endpoint.url,
      failures: health.consecutiveFailures,
      // It may have recovered meanwhile: then nobody is told.
      failingSince: health.failingSince ?? at,
    };
    if (verdict === "deactivate") {
      await client.query(sql`
        update webhook_endpoints set status = 'deactivated', updated_at = ${at}, to_announce = array_append(to_announce, 'deactivated')
        where account_id = ${accountId} and id = ${endpointId}`);
      const dropped = await dropPending(client, accountId, { endpointId, now: at });
      await refreshFansOut(client, accountId);
      await recordAudit(client, {
        accountId,
        at,
        action: "webhook_endpoint.deactivated",
        details: { endpoint_id: endpointId, url: facts.url, failures: facts.failures, dropped },
        actor: theService,
      });
      await tell(client, accountId, at, endpointDeactivatedMail(deps.config.publicUrl, { ...facts, dropped }));
    } else if (verdict === "half_way" && endpoint.notice_for?.getTime() !== health.failingSince?.getTime()) {
      await client.query(sql`
        update webhook_endpoints set notice_for = failing_since, to_announce = array_append(to_announce, 'failing')
        where account_id = ${accountId} and id = ${endpointId}`);
      await tell(client, accountId, at, endpointFailingMail(deps.config.publicUrl, facts));
    }
  });
}

async function tell(client: Client, accountId: string, at: Date, mail: Mail): Promise<void> {
  for (const email of await addressesFor(client, accountId, "webhook_failing"))
    await queueMail(client, accountId, at, mail, email);
}
