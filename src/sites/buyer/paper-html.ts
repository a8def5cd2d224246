import { renderSVG } from "uqr";
import { legible } from "../../paper/legible.ts";
import type { Block, Fact, Letterhead, Paper, PaperLine, Table, Total } from "../../paper/paper.ts";
import { type Html, html } from "../docs/html.ts";

/** A paper as a page shows it: the same blocks as on the sheet, in the same order. */
export function paperHtml({ blocks, color }: Paper): Html {
  return html`<article style="--own:${legible(color)}">${blocks.map(blockHtml)}</article>`;
}

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case "letterhead":
      return letterheadHtml(block);
    case "notice":
      return html`<p class="notice" role="status">${block.text}</p>`;
    case "facts":
      return html`${titleHtml(block.title)}<dl>${block.facts.map(factHtml)}</dl>`;
    case "table":
      return tableHtml(block);
    case "lines":
      return html`<h2>Lo que llevó</h2><ul class="lines">${block.lines.map(lineHtml)}</ul>`;
    case "totals":
      return html`${titleHtml(block.title)}<dl class="totals">${block.totals.map(totalHtml)}</dl>`;
    case "code":
      return html`<div class="code"><div class="qr" role="img" aria-label="Código QR del documento en la DIAN">${qr(block.url)}</div><div><p><strong>${block.label}</strong><br><span class="mono">${block.code}</span></p><p><a href="${block.url}" rel="noreferrer">Consultarlo en el catálogo de la DIAN</a></p></div></div>`;
    case "text":
      return html`<p class="small">${block.text}</p>`;
  }
}

function titleHtml(title: string | undefined): Html {
  return title === undefined ? html`` : html`<h2>${title}</h2>`;
}

function letterheadHtml({ name, lines, title, number }: Letterhead): Html {
  return html`<header><p class="business">${name}</p>${lines.map((line) => html`<p>${line}</p>`)}<h1>${title}${number === null ? "" : ` ${number}`}</h1></header>`;
}

function factHtml([label, value]: Fact): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function totalHtml({ label, value, isGrand = false }: Total): Html {
  return html`<div class="${isGrand ? "grand" : ""}"><dt>${label}</dt><dd>${value}</dd></div>`;
}

function lineHtml({ description, quantity, price, tax, total }: PaperLine): Html {
  return html`<li><div>${description}<br><small>${quantity} × ${price} · ${tax}</small></div><span>${total}</span></li>`;
}

function tableHtml({ title, head, rows }: Table): Html {
  const cells = (row: readonly string[]) => row.map((cell) => html`<td>${cell}</td>`);
  return html`<h2>${title}</h2><table><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table>`;
}

/** The library draws squares; the text is encoded in them. */
function qr(text: string): Html {
  return { html: renderSVG(text, { border: 2, ecc: "M" }) };
}
