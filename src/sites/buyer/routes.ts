import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { compress } from "../../api/http/compression.ts";
import { rateLimiter } from "../../api/http/rate-limit.ts";
import { limitsOf, type TrafficLimits } from "../../api/http/traffic-limits.ts";
import type { InvoiceSummary } from "../../business/invoices/schema.ts";
import type { Deps } from "../../deps.ts";
import { fullNumber, shortName } from "../../fiscal/content/document-words.ts";
import { buyerPath, type Purchase, readBuyerToken } from "../../fiscal/documents/buyer-link.ts";
import { readXml } from "../../paper/attachments.ts";
import { documentPaper } from "../../paper/papers/document-paper.ts";
import { type DocumentFacts, readDocument } from "../../paper/papers/read-document.ts";
import { newPress, wholeOf } from "../../paper/press.ts";
import { instantText } from "../../taxes/words.ts";
import { type Html, html } from "../docs/html.ts";
import { type BuyerPage, buyerPage } from "./page.ts";
import { paperHtml } from "./paper-html.ts";
import { type PurchaseSeen, readPurchase } from "./purchase.ts";

/** One link is opened by one buyer and whoever he shows it to. */
const perSecond = 1;
const burst = 30;

interface Asked {
  purchase: Purchase;
  path: string;
  seen: PurchaseSeen;
  document: InvoiceSummary | undefined;
}

/**
 * `/d/<token>`: the document of a purchase, its state and its files, for whoever has the ticket. What the token is not made for is not
 * looked up. It has its own press, so that buyers never wait with the shop's own papers, nor the shop with theirs.
 */
export function buyerRoutes(app: FastifyInstance, deps: Deps & { traffic?: Partial<TrafficLimits> }): void {
  const press = newPress();
  app.addHook("onClose", () => press.stop());
  const { portalPerSecond, portalBurst } = limitsOf(deps);
  const ofLink = rateLimiter(perSecond, burst);
  const ofAccount = rateLimiter(portalPerSecond, portalBurst);

  /** Undefined when the answer is already under way. */
  async function asked(request: FastifyRequest, reply: FastifyReply): Promise<Asked | undefined> {
    const { token } = request.params as { token: string };
    const purchase = readBuyerToken(deps.config, token);
    if (!purchase) return refuse(reply.code(404), unknownLink);
    if (!ofLink.take(purchase.saleId) || !ofAccount.take(purchase.accountId))
      return refuse(reply.code(429).header("retry-after", "5"), tooOften);
    const seen = await readPurchase(deps.pool, purchase);
    if (seen === "gone") return refuse(reply.code(404), unknownLink);
    if (seen === "not here yet") return refuse(reply, notYet);
    const { documento } = request.query as { documento?: unknown };
    const document = documento === undefined ? seen.own : seen.documents.find(({ id }) => id === documento);
    if (documento !== undefined && !document) return refuse(reply.code(404), unknownLink);
    return { purchase, path: `${buyerPath}/${token}`, seen, document };
  }

  app.get(`${buyerPath}/:token`, { onSend: compress }, async (request, reply) => {
    const found = await asked(request, reply);
    if (!found) return reply;
    const { purchase, path, seen, document } = found;
    const facts = document && (await readDocument(deps, purchase.accountId, document.id));
    if (!facts) return sendPage(reply, without(seen));
    const paper = documentPaper(facts);
    const xml = await readXml(deps, purchase.accountId, facts.invoice.id);
    return sendPage(reply, {
      title: paper.title,
      isWaiting: facts.invoice.status === "pending",
      body: html`${acts(path, facts.invoice.id, xml !== undefined)}${standing(facts)}${paperHtml(paper)}${others(path, seen, facts.invoice.id)}`,
    });
  });

  app.get(`${buyerPath}/:token/documento.pdf`, async (request, reply) => {
    const found = await asked(request, reply);
    if (!found) return reply;
    const { purchase, seen, document } = found;
    const facts = document && (await readDocument(deps, purchase.accountId, document.id));
    if (!facts) return sendPage(reply.code(404), without(seen));
    const paper = documentPaper(facts);
    const pdf = await wholeOf(await press.print(purchase.accountId, paper, "a4"));
    return sendFile(reply, "application/pdf", `${paper.fileName}.pdf`, pdf);
  });

  app.get(`${buyerPath}/:token/documento.xml`, async (request, reply) => {
    const found = await asked(request, reply);
    if (!found) return reply;
    const { purchase, path, seen, document } = found;
    const xml = document && (await readXml(deps, purchase.accountId, document.id));
    if (!xml) return sendPage(reply.code(404), document ? withoutXml(path) : without(seen));
    return sendFile(reply, "application/xml", `${fullNumber(document)}.xml`, xml);
  });
}

function acts(path: string, id: string, hasXml: boolean): Html {
  const of = `?documento=${id}`;
  return html`<nav class="acts" aria-label="El documento"><a href="${path}/documento.pdf${of}">Descargar PDF</a>${hasXml ? html`<a href="${path}/documento.xml${of}">Descargar XML</a>` : html``}</nav>`;
}

/** What the paper does not say, because a paper is printed after it: that the authority accepted it. */
function standing({ invoice: { document_type, status }, decidedAt }: DocumentFacts): Html {
  if (document_type === "internal_invoice" || status !== "issued") return html``;
  return html`<p class="accepted" role="status">Aceptado por la DIAN${decidedAt ? ` el ${instantText(decidedAt)}` : ""}</p>`;
}

function withoutXml(path: string): BuyerPage {
  return {
    title: "Este documento no tiene XML aquí",
    body: html`<section><h1>Este documento no tiene XML aquí</h1><p>Vea o descargue su documento en <a href="${path}">su página</a>. El XML lo entrega el negocio.</p></section>`,
  };
}

/** Notes that correct it, and what it replaced. */
function others(path: string, { documents }: PurchaseSeen, shown: string): Html {
  const rest = documents.filter(({ id }) => id !== shown);
  if (rest.length === 0) return html``;
  const links = rest.map(
    (one) => html`<li><a href="${path}?documento=${one.id}">${shortName(one)} ${fullNumber(one)}</a></li>`,
  );
  return html`<section><h2>Otros documentos de esta compra</h2><ul>${links}</ul></section>`;
}

function without({ business, isCancelled, isIssuer }: PurchaseSeen): BuyerPage {
  if (!isIssuer)
    return {
      title: "Su tiquete es su comprobante",
      body: html`<section><h1>Su tiquete es su comprobante</h1><p>${business} no emite documentos electrónicos desde aquí. Si necesita una factura, pídala en el negocio con su tiquete.</p></section>`,
    };
  return isCancelled
    ? {
        title: "Esta compra se anuló",
        body: html`<section><h1>Esta compra se anuló</h1><p>${business} la anuló antes de emitir su documento. Si no fue así, muestre su tiquete en el negocio.</p></section>`,
      }
    : {
        title: "Su documento está en camino",
        isWaiting: true,
        body: html`<section><h1>Su documento está en camino</h1><p>${business} ya registró su compra. El documento aparece aquí apenas esté listo; esta página se actualiza sola.</p></section>`,
      };
}

const notYet: BuyerPage = {
  title: "Su compra todavía no ha llegado",
  isWaiting: true,
  body: html`<section><h1>Su compra todavía no ha llegado</h1><p>La caja que le vendió estaba sin conexión. Apenas vuelva a tenerla, aquí aparece su documento: guarde el tiquete y abra este enlace más tarde.</p></section>`,
};

const unknownLink: BuyerPage = {
  title: "Este enlace no sirve",
  body: html`<section><h1>Este enlace no sirve</h1><p>Está incompleto o no es nuestro. Escanee otra vez el código de su tiquete, o pida su documento en el negocio.</p></section>`,
};

const tooOften: BuyerPage = {
  title: "Espere un momento",
  body: html`<section><h1>Espere un momento</h1><p>Este enlace se abrió muchas veces seguidas. Espere unos segundos y ábralo otra vez.</p></section>`,
};

function refuse(reply: FastifyReply, page: BuyerPage): undefined {
  void sendPage(reply, page);
}

/** The address is the buyer's key: it goes to nobody else, and no copy of what it opens stays on the way. */
const privately = {
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

function sendPage(reply: FastifyReply, page: BuyerPage): FastifyReply {
  return reply
    .headers({
      ...privately,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    })
    .send(buyerPage(page));
}

function sendFile(reply: FastifyReply, type: string, name: string, content: Buffer): FastifyReply {
  return reply
    .headers({
      ...privately,
      "content-disposition": `inline; filename="${name.replaceAll(/[^\w.-]/g, "_")}"`,
    })
    .type(type)
    .send(content);
}
