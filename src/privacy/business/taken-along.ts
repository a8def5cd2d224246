import type { TableName } from "../tables.ts";

export interface TakenAlong {
  /** Of its file. */
  name: string;
  /** What the file is, for its owner. */
  says: string;
  table: TableName;
  /** Tells its rows apart, in whose order they are read. */
  key: string;
  columns: string;
  /** The column that says whose it is. */
  owner?: "id" | "account_id";
}

/** What is no published record: each with the columns that an owner may take away, which no secret is among. */
export const takenAlong: readonly TakenAlong[] = [
  {
    ...{ name: "documentos-xml", table: "document_xml", key: "invoice_id" },
    says: "el XML que validó la DIAN, por invoice_id",
    columns: "invoice_id, created_at, convert_from(xml, 'UTF8') as xml",
  },
  {
    ...{ name: "documentos-contenido", table: "fiscal_documents", key: "invoice_id" },
    says: "lo que dice cada documento",
    columns: "invoice_id, number, state, corrects, annuls, created_at, content",
  },
  {
    ...{ name: "ventas-anuladas", table: "sale_cancellations", key: "sale_id" },
    says: "las ventas anuladas, en los libros",
    columns: "sale_id, occurred_at, device_id, cash_session_id, body",
  },
  {
    ...{ name: "ventas-corregidas", table: "sale_corrections", key: "id" },
    says: "las ventas corregidas, en los libros",
    columns: "id, sale_id, occurred_at, device_id, cash_session_id, body",
  },
  {
    ...{ name: "traslados", table: "stock_transfers", key: "id" },
    says: "los traslados entre bodegas",
    columns: "id, number, state, from_location_id, to_location_id, created_at, updated_at, body",
  },
  {
    ...{ name: "lo-que-venden-los-proveedores", table: "supplier_items", key: "supplier_id::text || ' ' || key" },
    says: "lo que vende cada proveedor, con su código y su último costo",
    columns: "supplier_id, code, product_id, variant_id, description, unit, factor, last_cost, bought_at",
  },
  {
    ...{ name: "costo-de-lo-vendido", table: "sale_costs", key: "record_id::text || ' ' || kind || ' ' || product_id" },
    says: "lo que costó cada producto de cada venta; vacío si no se sabe",
    columns: "record_id, kind, sale_id, product_id, day, milli, net, cost, is_guess, first_cost, recosted_at",
  },
  {
    ...{ name: "por-pagar", table: "payable_entries", key: "id" },
    says: "lo que se debe a los proveedores y lo pagado, asiento por asiento",
    columns: "id, supplier_id, purchase_id, kind, amount, means, cash_session_id, note, paid_on, undoes, created_at",
  },
  {
    ...{ name: "personas", table: "cashiers", key: "id" },
    says: "quienes atienden, con sus permisos y sus sedes (vacío: todas)",
    columns: "id, name, permissions, rights, location_ids, created_at, updated_at, deleted_at",
  },
  {
    ...{ name: "miembros", table: "memberships", key: "person_id" },
    says: "quién entra al portal, con su papel y sus sedes (vacío: todas)",
    columns: `person_id, (select email from people p where p.id = person_id) as email,
      (select name from people p where p.id = person_id) as name, role, role_id, location_ids, created_at, updated_at`,
  },
  {
    ...{ name: "roles", table: "roles", key: "id" },
    says: "los roles propios del negocio, con sus derechos",
    columns: "id, name, rights, created_at, updated_at",
  },
  {
    ...{ name: "cajas", table: "devices", key: "id" },
    says: "las cajas, con su sede (vacío: la primera)",
    columns: "id, name, location_id, app_version, created_at, last_seen_at, revoked_at",
  },
  { name: "actos-de-caja", table: "counter_acts", key: "id", says: "lo que se hizo en las cajas", columns: "*" },
  {
    ...{ name: "rangos", table: "numbering_ranges", key: "id" },
    says: "los rangos de numeración, con la caja, la bodega o la sede a la que sirven",
    columns: `id, kind, prefix, first_number, last_number, next_number, valid_from, valid_until, resolution,
      register_id, warehouse_id, location_id, created_at`,
  },
  {
    ...{ name: "numeros-saltados", table: "skipped_numbers", key: "range_id::text || first_number" },
    says: "los números que se saltaron, y por qué",
    columns: "range_id, first_number, last_number, reason, recorded_by, created_at",
  },
  {
    ...{ name: "perfil-fiscal", table: "fiscal_profiles", key: "account_id" },
    says: "el perfil fiscal, sin el PIN ni el token",
    columns: "nit, regime, prices_include_tax, documents, settings, since, updated_at",
  },
  {
    ...{ name: "negocio", table: "accounts", key: "id", owner: "id" },
    says: "el negocio y lo que pide a quienes entran",
    columns: "id, name, email, plan, created_at, max_key_days, demands_second_step, refund_step_up_above",
  },
  {
    ...{ name: "ajustes-del-mostrador", table: "counter_settings", key: "account_id" },
    says: "los ajustes de las cajas",
    columns: `info, ticket_header, ticket_footer, color, cash_rounding, tip_percent, blind_count, mails_tickets, lock_minutes,
      scale_labels, updated_at`,
  },
  {
    ...{ name: "ajustes-de-los-papeles", table: "paper_settings", key: "account_id" },
    says: "cómo se ven los papeles, y sus cuentas contables",
    columns: "look, accounts, updated_at",
  },
  {
    ...{ name: "ajustes-del-portal", table: "portal_settings", key: "account_id" },
    says: "desde cuándo son bajas las existencias, y cuántos minutos puede esperar un pedido",
    columns: "low_stock, order_wait_minutes",
  },
  {
    ...{ name: "existencias-bajas", table: "product_thresholds", key: "product_id" },
    says: "desde cuándo lo son, por producto",
    columns: "product_id, low_stock",
  },
  {
    ...{ name: "alertas", table: "alert_choices", key: "person_id::text || kind" },
    says: "las alertas que pidió cada persona",
    columns: "person_id, kind, is_active, amount, from_hour, to_hour, updated_at",
  },
  {
    ...{ name: "webhooks", table: "webhook_endpoints", key: "id" },
    says: "los webhooks, sin su secreto ni el valor de sus cabeceras",
    columns: "id, name, url, event_types, location_ids, header_names, status, created_at, updated_at",
  },
  {
    ...{ name: "registro-de-auditoria", table: "audit_log", key: "id" },
    says: "quién hizo qué, con su número y las huellas de la cadena, en hexadecimal",
    columns: `id, created_at, seq, action, actor, person_id, person_name, role, session_id, remote_address, details, times,
      encode(previous, 'hex') as previous, encode(hash, 'hex') as hash, encode(times_hash, 'hex') as times_hash,
      encode(replaced, 'hex') as replaced`,
  },
  {
    ...{ name: "fin-de-la-auditoria", table: "audit_heads", key: "account_id" },
    says: "dónde termina esa cadena",
    columns: "count, encode(hash, 'hex') as hash, kept_seq, encode(kept_hash, 'hex') as kept_hash",
  },
];
