import { html } from "./html.ts";
import { layout, product } from "./layout.ts";

export function homePage(documentPath: string): string {
  const body = html`
<h1>${product}</h1>
<p>La API y los webhooks de su negocio: catálogo, clientes, ventas, documentos, inventario, caja y cotizaciones.</p>
<ul class="doors">
<li><a href="/docs/guia/inicio-rapido"><strong>Inicio rápido</strong>Del primer encendido a un webhook verificado en su programa, en dos minutos.</a></li>
<li><a href="/docs/guias"><strong>Guías</strong>Autenticación, sincronización, webhooks, límites y el paso a producción.</a></li>
<li><a href="/docs"><strong>Referencia de la API</strong>Cada operación, con sus campos, permisos, errores y ejemplos.</a></li>
<li><a href="/docs/errores"><strong>Códigos de error</strong>Qué significa cada uno y qué hacer.</a></li>
<li><a href="${documentPath}"><strong>openapi.json</strong>La misma referencia en OpenAPI 3.1, para generar un cliente o importarla en su herramienta.</a></li>
</ul>`;
  return layout({ title: "Inicio", body });
}

export function notFoundPage(): string {
  const body = html`
<h1>Esta página no existe</h1>
<p>Revise la dirección, o siga por el <a href="/">inicio</a> o la <a href="/docs">referencia de la API</a>.</p>`;
  return layout({ title: "No existe", body });
}
