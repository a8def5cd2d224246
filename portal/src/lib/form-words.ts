/** The names that the API gives to what owners see in forms. Those not listed are shown as they are. */
const fieldNames: Record<string, string> = {
  url: "La dirección",
  name: "El nombre",
  event_types: "La lista de eventos",
  type: "El tipo",
  scopes: "La lista de permisos",
  expires_at: "El vencimiento",
  overlap_hours: "El plazo",
  email: "El correo",
  password: "La contraseña",
  new_password: "La contraseña nueva",
  current_password: "La contraseña actual",
  code: "El código",
  new_email_code: "El código del correo nuevo",
  since: "La fecha inicial",
  until: "La fecha final",
  created_since: "La fecha inicial",
  created_until: "La fecha final",
  q: "La búsqueda",
};

/**
 * The service's messages are written for developers: fields have the API's names, in `backticks`, and the last sentence says
 * to repeat the request. In a form they speak of what the owner sees.
 */
export function formWords(message: string): string {
  const words = message
    .replace(/ Corrija (`[^`]+`|los \d+ campos de `errors`) y repita la solicitud\.$/, "")
    .replace(/los segundos de `Retry-After`/g, "un momento")
    .replace(/^Falta `([\w.]+)`, que es obligatorio\.$/, (_, param: string) => `Falta ${lower(nameOf(param))}.`)
    .replace(/(^|[.:] )?`([\w.]+)`/g, (_, start: string | undefined, param: string) =>
      start === undefined ? lower(nameOf(param)) : `${start}${nameOf(param)}`,
    )
    .replace(/`([^`]+)`/g, "«$1»");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function nameOf(param: string): string {
  return fieldNames[param] ?? `«${param}»`;
}

function lower(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}
