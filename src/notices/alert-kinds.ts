import type { NoticeKind } from "./record-notices.ts";

export interface AlertKind {
  /** What people read in Ajustes → Alertas. */
  title: string;
  text: string;
  /** Whether it is told to an owner who chose nothing. */
  usual: boolean;
  /** The notices that it stands for. One without any is mailed by itself. */
  notices: readonly NoticeKind[];
  /** Whether what it tells is known to be of one sede. */
  bySede?: true;
  /** Whether it would come too late in the hourly mail. */
  isUrgent?: true;
  /** From how many pesos on, where that is asked for. */
  amount?: number;
  /** Between which hours of the day, in Colombia. */
  hours?: readonly [from: number, to: number];
}

/** Everything that a business is told of by mail on request; nothing else is. The law's own notices are always told. */
export const alertKinds = {
  document_rejected: {
    title: "Un documento rechazado",
    text: "La DIAN rechazó un documento, o no se pudo emitir.",
    usual: true,
    notices: ["document_rejected", "document_unsealed", "emission_failed"],
  },
  range_ending: {
    title: "Números o certificado por terminar",
    text: "Se acaba un rango de numeración, o vence el certificado con que se firman los documentos.",
    usual: true,
    notices: ["range_ending", "certificate_ending"],
  },
  webhook_failing: {
    title: "Un webhook que falla",
    text: "Un webhook lleva horas sin recibir, o se desactivó.",
    usual: true,
    notices: [],
  },
  orders_waiting: {
    title: "Pedidos esperando",
    text: "Nadie ha aceptado ni rechazado un pedido en ese tiempo. Se avisa una vez por pedido, sin esperar a los demás avisos, y en la campana dura hasta que alguien lo tome.",
    usual: true,
    notices: ["orders_waiting"],
    bySede: true,
    isUrgent: true,
  },
  stock_low: {
    title: "Existencias bajas",
    text: "Un producto llegó a su límite de existencias bajas. Se avisa de nuevo cuando se repone y vuelve a bajar.",
    usual: false,
    notices: ["stock_low"],
  },
  shift_short: {
    title: "Faltante en un turno",
    text: "Un turno cerró con menos efectivo del esperado.",
    usual: false,
    notices: ["shift_short"],
    bySede: true,
    amount: 10_000,
  },
  register_silent: {
    title: "Una caja callada",
    text: "Una caja lleva una hora sin comunicarse mientras el negocio está abierto.",
    usual: false,
    notices: ["register_silent"],
    bySede: true,
    hours: [8, 20],
  },
  unauthorized_act: {
    title: "Un acto sin permiso",
    text: "Alguien hizo en una caja lo que sus permisos no le dejan.",
    usual: false,
    notices: ["unauthorized_act"],
    bySede: true,
  },
} as const satisfies Record<string, AlertKind>;

export type AlertName = keyof typeof alertKinds;
export const allAlerts = Object.keys(alertKinds) as AlertName[];

export function alertKind(name: AlertName): AlertKind {
  return alertKinds[name];
}

/** The alert that a notice is part of; the others are always told. */
export function alertOf(notice: NoticeKind): AlertName | undefined {
  return allAlerts.find((name) => alertKind(name).notices.includes(notice));
}
