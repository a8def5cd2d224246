import { Type } from "typebox";
import { hashPassword, longestEmail, longestPassword } from "../../access/accounts/password.ts";
import { recordAudit } from "../../access/accounts/record-audit.ts";
import { endResets, newPassword } from "../../access/people/password-reset.ts";
import { requireStrongPassword } from "../../access/people/require-strong-password.ts";
import { idleMs } from "../../access/people/session.ts";
import { checkPassword } from "../../access/people/sign-in.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { ById, page } from "../../engine/resources/fields.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { securityNoticeMail } from "../../mail/templates.ts";
import type { TypedApp } from "../public/public-app.ts";
import { requestConfirmation } from "./confirmations.ts";
import { paged } from "./paging.ts";
import { actorOf } from "./session-routes.ts";
import { typedName } from "./typed-name.ts";

const closed = { additionalProperties: false };
const Name = Type.Object({ name: typedName(120) }, closed);
const current = Type.String({ minLength: 1, maxLength: longestPassword });
const Email = Type.Object(
  { email: Type.String({ format: "email", maxLength: longestEmail }), current_password: current },
  closed,
);
const Password = Type.Object({ current_password: current, new_password: newPassword }, closed);
const Page = Type.Object({ ...page }, closed);

/** The account itself: its name, its owner's address and password, the sessions, and the audit log. */
export function accountRoutes(app: TypedApp, deps: Deps): void {
  app.get("/account", (request) => readAccount(request.session.accountId));
  app.patch("/account", { schema: { body: Name } }, async (request) => {
    const { accountId } = request.session;
    const now = deps.clock.now();
    const name = request.body.name.trim();
    await transaction(deps.pool, async (client) => {
      const before = await client.query<{ name: string }>(
        sql`select name from accounts where id = ${accountId} for update`,
      );
      await client.query(sql`update accounts set name = ${name}, updated_at = ${now} where id = ${accountId}`);
      const details = { old_name: before.rows[0]!.name, name };
      await recordAudit(client, { accountId, at: now, action: "account.renamed", details, actor: actorOf(request) });
    });
    return readAccount(accountId);
  });
  app.post("/account/email", { schema: { body: Email } }, async (request, reply) => {
    const { session } = request;
    const email = request.body.email.trim();
    await checkPassword(deps, session, request.body.current_password);
    const { email: old_email } = await readAccount(session.accountId);
    if (email === old_email)
      throw validationError([{ param: "email", message: "Es el mismo correo que ya tiene la cuenta." }]);
    const taken = await deps.pool.query(
      sql`select 1 from accounts where lower(email) = ${email.toLowerCase()} and id <> ${session.accountId}`,
    );
    if (taken.rowCount !== 0) throw new ApiError("EMAIL_TAKEN", { param: "email" });
    return reply.code(202).send(await requestConfirmation(deps, session, "account.change_email", { email, old_email }));
  });
  app.post("/account/password", { schema: { body: Password } }, async (request, reply) => {
    const { accountId, id: sessionId } = request.session;
    const now = deps.clock.now();
    await checkPassword(deps, request.session, request.body.current_password);
    await requireStrongPassword(deps.pool, accountId, "new_password", request.body.new_password);
    const hash = await hashPassword(request.body.new_password);
    await deps.partitions.ensure(now);
    await transaction(deps.pool, async (client) => {
      await client.query(sql`update accounts set password_hash = ${hash}, updated_at = ${now} where id = ${accountId}`);
      await client.query(sql`delete from portal_sessions where account_id = ${accountId} and id <> ${sessionId}`);
      await endResets(client, accountId, now);
      await recordAudit(client, {
        accountId,
        at: now,
        action: "password.changed",
        details: {},
        actor: actorOf(request),
      });
      const notice = securityNoticeMail(deps.config.publicUrl, {
        title: "cambió la contraseña del portal",
        lines: ["Se cerraron las demás sesiones abiertas."],
      });
      await queueMail(client, accountId, now, notice);
    });
    deps.mail?.emit();
    return reply.code(204).send();
  });

  app.get("/sessions", async (request) => {
    const { accountId, id } = request.session;
    const now = deps.clock.now();
    const { rows } = await deps.pool.query(sql`
      select id, created_at, last_seen_at, expires_at, remote_address, user_agent from portal_sessions
      where account_id = ${accountId} and expires_at > ${now} and last_seen_at > ${new Date(now.getTime() - idleMs)}
      order by last_seen_at desc, id desc limit 100`);
    return { object: "list", data: rows.map((row) => ({ ...row, is_current: row.id === id })) };
  });
  app.delete("/sessions/:id", { schema: { params: ById } }, async (request, reply) => {
    const { accountId } = request.session;
    const { id } = request.params;
    await transaction(deps.pool, async (client) => {
      const { rowCount } = await client.query(
        sql`delete from portal_sessions where account_id = ${accountId} and id = ${id}`,
      );
      if (rowCount === 0) throw new ApiError("NOT_FOUND", { param: "id", message: "Esa sesión ya no está abierta." });
      const entry = { action: "session.revoked", details: { session_id: id }, actor: actorOf(request) };
      await recordAudit(client, { accountId, at: deps.clock.now(), ...entry });
    });
    return reply.code(204).send();
  });

  app.get("/audit-log", { schema: { querystring: Page } }, (request) => {
    const { accountId } = request.session;
    return paged(deps, { route: "audit-log", accountId, query: request.query }, async (limit, after) => {
      const { rows } = await deps.pool.query<{ id: string; created_at: Date; details: string }>(sql`
        select id, created_at, action, details, actor, session_id, remote_address from audit_log
        where account_id = ${accountId}
          and (${after?.createdAt ?? null}::timestamptz is null or (created_at, id) < (${after?.createdAt ?? null}, ${after?.id ?? null}::uuid))
        order by created_at desc, id desc limit ${limit}`);
      return rows.map((row) => ({ ...row, details: JSON.parse(row.details) as object }));
    });
  });

  async function readAccount(accountId: string): Promise<{ id: string; name: string; email: string }> {
    const { rows } = await deps.pool.query(
      sql`select id, name, email, plan, active, created_at from accounts where id = ${accountId}`,
    );
    return rows[0];
  }
}
