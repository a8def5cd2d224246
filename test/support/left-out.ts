import type { TableName } from "../../src/privacy/tables.ts";

const secrets = "Da acceso, o sirve para entrar: no sale de aquí";
const counted = "Se cuenta de las ventas y los movimientos, que van";
const passing = "Trabajo en curso, que se va solo";
const told = "Copia de lo que ya se dijo o se mandó; lo que pasó está en los registros";
const service = "Es de la instalación, no del negocio";

/** What of a table is no part of the whole business that its owner takes away, and why. */
export const leftOut: Partial<Record<TableName, string>> = {
  ...of(secrets, [
    ...["api_keys", "enrolment_codes", "confirmations", "email_changes", "password_resets", "portal_sessions"],
    ...["sign_in_failures", "sign_ups", "sign_in_stages", "factors", "recovery_codes", "passkey_challenges"],
    ...["trusted_browsers", "security_notices", "security_freezes", "people", "invitations"],
  ]),
  ...of(counted, [
    ...["stock_reservations", "sale_hours", "location_hours", "location_shifts", "location_taxes", "location_products"],
    ...["sale_journal", "sale_product_spans", "sale_products", "sale_shifts", "sale_taxes", "stock_level_progress"],
    ...["cost_steps", "margin_spans", "stock_days", "stock_day_progress"],
    ...["stock_levels", "tax_days", "tax_days_seen", "register_places", "taken_numbers"],
  ]),
  ...of(passing, [
    ...[
      "parked_returns",
      "webhook_queue",
      "idempotency_keys",
      "push_receipts",
      "quarantined_records",
      "device_progress",
    ],
    ...["product_imports", "product_import_chunks", "closed_accounts", "account_clock", "mail_turns", "erasures"],
  ]),
  ...of(told, [
    ...["events", "webhook_deliveries", "webhook_hours", "webhook_resends", "request_log", "mails", "ticket_mails"],
    ...[
      "mail_suppressions",
      "notices",
      "alerts_told",
      "weekly_summaries",
      "fiscal_findings",
      "flagged_records",
      "conflicts",
    ],
  ]),
  ...of(service, ["simulated_authority", "fills", "incidents", "installation", "migrations", "rate_buckets"]),
};

function of(why: string, names: readonly string[]): Partial<Record<TableName, string>> {
  return Object.fromEntries(names.map((name) => [name, why]));
}
