/** The names that the API gives to what owners see in forms. A test holds that each field of a form has one. */
const fieldNames: Record<string, string> = {
  url: "La dirección",
  name: "El nombre",
  value: "El valor",
  event_types: "La lista de eventos",
  headers: "La lista de cabeceras",
  type: "El tipo",
  kind: "El tipo",
  scopes: "La lista de permisos",
  permissions: "La lista de permisos",
  rights: "La lista de derechos",
  role: "El rol",
  location_ids: "La lista de sedes",
  sources: "La lista de fuentes",
  per_second: "Las entregas por segundo",
  account_id: "El negocio",
  person_id: "La persona",
  cashier_id: "Quién atiende",
  expires_at: "El vencimiento",
  overlap_hours: "El plazo",
  email: "El correo",
  password: "La contraseña",
  new_password: "La contraseña nueva",
  current_password: "La contraseña actual",
  code: "El código",
  demands_second_step: "Si se exige un segundo paso",
  refund_step_up_above: "El valor de las devoluciones",
  credential: "La llave de acceso",
  new_email_code: "El código del correo nuevo",
  pin: "El PIN",
  token: "El enlace",
  since: "La fecha inicial",
  until: "La fecha final",
  created_since: "La fecha inicial",
  created_until: "La fecha final",
  states: "La lista de estados",
  q: "La búsqueda",
  id: "El identificador",
  external_id: "El identificador externo",
  metadata: "La lista de campos propios",
  records: "La lista de registros",
  device_seq: "El número de envío",
  reason: "El motivo",
  minutes: "El tiempo",
  active: "El estado",
  is_hidden: "La vista",
  amount: "El valor",
  wait_minutes: "Los minutos de espera",
  from_hour: "La hora de apertura",
  to_hour: "La hora de cierre",
  allowed_addresses: "La lista de direcciones",
  max_key_days: "El plazo de las claves",
  accepts_marketing: "Si acepta publicidad",
  accepts_marketing_at: "Cuándo aceptó publicidad",
  accepts_marketing_source: "Dónde aceptó publicidad",
  person: "El documento o el correo",

  nit: "El NIT",
  regime: "El régimen",
  prices_include_tax: "Si los precios incluyen impuestos",
  documents: "El tipo de documentos",
  postal_zone_code: "El código postal",
  max_contingency_hours: "El plazo de contingencia",
  software_pin: "El PIN del software",
  authority_token: "El token",
  certificate_until: "El vencimiento del certificado",
  cash_session_id: "El cajón",
  prefix: "El prefijo",
  from: "El primer número",
  to: "El último número",
  next: "El próximo número",
  valid_from: "El primer día",
  valid_until: "El último día",
  technical_key: "La clave técnica",
  resolution: "La resolución",
  register_id: "La caja",
  location_id: "La sede",
  municipality: "El código del municipio",
  establishment_code: "El código del establecimiento",
  default_warehouse_id: "La bodega",
  from_warehouse_id: "La bodega de donde sale",
  to_warehouse_id: "La bodega a la que va",
  as: "Lo que pasó",
  note: "La nota",
  registers: "La lista de cajas",

  ticket_header: "El encabezado del tiquete",
  ticket_footer: "El pie del tiquete",
  footer: "La frase al final",
  color: "El color",
  cash_rounding: "El redondeo del efectivo",
  tip_percent: "La propina",
  blind_count: "El conteo a ciegas",
  lock_minutes: "El bloqueo de la pantalla",
  scale_labels: "La lista de etiquetas de balanza",
  mails_documents: "El envío de documentos por correo",
  address: "La dirección",
  city: "La ciudad",

  last_name: "El apellido",
  phone: "El teléfono",
  person_type: "El tipo de persona",
  document_type: "El tipo de documento",
  document_number: "El número de documento",
  contact_channel: "El canal de contacto",
  customer_id: "El cliente",

  lines: "La lista de líneas",
  item_id: "La línea",
  quantity: "La cantidad",
  payment_method: "El medio de pago",

  sku: "El SKU",
  label: "El nombre de la variante",
  description: "La descripción",
  description_short: "La descripción corta",
  category_id: "La categoría",
  base_price: "El precio de lista",
  final_price: "El precio final",
  percent_discount: "El descuento",
  price: "El precio",
  tax_class: "El impuesto",
  base_unit: "La unidad",
  units: "El número de unidades",
  sold_by_weight: "Si se vende por peso",
  sellable: "Si se vende",
  unit_cost: "El costo",
  images: "La lista de imágenes",
  variants: "La lista de variantes",
  variant_id: "La variante",
  barcodes: "La lista de códigos",
  initial_stock: "El número de existencias",
  low_stock: "El aviso de existencias",
  product_id: "El producto",
  warehouse_id: "La bodega",
  is_default: "La predeterminada",
  counted: "La cantidad contada",
  expected: "La cantidad esperada",
  reference: "La referencia",

  payments: "La cuenta del medio de pago",
  income: "La cuenta del ingreso",
  taxes: "La cuenta del impuesto",
  other_payment: "La cuenta de otros medios",
  other_income: "La cuenta de otros ingresos",
  other_tax: "La cuenta de otros impuestos",
  returns: "La cuenta de devoluciones",
  tips: "La cuenta de propinas",
  third_parties: "La cuenta de terceros",
  cash_surplus: "La cuenta de sobrantes",
  cash_shortage: "La cuenta de faltantes",
  cash_in: "La cuenta de entradas de efectivo",
  cash_out: "La cuenta de salidas de efectivo",
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
    .replace(
      /^`([\w.]+)` (debe ser texto|no puede estar vacío|debe tener al menos un carácter que se vea)\..*$/,
      (_, param: string) => `Escriba ${lower(nameOf(param))}.`,
    )
    .replace(/^`[\w.]+` debe ser un correo electrónico\.$/, "Escriba un correo como nombre@dominio.co.")
    .replace(/(^|[.:] )?`([\w.]+)`/g, (_, start: string | undefined, param: string) =>
      start === undefined ? lower(nameOf(param)) : `${start}${nameOf(param)}`,
    )
    .replace(/`([^`]+)`/g, "«$1»");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Of a field within a list, such as `lines.0.quantity`, the field's own name. */
function nameOf(param: string): string {
  const own = param.split(".").findLast((part) => !/^\d+$/.test(part));
  return fieldNames[own ?? ""] ?? `«${param}»`;
}

function lower(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}
