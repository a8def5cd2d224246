import type { AuditAction } from "../../../access/accounts/audit-actions.ts";
import type { AuditedKind } from "../../../access/accounts/audit-record.ts";
import type { Actor } from "../../../access/accounts/record-audit.ts";

/** What an owner reads of each act in the audit log. */
export const auditActions: Record<AuditAction, string> = {
  "session.opened": "Ingreso al portal",
  "session.failed": "Intento de ingreso con una contraseña equivocada",
  "session.revoked": "Se cerró una sesión",
  "session.revoked_others": "Se cerraron las demás sesiones",
  "password.changed": "Cambió la contraseña",
  "password.reset": "Se restableció la contraseña por correo",
  "account.created": "Se creó la cuenta",
  "account.set": "El administrador cambió el plan, el estado o los tiquetes por correo de la cuenta",
  "account.renamed": "Cambió el nombre del negocio",
  "account.change_email": "Cambió el correo de la cuenta",
  "account.undo_email_change": "Se deshizo el cambio de correo desde el correo anterior",
  "webhook_endpoint.create": "Se agregó un webhook",
  "webhook_endpoint.change_url": "Cambió la dirección de un webhook",
  "webhook_endpoint.rotate_secret": "Se rotó el secreto de un webhook",
  "webhook_endpoint.updated": "Se editaron los eventos de un webhook",
  "webhook_endpoint.deleted": "Se eliminó un webhook",
  "webhook_endpoint.pause": "Se pausó un webhook",
  "webhook_endpoint.resume": "Se reanudó un webhook",
  "webhook_endpoint.reactivate": "Se reactivó un webhook",
  "webhook_endpoint.deactivated": "Se desactivó un webhook por fallos continuos",
  "api_key.create": "Se creó una clave de API",
  "api_key.rotate": "Se rotó una clave de API",
  "api_key.revoked": "Se revocó una clave de API",
  "api_key.reported": "Se revocó una clave de API que alguien encontró publicada",
  "api_key.restrict": "Cambió desde dónde sirve una clave de API",
  "api_key.policy_set": "Cambió cuánto duran las claves de API nuevas",
  "api_key.address_refused": "Se usó una clave de API desde una dirección que no está permitida",
  "device.enrol": "Se creó un código para vincular una caja",
  "device.enrolled": "Se vinculó una caja",
  "device.token_rotated": "Una caja cambió su token",
  "device.renamed": "Se cambió el nombre de una caja",
  "device.revoked": "Se retiró una caja",
  "records.handed_in": "Se recibió el archivo de una caja",
  "records.retried": "Se guardaron registros que estaban apartados",
  "cashier.created": "Se agregó a una persona que atiende",
  "cashier.updated": "Se editó a una persona que atiende",
  "cashier.retired": "Se retiró a una persona que atiende",
  "fiscal_profile.set": "Cambió el perfil fiscal",
  "numbering_range.set": "Se registró un rango de numeración",
  "invoice.resent": "Se reenvió un documento a la DIAN",
  "audit.redacted": "Se borraron datos de una persona de este registro",
  "finding.closed": "Se dio por resuelto un aviso de documentos",
  "sale.returned": "Se registró una devolución",
  "sale.invoiced": "Se cambió un documento POS por factura",
  "invoice.mailed": "Se envió un documento por correo",
  "ticket_mail.set": "Se encendieron o apagaron los tiquetes por correo",
  "look.set": "Cambió el aspecto de los documentos",
  "accounting_codes.set": "Cambiaron las cuentas contables",
};

/** Who did it, where no person is known. */
export const auditActors: Record<Actor["kind"], string> = {
  owner: "El portal",
  operator: "El operador de la instalación",
  register: "Una caja",
  service: "El servicio",
  stranger: "Alguien que no entró",
};

/** Where the portal shows what an entry is about. */
export const auditedPages: Record<AuditedKind, { title: string; path: `/${string}` }> = {
  sale: { title: "Venta", path: "/ventas" },
  invoice: { title: "Documento", path: "/documentos" },
  api_key: { title: "Clave de API", path: "/claves" },
  webhook_endpoint: { title: "Webhook", path: "/webhooks" },
  register: { title: "Caja", path: "/cajas" },
  customer: { title: "Cliente", path: "/clientes" },
};
