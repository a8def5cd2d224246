import { type Html, html } from "../docs/html.ts";
import { typefaceCss, typefacePreload } from "../typeface/routes.ts";

export interface BuyerPage {
  title: string;
  body: Html;
  /** Looked at again by itself: what it tells of is still on its way. */
  isWaiting?: boolean;
}

/** A page for somebody with a ticket in his hand and a phone: nothing to install, no script, no account. */
export function buyerPage({ title, body, isWaiting = false }: BuyerPage): string {
  return `<!doctype html>
${
  html`<html lang="es-CO"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${isWaiting ? html`<meta http-equiv="refresh" content="20">` : html``}<title>${title}</title>${{ html: typefacePreload }}<style>${{ html: typefaceCss + style }}</style></head>
<body><main>${body}</main></body></html>`.html
}
`;
}

const style = `
:root{color-scheme:light dark;--line:#8884;--paper:#fff;--ink:#1d2328;--ground:#f3f5f4;--own:#0b6b57;--link:#0b6b57}
@media (prefers-color-scheme:dark){:root{--paper:#191e22;--ink:#e8ecee;--ground:#101417}h1,.business{color:var(--ink)!important}:root{--link:#7fd6c0}}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 var(--typeface);background:var(--ground);color:var(--ink);overflow-wrap:anywhere}
main{max-width:40rem;margin:0 auto;padding:1rem}
article,section{background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:1.25rem;margin:0 0 1rem}
article{border-top:5px solid var(--own)}
header p{margin:0}.business{font-size:1.35rem;font-weight:700;color:var(--own)}
h1{font-size:1.1rem;margin:1rem 0 0}h2{font-size:1rem;margin:1.5rem 0 .25rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
.accepted{margin:0 0 1rem;padding:.6rem 1rem;border-radius:8px;border:1px solid var(--link);color:var(--link);font-weight:600}
.notice{background:#1d2328;color:#fff;border-radius:8px;padding:.75rem 1rem;font-weight:600}
dl{margin:.5rem 0}dl>div,.lines li{display:flex;gap:1rem;justify-content:space-between;padding:.2rem 0}
dt{opacity:.8}dd{margin:0;text-align:right}.totals dd,.lines span,td+td{font-variant-numeric:tabular-nums;white-space:nowrap}
.grand{font-size:1.25rem;font-weight:700}.grand dt{opacity:1}
.lines{list-style:none;padding:0;margin:0}.lines li{border-bottom:1px solid var(--line);padding:.5rem 0}small,.small{font-size:.875rem}
table{width:100%;border-collapse:collapse}th,td{text-align:left;padding:.2rem 0}th+th,td+td{padding-left:.75rem}th+th,td+td{text-align:right}th{font-weight:400;opacity:.8}
.code{display:flex;flex-wrap:wrap;gap:1rem;margin:1.5rem 0}.code>div:last-child{flex:1 1 14rem}.code p{margin:0 0 .5rem}.qr{width:10rem;background:#fff;border-radius:8px}.qr svg{display:block;width:100%}
.mono{font-family:ui-monospace,monospace;font-size:.8rem}
a{color:var(--link)}
.acts{display:flex;flex-wrap:wrap;gap:.75rem;margin:0 0 1rem}
.acts a{flex:1 1 10rem;text-align:center;padding:.75rem 1rem;border-radius:8px;border:1px solid currentColor;text-decoration:none;color:inherit;font-weight:600}
.acts a:first-child{background:#0b6b57;border-color:#0b6b57;color:#fff}
a:focus-visible{outline:3px solid #3aa58c;outline-offset:2px}
@media print{.acts,section{display:none}body{background:none}article{border:0;padding:0}}
`;
