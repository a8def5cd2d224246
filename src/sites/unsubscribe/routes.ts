import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../deps.ts";
import { readLook } from "../../fiscal/profile/look.ts";
import { escapeHtml } from "../../lib/escape-html.ts";
import { oneLine } from "../../lib/one-line.ts";
import {
  findSuppression,
  readUnsubscribeToken,
  type Subscription,
  suppress,
  unsubscribePath,
  unsuppress,
} from "../../mail/suppressions.ts";

const bodyLimitBytes = 4096;
/** The field of the button with which a buyer changes his mind. */
const again = "volver";

/**
 * Where a buyer stops the tickets of a business, without an account: the link of each ticket's mail. Mail scanners open
 * links, so that opening it changes nothing; its button, and that of a mail program (RFC 8058), send a POST.
 */
export function unsubscribeRoutes(app: FastifyInstance, deps: Deps): void {
  void app.register((scope: FastifyInstance, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: bodyLimitBytes }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.get(unsubscribePath, async (request, reply) => {
      const subscription = subscriptionIn(deps, request);
      if (!subscription) return sendPage(reply.code(404), unknownLink);
      const isOff = (await findSuppression(deps.pool, subscription)) === "unsubscribed";
      return sendPage(reply, (isOff ? stopped : question)(await nameOf(deps, subscription)));
    });
    scope.post(unsubscribePath, async (request, reply) => {
      const subscription = subscriptionIn(deps, request);
      if (!subscription) return sendPage(reply.code(404), unknownLink);
      const name = await nameOf(deps, subscription);
      if (new URLSearchParams(typeof request.body === "string" ? request.body : "").has(again)) {
        await deps.pool.query(unsuppress(subscription, "unsubscribed"));
        return sendPage(reply, question(name));
      }
      await deps.pool.query(suppress(subscription, "unsubscribed", deps.clock.now()));
      return sendPage(reply, stopped(name));
    });
    done();
  });
}

function subscriptionIn({ config }: Deps, { query }: FastifyRequest): Subscription | undefined {
  const { t } = query as { t?: unknown };
  return typeof t === "string" ? readUnsubscribeToken(config, t) : undefined;
}

async function nameOf({ pool }: Deps, { accountId }: Subscription): Promise<string> {
  return oneLine((await readLook(pool, accountId)).printed_name);
}

interface Page {
  title: string;
  body: string;
}

const law =
  "Las facturas que pida con su correo le siguen llegando: la ley obliga a entregarlas. Nadie del negocio puede cambiar lo que usted elija aquí.";

function question(business: string): Page {
  return {
    title: "Tiquetes por correo",
    body: `<p>¿No quiere recibir más tiquetes de <strong>${escapeHtml(business)}</strong> en este correo?</p>
<form method="post"><button>No recibir más tiquetes</button></form>
<p><small>${law}</small></p>`,
  };
}

function stopped(business: string): Page {
  return {
    title: "Listo: no le llegarán más",
    body: `<p>No recibirá más tiquetes de <strong>${escapeHtml(business)}</strong> en este correo.</p>
<form method="post"><button name="${again}" value="1" class="quiet">Volver a recibirlos</button></form>
<p><small>${law}</small></p>`,
  };
}

const unknownLink: Page = {
  title: "Este enlace no sirve",
  body: "<p>Está incompleto o no es nuestro. Abra otra vez el enlace que está al final del correo.</p>",
};

function sendPage(reply: FastifyReply, { title, body }: Page): FastifyReply {
  return reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      // The address holds the link's secret.
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
    })
    .send(`<!doctype html>
<html lang="es-CO"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font-family:system-ui,sans-serif;line-height:1.5;max-width:32rem;margin:3rem auto;padding:0 1rem}strong{overflow-wrap:anywhere}button{font:inherit;padding:.7rem 1.1rem;border:0;border-radius:8px;background:#0b6b57;color:#fff;cursor:pointer}button.quiet{background:none;border:1px solid;color:inherit}</style>
</head><body><main><h1>${title}</h1>
${body}
</main></body></html>
`);
}
