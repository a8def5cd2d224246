import { must } from "../lib/must.ts";
import { unlinked } from "../lib/unlinked.ts";
import type { NoticeKind } from "../notices/record-notices.ts";
import { mail } from "./layout.ts";
import type { MailKind } from "./mail-kinds.ts";
import type { Mail } from "./queue-mail.ts";

export const noticeMailKind = "fiscal_notice" satisfies MailKind;

interface NoticeWords {
  subject: string;
  todo: string;
  link: { path: string; label: string };
}

const toRanges = { path: "/ajustes/facturacion#rangos", label: "Registrar un rango de numeración" };
const toProfile = { path: "/ajustes/facturacion#perfil-fiscal", label: "Revisar el perfil fiscal" };
const toSales = { path: "/ventas", label: "Ver las ventas" };
const toRegisters = { path: "/cajas", label: "Ver las cajas" };
const toDocuments = { path: "/documentos?estado=por-atender", label: "Ver los documentos por atender" };

/** Each notice's subject and next step, the most urgent first. */
const noticeWords: Record<NoticeKind, NoticeWords> = {
  huge_total: {
    subject: "Una caja subió una venta que no puede ser",
    todo: "Cuenta en sus cifras mientras no se anule. Averigüe quién la hizo; si nadie la reconoce, retire esa caja en Ajustes → Cajas.",
    link: toSales,
  },
  orders_waiting: {
    subject: "Un pedido está esperando",
    todo: "Acéptelo o rechácelo en Pedidos, o en una caja de su sede. Quien lo hizo no sabe todavía si se lo van a dar.",
    link: { path: "/pedidos?estado=placed", label: "Ver los pedidos por aceptar" },
  },
  numbering_unavailable: {
    subject: "Sus ventas se quedaron sin números de la DIAN",
    todo: "Las ventas se siguen registrando, pero sin documento. Pida a la DIAN la autorización de un rango nuevo, regístrelo en Ajustes → Facturación y reenvíe desde el portal los documentos que quedaron por atender.",
    link: toRanges,
  },
  emission_failed: {
    subject: "Un documento no se pudo emitir",
    todo: "Suele ser un dato del perfil fiscal: el PIN del software, el token del proveedor o la habilitación ante la DIAN. Corríjalo y reenvíe el documento.",
    link: toProfile,
  },
  document_rejected: {
    subject: "La DIAN rechazó un documento",
    todo: "Corrija lo que dice la DIAN en la venta, el cliente o el producto y reenvíe el documento: conserva su número.",
    link: toDocuments,
  },
  document_unsealed: {
    subject: "Un documento no se pudo sellar",
    todo: "La venta quedó registrada. Corrija el dato que falta y reenvíe el documento.",
    link: toDocuments,
  },
  two_documents: {
    subject: "Una venta tiene dos documentos",
    todo: "Deje uno solo: anule el otro con una nota, en el portal o en la caja que lo emitió.",
    link: toDocuments,
  },
  number_taken: {
    subject: "Una caja usó un número de sus rangos",
    todo: "Dé a esa caja un rango propio, con otro prefijo. El servidor no repite los números que ya vio.",
    link: toRanges,
  },
  sale_changed: {
    subject: "Una venta ya no dice lo mismo que su documento",
    todo: "Abra la venta en el portal: anule el documento con una nota y emita uno nuevo, o devuelva la venta a como estaba.",
    link: toDocuments,
  },
  sale_without_lines: {
    subject: "Una venta llegó sin líneas",
    todo: "No tiene documento. Complétela en la caja; cuando llegue con sus líneas, se emite solo.",
    link: toDocuments,
  },
  foreign_shift: {
    subject: "Una venta nombra el turno de otra caja",
    todo: "Cuenta en su día y en ningún turno. Averigüe quién la hizo; si nadie la reconoce, retire esa caja en Ajustes → Cajas.",
    link: toSales,
  },
  wrong_clock: {
    subject: "Una caja tiene mal la hora",
    todo: "Ponga en hora ese equipo: sus ventas cuentan en el día que dice su reloj.",
    link: toRegisters,
  },
  certificate_ending: {
    subject: "Vence el certificado con que se firman sus documentos",
    todo: "Pida el certificado nuevo a su entidad de certificación, súbalo donde su proveedor tecnológico y escriba en Ajustes → Facturación hasta cuándo vale.",
    link: toProfile,
  },
  range_ending: {
    subject: "Se acaban los números de la DIAN",
    todo: "Pida a la DIAN la autorización de un rango nuevo y regístrelo en Ajustes → Facturación: sigue solo cuando este termine.",
    link: toRanges,
  },
  unauthorized_act: {
    subject: "Alguien hizo en una caja algo sin permiso",
    todo: "Véalo en Actos de caja y hable con quien lo hizo. Si debía poder, dele el permiso en Ajustes → Mostrador.",
    link: { path: "/actos", label: "Ver los actos de caja" },
  },
  shift_short: {
    subject: "Un turno cerró con faltante",
    todo: "Abra el turno y compare lo contado con sus ventas en efectivo y lo que entró y salió.",
    link: { path: "/turnos", label: "Ver los turnos" },
  },
  register_silent: {
    subject: "Una caja no se comunica",
    todo: "Pregunte en el local si está encendida y con internet. Sigue vendiendo sin conexión; lo vendido llega cuando vuelva.",
    link: toRegisters,
  },
  stock_low: {
    subject: "Quedan pocas existencias",
    todo: "Pida lo que falte. Cuántas son pocas lo decide usted en Inventario.",
    link: { path: "/inventario", label: "Ver el inventario" },
  },
  authority_away: {
    subject: "Su negocio está en contingencia: la DIAN no responde",
    todo: "Siga vendiendo: los documentos POS se numeran, dicen en el tiquete que están por transmitir y se envían solos. Si pasan 48 horas, consulte a su contador.",
    link: toDocuments,
  },
  authority_stalled: {
    subject: "La DIAN no está respondiendo",
    todo: "No tiene que hacer nada: siga vendiendo. Los documentos salen solos cuando la DIAN responda.",
    link: toDocuments,
  },
  pos_above_limit: {
    subject: "Una venta con documento POS superó el tope",
    todo: "En la caja, elija factura electrónica para las ventas que pasen de ese valor.",
    link: toProfile,
  },
};

const mostUrgentFirst = Object.keys(noticeWords) as NoticeKind[];
/** An authority's message may be pages long; the portal shows all of it. */
const longestMessage = 600;

/** For whom a mail is, and what is left out of it. */
interface Reader {
  notListed?: number;
  /** What stands in place of a step that is not hers to take. */
  insteadOf?: (kind: NoticeKind) => string | undefined;
  /** Whether she may see the page that a notice leads to. */
  mayOpen?: (kind: NoticeKind) => boolean;
}

const toHome = { path: "/", label: "Abrir el portal" };

/** One mail for several notices about a business's documents, with the next steps as far as they are hers. */
export function noticesMail(
  publicUrl: string,
  notices: readonly { kind: NoticeKind; message: string; times: number }[],
  { notListed = 0, insteadOf = () => undefined, mayOpen = () => true }: Reader = {},
): Mail {
  const kinds = mostUrgentFirst.filter((kind) => notices.some((one) => one.kind === kind));
  const firstKind = must(kinds[0], "A mail of notices has at least one");
  const first = noticeWords[firstKind];
  // A label that names what is not hers to do is not on her button either.
  const link = mayOpen(firstKind) && insteadOf(firstKind) === undefined ? first.link : toHome;
  const subject = notices.length + notListed > 1 ? `${first.subject}, y otros avisos` : first.subject;
  return mail(noticeMailKind, subject, [
    ...kinds.flatMap((kind) => [
      ...notices
        .filter((one) => one.kind === kind)
        .map(({ message, times }) => `${unlinked(cut(message))}${timesText(times)}`),
      { step: insteadOf(kind) ?? noticeWords[kind].todo },
    ]),
    ...(notListed > 0 ? [notListed === 1 ? "Hay un aviso más." : `Hay ${notListed} avisos más.`] : []),
    { link: `${publicUrl}${link.path}`, label: link.label },
  ]);
}

function timesText(times: number): string {
  return times === 1 ? "" : ` (Ocurrió ${times} veces.)`;
}

function cut(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage).trimEnd()}…`;
}
