import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { securityNoticeMail } from "../../mail/templates.ts";
import { hashPassword } from "../accounts/password.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { endResets } from "./password-reset.ts";
import { storePassword } from "./person.ts";
import { requireStrongPassword } from "./require-strong-password.ts";
import { endSessions, type Session } from "./session.ts";
import { checkPassword } from "./sign-in.ts";

/** Sets a new password for a person who knows the old one. All her other sessions end, of every business. */
export async function changePassword(
  deps: CoreDeps,
  session: Session,
  input: { current_password: string; new_password: string },
  actor: Actor,
): Promise<void> {
  const { accountId, personId, id: sessionId } = session;
  const at = deps.clock.now();
  const person = await checkPassword(deps, session, input.current_password);
  await requireStrongPassword(deps.pool, personId, "new_password", input.new_password);
  const hash = await hashPassword(input.new_password);
  await deps.partitions.ensure(at);
  await transaction(deps.pool, async (client) => {
    await storePassword(client, personId, hash, at);
    await endSessions(client, personId, sessionId);
    await endResets(client, personId, at);
    await recordAudit(client, { accountId, at, action: "password.changed", details: {}, actor });
    const notice = securityNoticeMail(deps.config.publicUrl, {
      title: "cambió la contraseña del portal",
      lines: ["Se cerraron las demás sesiones abiertas."],
    });
    await queueMail(client, accountId, at, notice, person.email);
  });
  deps.mail?.emit();
}
