import type { FastifyInstance } from "fastify";
import { isFromHere } from "../../api/http/from-here.ts";
import { sql } from "../../db/sql.ts";
import type { Deps } from "../../deps.ts";
import { escapeHtml } from "../../lib/escape-html.ts";
import { mailboxPath } from "../../mail/transport.ts";
import { typefaceCss, typefacePreload } from "../typeface/routes.ts";

const shown = 200;

/** The mailbox of a test installation without SMTP, newest first: HTML for people, JSON for scripts that accept it. It shows codes. */
export function mailboxRoutes(app: FastifyInstance, deps: Deps): void {
  const { devMail } = deps.config;
  if (devMail === "off") return;
  app.get(mailboxPath, async (request, reply) => {
    if (devMail === "local" && !isFromHere(request)) return reply.callNotFound();
    const { rows } = await deps.pool.query<{ to: string; subject: string; text: string; sent_at: Date }>(sql`
      select recipient as to, subject, body_text as text, created_at as sent_at from mails
      order by created_at desc, id desc limit ${shown}`);
    void reply.header("cache-control", "no-store");
    if (request.headers.accept?.includes("application/json")) return rows;
    return reply.type("text/html; charset=utf-8").send(page(rows));
  });
}

function page(mails: readonly { to: string; subject: string; text: string; sent_at: Date }[]): string {
  const articles = mails.map(
    (mail) => `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p><small>Para ${escapeHtml(mail.to)} · <time>${mail.sent_at.toISOString()}</time></small></p>
<pre>${escapeHtml(mail.text)}</pre>
</article>`,
  );
  return `<!doctype html>
<html lang="es-CO"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Buzón de pruebas</title>
${typefacePreload}
<style>${typefaceCss}body{font-family:var(--typeface);max-width:44rem;margin:2rem auto;padding:0 1rem}article{border-top:1px solid #ccc}pre{white-space:pre-wrap}</style>
</head><body><h1>Buzón de pruebas</h1>
<p>Los correos que saldrían por SMTP. Este buzón solo existe en el ambiente de pruebas.</p>
${articles.join("\n") || "<p>Todavía no hay correos.</p>"}
</body></html>
`;
}
