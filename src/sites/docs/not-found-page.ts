import { html } from "./html.ts";
import { layout } from "./layout.ts";

export function notFoundPage(): string {
  const body = html`
<h1>Esta página no existe</h1>
<p>Revise la dirección, o siga por el <a href="/">inicio</a> o la <a href="/docs">referencia de la API</a>.</p>`;
  return layout({ title: "No existe", body });
}
