import { exampleId, exampleOf, exampleVariantId } from "./calls.ts";
import { type Html, html } from "./html.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

const examples: Record<string, string> = { id: exampleId, variant_id: exampleVariantId };

/** The form that sends an operation from the page. Only the page's script shows it; without one there is nothing to send it. */
export function tryForm(
  operation: { id: string; method: string; path: string; definition: Json },
  parameters: readonly Json[],
): Html {
  const { id, method, path, definition } = operation;
  const inputs = parameters
    .filter((one) => one.in === "path" || one.in === "query")
    .map(({ name, in: place, schema }) => {
      const key = `probar-${id}-${name}`;
      const hint = place === "path" ? examples[name] : hintOf(schema);
      return html`<label for="${key}"><code>${name}</code></label><input id="${key}" name="${name}" data-place="${place}" placeholder="${hint ?? ""}" autocomplete="off" spellcheck="false">`;
    });
  const example = exampleOf(definition);
  const body = example
    ? [
        html`<label for="probar-${id}-cuerpo">Cuerpo</label><textarea id="probar-${id}-cuerpo" name="cuerpo" rows="${Math.min(14, JSON.stringify(example, null, 2).split("\n").length)}" spellcheck="false">${JSON.stringify(example, null, 2)}</textarea>`,
      ]
    : [];
  return html`<details class="try" hidden><summary>Probar</summary>
<form data-method="${method}" data-path="${path}">
<label for="probar-${id}-clave">Clave de API</label><input id="probar-${id}-clave" name="clave" type="password" autocomplete="off" spellcheck="false" placeholder="mst_test_…">
${[...inputs, ...body]}
<p class="note">La clave queda en esta pestaña y se olvida al cerrarla.</p>
<p><button>${method === "GET" ? "Enviar" : "Enviar…"}</button></p>
<div class="ask" role="group" aria-label="Confirmar el envío" hidden><p>Esto cambia datos del negocio de esa clave.</p><p><button type="button" data-answer="yes">Sí, enviar</button> <button type="button" data-answer="no">No</button></p></div>
<div class="answer" aria-live="polite"></div>
</form></details>`;
}

function hintOf(schema: Json): string | undefined {
  const [value] = schema?.enum ?? [];
  if (schema?.format === "date-time") return "2026-11-01T00:00:00-05:00";
  return schema?.default === undefined ? value : String(schema.default);
}
