import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { securityNoticeMail } from "../../mail/templates.ts";
import { hashPassword } from "../accounts/password.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { endResets } from "./password-reset.ts";
import { requireStrongPassword } from "./require-strong-password.ts";
import type { Session } from "./session.ts";
import { checkPassword } from "./sign-in.ts";

/** Sets a new password for an owner who knows the old one. All other sessions end. */
export async function changePassword(
  deps: CoreDeps,
  session: Session,
  input: { current_password: string; new_password: string },
  actor: Actor,
): Promise<void> {
  const { accountId, id: sessionId } = session;
  const at = deps.clock.now();
  await checkPassword(deps, session, input.current_password);
  await requireStrongPassword(deps.pool, accountId, "new_password", input.new_password);
  const hash = await hashPassword(input.new_password);
  await deps.partitions.ensure(at);
  await transaction(deps.pool, async (client) => {
    await client.query(sql`update accounts set password_hash = ${hash}, updated_at = ${at} where id = ${accountId}`);
    await client.query(sql`delete from portal_sessions where account_id = ${accountId} and id <> ${sessionId}`);
    await endResets(client, accountId, at);
    await recordAudit(client, { accountId, at, action: "password.changed", details: {}, actor });
    const notice = securityNoticeMail(deps.config.publicUrl, {
      title: "cambió la contraseña del portal",
      lines: ["Se cerraron las demás sesiones abiertas."],
    });
    await queueMail(client, accountId, at, notice);
  });
  deps.mail?.emit();
}
