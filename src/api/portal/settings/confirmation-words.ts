import { spanishKinds } from "../../../fiscal/numbering/numbering.ts";
import type { ProfilePayload, RangePayload } from "./fiscal-settings.ts";

const regimes = { iva: "responsable de IVA", inc: "impuesto al consumo", none: "no responsable" };

/** Others may read the mail: of a secret it says only that it changes. */
export function profileLines(payload: ProfilePayload): string[] {
  const { nit, regime, documents, prices_include_tax, sealed_pin, sealed_token } = payload;
  return [
    `NIT: ${nit}`,
    `Régimen: ${regimes[regime]}`,
    `Documentos: ${documents === "electronic" ? "electrónicos ante la DIAN" : "internos"}`,
    `Precios: ${prices_include_tax ? "incluyen impuestos" : "antes de impuestos"}`,
    ...(payload.postal_zone_code === undefined ? [] : [`Zona postal: ${payload.postal_zone_code ?? "ninguna"}`]),
    ...(payload.max_contingency_hours === undefined
      ? []
      : [`Horas de espera a la DIAN: ${payload.max_contingency_hours ?? "las usuales"}`]),
    ...(payload.certificate_until === undefined
      ? []
      : [`Certificado vigente hasta: ${payload.certificate_until ?? "sin fecha"}`]),
    ...(sealed_pin === null ? [] : ["PIN del software: uno nuevo"]),
    ...(sealed_token === null ? [] : ["Token del proveedor: uno nuevo"]),
  ];
}

export function rangeLines(payload: RangePayload): string[] {
  const { kind, prefix, from, to, next, reason, valid_until, sealed_key, resolution } = payload;
  return [
    `Para: ${spanishKinds[kind]}`,
    `Números: ${prefix} ${from} a ${to}`.replace(":  ", ": "),
    ...(next === null ? [] : [`Próximo número: ${next}`]),
    ...(reason ? [`Motivo de los números saltados: ${reason}`] : []),
    ...(payload.valid_from === null ? [] : [`Vigente desde: ${payload.valid_from}`]),
    ...(valid_until === null ? [] : [`Vigente hasta: ${valid_until}`]),
    ...(payload.register_id === null ? [] : ["Solo para una caja"]),
    ...(payload.warehouse_id === null ? [] : [`Solo para las cajas de una bodega (${payload.registers.length})`]),
    ...(payload.location_id ? ["Solo para las cajas de una sede"] : []),
    ...(resolution === null ? [] : [`Resolución: ${resolution}`]),
    ...(sealed_key === null ? [] : ["Clave técnica: una nueva"]),
  ];
}

export function overlapText(hours: number): string {
  if (hours === 0) return "La clave anterior deja de funcionar de inmediato.";
  return `La clave anterior sigue funcionando ${hours === 1 ? "1 hora" : `${hours} horas`} más.`;
}
