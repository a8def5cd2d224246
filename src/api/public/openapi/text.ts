/** Texts of the reference. Field descriptions are in the schemas and field-texts.ts, error messages in lib/errors.ts. */

export function introduction(publicUrl: string): string {
  return `
La API pública de **Mostrador** lee y escribe los datos de un negocio con puntos de venta: catálogo, clientes, ventas, documentos, inventario, turnos de caja, cotizaciones y eventos. Las cajas registran las ventas y las sincronizan con el servidor. Lo que usted escribe por la API les llega con esa misma sincronización: en segundos si están en línea, al reconectarse si no. Por lo mismo, los datos de una caja sin conexión aparecen aquí cuando vuelve a conectarse.

La API y los webhooks hacen parte del plan Pro.

## Autenticación

Cada solicitud lleva \`Authorization: Bearer <clave>\`. Las claves se crean en el portal, en **Claves API**, con los permisos que su integración necesita; un permiso de escritura no incluye el de lectura. La clave se muestra una sola vez: guárdela en su servidor. La API rechaza las solicitudes hechas desde un navegador, porque allí la clave quedaría a la vista.

\`\`\`sh
curl "${publicUrl}/public/v1/products?limit=5" \\
  -H "Authorization: Bearer $CLAVE"
\`\`\`

## Ambientes

Cada instalación es de un solo ambiente: pruebas, con claves \`mst_test_\`, o producción, con claves \`mst_live_\`. Una clave de otro ambiente recibe \`API_KEY_WRONG_ENVIRONMENT\`.

## Datos

- **Dinero**: pesos colombianos (COP) en números enteros, sin decimales. Los precios son los que escribió el negocio, normalmente con impuestos incluidos.
- **Fechas**: ISO 8601 con zona. En las solicitudes la zona es obligatoria.
- **Identificadores**: UUID.
- **Versiones**: cada registro lleva \`version\`, 1 al crearse y uno más con cada cambio. De dos copias del mismo registro vale la mayor.
- **Sí o no** en la consulta: \`true\`, \`false\`, \`1\` o \`0\`, en mayúsculas o minúsculas.
- **Nulos**: en las respuestas, un campo que admite \`null\` está siempre presente. En un POST, \`null\` en un campo opcional es lo mismo que no enviarlo; en un PATCH, borra el campo.
- **Campos desconocidos**: un campo o un parámetro que la operación no conoce es un error \`VALIDATION_ERROR\`, para que un filtro mal escrito no entregue datos sin filtrar.

## Paginación

Las listas van de lo más nuevo a lo más antiguo según \`created_at\`. \`limit\` va de 1 a 100 (25 por omisión). Cuando \`has_more\` es \`true\`, pida la página siguiente con \`starting_after\` igual al \`next_cursor\` recibido, sin cambios y con los mismos filtros. Los cursores no vencen.

Para mantener una copia al día, use \`updated_since\` con el mayor \`updated_at\` que haya visto: el límite es inclusivo, así que vuelve a llegar el último registro que vio. Ningún cambio comparte su instante con otro.

## Idempotencia

Cada POST lleva \`Idempotency-Key\`: un valor único por operación, de 1 a 255 letras, dígitos, \`_\`, \`-\`, \`:\` o \`.\`. Si no recibió respuesta, repita la misma solicitud con el mismo valor: la operación se hace una sola vez y recibe la misma respuesta, con \`Idempotent-Replayed: true\`. La clave vale 24 horas. Un error libera la clave.

## Lecturas y ediciones seguras

Cada lectura trae un \`ETag\`. Con \`If-None-Match\`, lo que no ha cambiado responde 304 y no gasta cuota. Con \`If-Match\`, una edición solo se aplica sobre la versión que usted leyó.

## Límites

El límite de solicitudes es por clave y se ve en las cabeceras \`RateLimit-*\`. Al superarlo, la respuesta es 429: espere los segundos de \`Retry-After\`. Un cuerpo admite hasta 256 KiB.

## Errores

Todos los errores tienen la misma forma: \`code\` estable, \`message\` en español con el paso siguiente, \`request_id\` y \`doc_url\`. Una ruta o un método que no existe responde 404 \`ROUTE_NOT_FOUND\`. Vea [todos los códigos de error](${publicUrl}/docs/errores).

## Versiones

La versión va en la ruta: \`/public/v1\`. Los cambios que solo agregan (campos, valores, rutas, cabeceras) se publican sin cambiar de versión, así que ignore lo que no conozca: las listas de valores pueden crecer. Un cambio incompatible sería \`/public/v2\`, y v1 seguiría al menos 12 meses, con las cabeceras \`Deprecation\` y \`Sunset\`.
`.trim();
}

export const serverTexts = {
  test: "Ambiente de pruebas: claves `mst_test_`.",
  live: "Producción: claves `mst_live_`.",
};

export const bearerText =
  "Clave de API creada en el portal: `Authorization: Bearer mst_test_…` en pruebas, `mst_live_…` en producción. Cada operación dice el permiso que necesita.";

/** Beyond those of the resources, which stand with their declarations. */
export const tagTexts: Record<string, string> = {
  Clave: "La clave con que se pregunta: su negocio, sus permisos y sus límites.",
  Eventos:
    "Bitácora de los últimos 30 días, haya o no webhooks. Sirve para conciliar entregas perdidas: recorra una vez al día lo del último día y procese los `id` que no haya visto.",
  "Registro de actividad":
    "Quién hizo qué en la cuenta, para llevarlo a un SIEM. Las líneas forman una cadena: cada una lleva el `hash` de la anterior.",
  Exportaciones:
    "Un recurso entero en una sola solicitud: un registro por línea (JSON Lines, `application/x-ndjson`), con los filtros y el permiso de su lista, comprimido con gzip si lo pide `Accept-Encoding`. Cuenta como una solicitud. Si se corta, repítala con `starting_after` igual al `id` de la última línea completa. La cabecera `Export-As-Of` es el `updated_since` de la siguiente.",
  Webhooks: `Mostrador envía cada evento por POST a las direcciones que usted configura en el portal. Un evento puede llegar más de una vez y en cualquier orden: descarte los repetidos por \`id\`. Responda 2xx en menos de 10 segundos; si no, hay hasta 8 intentos en unas 28 horas.

Para comprobar la firma, tome \`t\` y los \`v1\` de \`Service-Signature\`; rechace si \`t\` se aleja más de 300 segundos de su reloj; calcule HMAC-SHA256 en hexadecimal, con el secreto completo (incluido \`whsec_\`), sobre \`<t>.<cuerpo tal como llegó>\`, y acepte si algún \`v1\` es igual, comparando en tiempo constante.`,
};

const batchText =
  "Crea hasta 100 registros en una sola solicitud, con un cuerpo de hasta 256 KiB. Cada elemento es como el cuerpo de crear uno, y tiene su resultado en el mismo lugar: los que no se pueden crear no detienen a los demás. La respuesta es 200 aunque alguno falle: mire el `status` de cada uno. Toda la solicitud lleva una `Idempotency-Key` y cuenta como una en el límite; repetida con la misma clave, entrega la misma respuesta y no crea nada más. Para reintentar los que fallaron, envíelos en una solicitud nueva con otra clave.";

/** Notes on single operations that their schemas do not express. */
export const operationTexts: Record<string, string> = {
  updateCustomer: "Cambia solo los campos enviados; `null` borra los que lo admiten.",
  createCustomerBatch: batchText,
  createProductBatch: batchText,
  createProductVariant:
    "Agrega una variante al producto; la primera, o la que lleve `is_default`, queda de predeterminada. Un producto con existencias no admite su primera variante: sáquelas antes con un movimiento.",
  updateProductVariant: "Cambia solo los campos enviados. El `ETag` es el de su producto.",
  deleteProductVariant:
    "Elimina la variante y los `barcodes` que la nombran. Lo ya vendido la conserva. El `ETag` es el de su producto.",
  listStockLevels:
    "Las existencias de cada producto en cada bodega, del producto más nuevo al más antiguo. Las de un producto suman su `stock`, que se redondea hacia abajo.",
  createOrder:
    'Un pedido de afuera. Con el mismo `external_id` y la misma fuente se responde el primero, sin hacer otro. Cada línea dice su producto con `product_id`, `sku` o `barcode`. Con `prices: "given"` valen los precios enviados: si no son los del negocio se marca con `price_differs`, y nunca se rechaza por eso.',
  updateOrder:
    "Antes de aceptado cambia líneas, contacto, hora y notas; hasta entregado, `payment` y `metadata`. Las líneas se reemplazan completas. No emite evento: la caja y la lista lo muestran, y `version` sube.",
  cancelOrder:
    "Lo cancela quien lo hizo, en cualquier momento antes de entregado; lo apartado queda libre. Cancelar otra vez responde lo mismo.",
  previewOrder: "Calcula totales, impuestos, existencias y sede como al hacerlo, y no guarda nada.",
  createSupplier:
    "Un documento es de un solo proveedor, se escriba con puntos, con dígito de verificación o sin ellos.",
  updateSupplier: "Cambia solo los campos enviados; `null` borra los que lo admiten.",
  updateCategory: "Cambia solo los campos enviados; `null` borra `description`.",
  createProduct:
    "Crea un producto `simple`, con sus variantes si las lleva. Con `initial_stock` mayor que 0 registra también su primer movimiento de inventario y emite `inventory.movement.created`. Un `final_price` mayor que `base_price`, o precios y descuento que se contradicen por más de un peso, son un error; también en las variantes.",
  updateProduct:
    "Cambia nombre, descripciones, precios, categoría, SKU, clase fiscal o estado. Un `base_price` que cambia, sin `final_price`, deja el precio sin descuento; un `percent_discount` sin `final_price` lo recalcula; el valor que ya tenía no cambia nada. Un `final_price` mayor que `base_price`, o precios y descuento que se contradicen por más de un peso, son un error. Solo se revisa el SKU que cambia. Existencias, unidad, venta por peso y tipo no se editan aquí.\n\nTodas las cajas deben tener una versión que admita la edición remota; si falta alguna, la respuesta es 409 `DEVICES_OUTDATED` con la lista y no se modifica nada.",
  createStockMovement:
    "Suma o resta existencias; siempre es una diferencia, nunca un total. Las existencias pueden quedar negativas: una caja sin conexión vende lo que tiene.",
  listAuditLogEntries:
    "Quién hizo qué en la cuenta, cuándo y desde dónde: en el portal, con las claves, desde las cajas o por quien opera el servicio. Con `order=asc` y guardando siempre el último `next_cursor` se lleva a un SIEM sin perder ni repetir líneas. Cada línea sella la anterior con su `hash`.",
  listEvents:
    "Con `order=asc` y guardando siempre el último `next_cursor`, se sigue la bitácora sin perder ni repetir eventos.",
};

export const statusTexts: Record<number, string> = {
  400: "Solicitud inválida",
  401: "Sin una clave válida",
  403: "Sin permiso",
  404: "No existe en esta cuenta",
  409: "Conflicto",
  413: "Cuerpo demasiado grande",
  422: "Regla de negocio o de idempotencia",
  429: "Límite de solicitudes",
  500: "Error interno",
  503: "Servicio no disponible por el momento",
};

export const testEventText =
  "Evento de prueba, enviado solo cuando usted lo pide en el portal. Nunca lleva datos reales, no se puede elegir al suscribirse y no aparece en `GET /events`.";
