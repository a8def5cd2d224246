import type { Guide } from "./guides.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

const permissionOf = (needed: readonly string[]) =>
  needed.length > 0 ? `Permiso \`${needed.join()}\`.` : "Cualquier clave.";

/** The site as one page of text for language models (llmstxt.org). */
export function llmsText(guides: readonly Guide[], document: Json, publicUrl: string): string {
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(
      ([method, { summary, security }]) =>
        `- \`${method.toUpperCase()} /public/v1${path}\`: ${summary}. ${permissionOf(security[0].bearer)}`,
    ),
  );
  return `# Mostrador

> API pública y webhooks de un negocio con puntos de venta en Colombia: catálogo, clientes, ventas, documentos, inventario, caja, cotizaciones y eventos. JSON sobre HTTPS, dinero en pesos enteros, fechas ISO 8601 con zona.

Cada solicitud lleva \`Authorization: Bearer <clave>\` y cada POST \`Idempotency-Key\`. Los errores traen \`code\`, \`message\`, \`request_id\` y \`doc_url\`.

## Guías

${guides.map(({ title, path, summary }) => `- [${title}](${publicUrl}${path}.md): ${summary}`).join("\n")}

## Referencia

- [OpenAPI 3.1](${publicUrl}/public/v1/openapi.json): cada operación, con sus campos, errores y ejemplos
- [JSON Schema de cada evento](${publicUrl}/docs/schemas)
- [La referencia, en Markdown](${publicUrl}/docs.md): cada recurso en su página, con sus llamadas en curl, TypeScript, Python y PHP
- [Todo en un solo texto](${publicUrl}/llms-full.txt)
- [Códigos de error](${publicUrl}/docs/errores.md): qué significa cada uno y qué hacer
- [Clientes para JavaScript, Python y PHP](${publicUrl}/docs/descargas.md): cómo se instala cada uno, la primera llamada y un webhook verificado
- [Colección para Postman y Bruno](${publicUrl}/docs/postman.json)

## Operaciones

${operations.join("\n")}
`;
}
