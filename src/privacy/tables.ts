import type { RetentionKind } from "../lib/retention.ts";

/**
 * What erasing a person does with the rows of a table.
 * - `record`: they are published: each is written anew, with a version of its own, and travels to the registers.
 * - `texts`: whatever names her in their texts is replaced.
 * - `own`: a rule of its own, besides.
 * - `kept`: they stay as they are.
 */
export type Erasing = "record" | "texts" | "own" | "kept";

/** How long rows stay: a kind whose days the operator sets, or a reason that is no number of days. */
type Keeping = RetentionKind | "business" | "use" | "law";

export interface HeldTable {
  /** What an operator reads of it, in Spanish. */
  holds: string;
  keeps: Keeping;
  erasing: Erasing;
  /** What the rule does, or why the rows stay. */
  because: string;
}

export const keepingWords: Record<Exclude<Keeping, RetentionKind>, string> = {
  business: "Mientras exista el negocio",
  use: "Mientras sirva: se va sola cuando se usa, vence o se reemplaza",
  law: "Mientras exista el negocio; la ley pide diez años (art. 28 de la Ley 962 de 2005) y la DIAN al menos cinco (art. 632 del Estatuto Tributario)",
};

const record = (holds: string, because: string): HeldTable => ({
  holds,
  keeps: "business",
  erasing: "record",
  because,
});
const texts = (holds: string, keeps: Keeping): HeldTable => ({
  holds,
  keeps,
  erasing: "texts",
  because: "Lo que la nombra se reemplaza por «(dato borrado)»",
});
const own = (holds: string, keeps: Keeping, because: string): HeldTable => ({ holds, keeps, erasing: "own", because });
const kept = (holds: string, because: string, keeps: Keeping = "business"): HeldTable => ({
  holds,
  keeps,
  erasing: "kept",
  because,
});

const figures = "Solo ids y cifras";
const settings = "Es del negocio";
const staff = "Es de quien trabaja o entra, no de quien compra";

/** Every table of an installation. A test fails on one that does not stand here. */
export const heldTables = {
  // What is bought, sold and kept.
  customers: record("Clientes", "Queda «Cliente borrado», sin un solo dato suyo, y eliminado"),
  sales: record("Ventas", "Sin notas, mesa ni textos que la nombren; lo vendido y cobrado queda, sin decir a quién"),
  quotes: record("Cotizaciones", "Sin su nombre, sus notas ni textos que la nombren"),
  orders: record("Pedidos", "Sin quién lo hizo, dónde se llevó, notas ni textos que la nombren; lo pedido queda"),
  stock_reservations: kept("Existencias apartadas", figures),
  suppliers: record("Proveedores", "Sin textos que la nombren"),
  supplier_items: texts("Lo que vende cada proveedor", "business"),
  purchases: record("Compras", "Sin textos que la nombren"),
  payable_entries: texts("Lo que se debe a proveedores y lo pagado", "business"),
  returns: record("Devoluciones", "Sin textos que la nombren"),
  stock_movements: record("Movimientos de inventario", "Sin textos que la nombren"),
  cash_sessions: record("Turnos de caja", "Sin textos que la nombren; quién trabajó queda"),
  products: record("Productos", "Sin textos que la nombren"),
  categories: record("Categorías", "Sin textos que la nombren"),
  warehouses: record("Bodegas", "Sin textos que la nombren"),
  sale_cancellations: texts("Ventas anuladas, en los libros", "business"),
  sale_corrections: own(
    "Ventas corregidas, en los libros",
    "business",
    "Como la venta: sin notas ni textos que la nombren",
  ),
  parked_returns: texts("Devoluciones que esperan su venta", "use"),
  counter_acts: own(
    "Actos de caja",
    "counter_acts",
    "Sin textos que la nombren; de sus ventas, sin partes de su nombre",
  ),
  cashiers: kept("Personas que atienden", staff),

  // What tax law keeps.
  invoices: kept("Documentos fiscales", "Los conserva la ley; el registro no dice quién compró", "law"),
  fiscal_documents: own(
    "Contenido de los documentos fiscales, con su comprador",
    "law",
    "Los emitidos los conserva la ley; de los rechazados o no emitidos se quita el comprador",
  ),
  document_xml: kept("XML de los documentos electrónicos", "Los conserva la ley", "law"),
  simulated_authority: kept("La DIAN de las pruebas", figures),
  fiscal_findings: texts("Avisos sobre documentos y ventas", "business"),
  fiscal_profiles: kept("Perfil fiscal", settings),
  numbering_ranges: kept("Rangos de numeración", settings),
  skipped_numbers: kept("Números saltados", settings),
  taken_numbers: kept("Números ya usados", figures),

  // What tells others.
  events: own(
    "Eventos",
    "events",
    "Los de sus registros quedan como el registro; en los demás se reemplaza lo que la nombra",
  ),
  webhook_deliveries: texts("Entregas de webhooks", "webhook_deliveries"),
  webhook_queue: texts("Entregas pendientes de webhooks", "use"),
  webhook_endpoints: kept("Webhooks", settings),
  webhook_hours: kept("Entregas por hora", figures, "webhook_hours"),
  webhook_resends: kept("Reenvíos de entregas", figures),
  idempotency_keys: own(
    "Respuestas guardadas de la API",
    "idempotency_keys",
    "Lo que la nombra se reemplaza; la respuesta cuya clave la nombra se borra",
  ),
  request_log: own(
    "Registro de solicitudes de la API",
    "request_log",
    "La dirección o el encabezado que la nombra, aunque sea en parte, se reemplaza entero",
  ),
  mails: own("Correos", "mails", "Los que iban a ella se borran; en los demás se reemplaza lo que la nombra"),
  ticket_mails: own(
    "Tiquetes por correo",
    "ticket_mails",
    "Queda que se pidió, sin su correo; lo que no había salido no sale",
  ),
  mail_suppressions: own(
    "Direcciones que no quieren correos",
    "business",
    "Una huella con clave, no la dirección. Se borra, salvo que ella haya pedido no recibir más: eso se le sigue cumpliendo",
  ),
  mail_turns: kept("Turnos del correo", figures),
  notices: texts("Avisos al dueño", "business"),
  alert_choices: kept("Alertas pedidas", settings),
  alerts_told: kept("Alertas ya dichas", figures),
  weekly_summaries: kept("Resumen semanal", settings),

  // What registers sent.
  push_receipts: kept("Recibos de lo que subió cada caja", "Solo huellas", "push_receipts"),
  quarantined_records: own(
    "Registros apartados",
    "use",
    "Los de sus clientes se borran; en los demás se reemplaza lo que la nombra",
  ),
  flagged_records: own(
    "Registros con valores raros",
    "business",
    "Los de sus clientes se borran; en los demás se reemplaza lo que la nombra",
  ),
  conflicts: own(
    "Ediciones que chocaron",
    "business",
    "Los de sus clientes se borran; en los demás se reemplaza lo que la nombra",
  ),
  devices: kept("Cajas", settings),
  device_progress: kept("Hasta dónde va cada caja", figures),
  enrolment_codes: kept("Códigos para vincular cajas", settings, "use"),
  register_places: kept("Bodega de cada caja", figures),
  erasures: kept("Borrados de personas", "Mientras corre, lo que se busca; después solo ids"),

  // What is counted.
  sale_hours: kept("Ventas por hora", figures),
  location_hours: kept("Ventas por hora de cada sede", figures),
  location_shifts: kept("Ventas por turno de cada sede", figures),
  location_taxes: kept("Impuestos por día de cada sede", figures),
  location_products: kept("Productos vendidos de cada sede", figures),
  sale_journal: kept("Ventas por contar", figures, "use"),
  sale_product_spans: kept("Ventas por producto, de días cerrados", figures),
  sale_products: kept("Ventas por producto", figures),
  cost_steps: kept("Lo que ha costado cada producto", figures),
  sale_costs: kept("Lo que costó cada venta", figures),
  margin_spans: kept("Margen de días cerrados", figures),
  sale_shifts: kept("Ventas por turno", figures),
  sale_taxes: kept("Impuestos por día", figures),
  stock_level_progress: kept("Existencias por bodega, hasta cuándo", figures),
  stock_levels: kept("Existencias por bodega", figures),
  stock_days: kept("Existencias de cada día", figures),
  stock_day_progress: kept("Existencias de cada día, hasta cuándo", figures),
  stock_transfers: texts("Traslados entre bodegas", "business"),
  tax_days: kept("Impuestos de días cerrados", figures),
  tax_days_seen: kept("Impuestos de días cerrados, hasta cuándo", figures),

  // What the business itself is.
  accounts: kept("Negocios y el correo de su dueño", staff),
  closed_accounts: kept("Negocios cerrados, y cuándo se van sus datos", figures),
  account_clock: kept("Reloj de cada negocio", figures),
  people: kept("Personas que entran al portal", staff, "people"),
  memberships: kept("Quién entra a qué negocio", staff, "use"),
  roles: kept("Roles propios del negocio", settings),
  invitations: kept("Invitaciones", staff, "use"),
  locations: kept("Sedes", settings),
  audit_heads: kept("Fin de la cadena de auditoría", figures),
  api_keys: kept("Claves de API", settings),
  audit_log: own(
    "Registro de auditoría",
    "business",
    "Lo que la nombra se reemplaza; la cadena guarda la huella de lo que decía",
  ),
  confirmations: texts("Códigos pedidos", "confirmations"),
  counter_settings: kept("Ajustes del mostrador", settings),
  email_changes: kept("Cambios de correo del dueño", staff, "use"),
  paper_settings: kept("Ajustes de los papeles", settings),
  password_resets: kept("Contraseñas por restablecer", staff, "use"),
  portal_sessions: kept("Sesiones abiertas del portal", staff, "use"),
  portal_settings: kept("Ajustes del portal", settings),
  product_imports: texts("Listas de productos importadas", "product_imports"),
  product_import_chunks: texts("Filas de esas listas", "product_imports"),
  product_thresholds: kept("Avisos de existencias bajas", figures),
  sign_in_failures: kept("Ingresos fallidos", staff, "sign_in_failures"),
  sign_ups: kept("Negocios por abrir", staff, "use"),
  sign_in_stages: kept("Ingresos a medias", staff, "use"),
  factors: kept("Segundos pasos para entrar", staff, "use"),
  recovery_codes: kept("Códigos de recuperación", staff, "use"),
  passkey_challenges: kept("Preguntas a las llaves de acceso", staff, "use"),
  trusted_browsers: kept("Navegadores recordados", staff, "use"),
  security_notices: kept("Avisos de seguridad", staff, "security_notices"),
  security_freezes: kept("Lo que congela un «no fui yo»", staff, "use"),

  // What the installation is.
  incidents: kept("Incidentes de la instalación", figures, "use"),
  fills: kept("Trabajos de las actualizaciones", figures, "use"),
  installation: kept("La instalación", figures, "use"),
  migrations: kept("Actualizaciones hechas", figures, "use"),
  rate_buckets: kept("Límites de velocidad", "Claves y direcciones de red", "use"),
} as const satisfies Record<string, HeldTable>;

export type TableName = keyof typeof heldTables;

export const tableNames = Object.keys(heldTables) as TableName[];

/** Those whose texts are searched and cleaned one chunk of rows after another. */
export const searchedTables: readonly TableName[] = tableNames.filter((name) =>
  ["texts", "own"].includes(heldTables[name].erasing),
);

/** Those whose records are. */
export const recordTables: readonly TableName[] = tableNames.filter((name) => heldTables[name].erasing === "record");
