import type { DocumentCustomer } from "../../fiscal/content/document-content.ts";
import { customerNumber, finalConsumer, qrUrl } from "../../fiscal/content/document-hash.ts";
import {
  codeName,
  documentNoun,
  documentTitle,
  fullNumber,
  shortName,
  standingNotice,
} from "../../fiscal/content/document-words.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { meansOf, paymentName } from "../../taxes/means.ts";
import { formatNit } from "../../taxes/nit.ts";
import { dayText, instantText, money } from "../../taxes/words.ts";
import type { Block, Fact, Paper } from "../paper.ts";
import { goodsBlocks } from "./goods.ts";
import { letterhead } from "./letterhead.ts";
import type { DocumentFacts } from "./read-document.ts";

/** The graphic representation of a document, with everything that the authority wants to see on it. */
export function documentPaper(facts: DocumentFacts): Paper {
  const { invoice, content, look, profile } = facts;
  const isElectronic = invoice.document_type !== "internal_invoice";
  const number = invoice.number > 0 ? fullNumber(invoice) : null;
  const notice = standingNotice({ ...facts, status: invoice.status, message: invoice.dian_message, isElectronic });
  const name = `${shortName(invoice)} ${number ?? "sin número"}`;
  return {
    fileName: number ?? `documento-${invoice.id.slice(0, 8)}`,
    title: `${name} · ${look.printed_name}`,
    color: look.color,
    foot: `${name} · ${look.printed_name}`,
    at: invoice.updated_at,
    blocks: [
      letterhead(look, profile, documentTitle(invoice), number),
      ...(notice === undefined ? [] : [{ kind: "notice", text: notice } as const]),
      { kind: "facts", facts: documentFacts(facts) },
      { kind: "facts", title: "Cliente", facts: buyerFacts(content?.customer ?? null) },
      ...(content ? goodsBlocks(content) : bareAmounts(facts)),
      ...correctedCode(facts),
      ...(isElectronic ? seal(facts) : []),
      ...(look.footer ? [{ kind: "text", text: look.footer, isCentered: true } as const] : []),
    ],
  };
}

function documentFacts({ invoice, content, decidedAt, register }: DocumentFacts): Fact[] {
  const method = content?.payment_method;
  const corrected = content?.annuls;
  return [
    ["Fecha de generación", instantText(invoice.issued_at)],
    ...(decidedAt && invoice.status !== "pending" ? [["Fecha de validación", instantText(decidedAt)] as Fact] : []),
    ...(method
      ? [
          ["Forma de pago", meansOf(method).isCredit ? "Crédito" : "Contado"] as Fact,
          ["Medio de pago", paymentName(method)] as Fact,
        ]
      : []),
    ...(register ? [["Caja", register.name] as Fact] : []),
    ...(register?.cashier ? [["Cajero", register.cashier] as Fact] : []),
    ...(corrected
      ? [
          [
            "Documento que corrige",
            `${corrected.number} del ${dayText(bogotaDate(new Date(corrected.issued_at)))}`,
          ] as Fact,
        ]
      : []),
    ...(invoice.document_reason ? [["Motivo", invoice.document_reason] as Fact] : []),
    ["Moneda", "COP (peso colombiano)"],
  ];
}

function buyerFacts(customer: DocumentCustomer | null): Fact[] {
  const number = customerNumber(customer);
  if (customer === null || number === finalConsumer)
    return [
      ["Nombre", customer ? nameOf(customer) : "Consumidor final"],
      ["Documento", finalConsumer],
    ];
  const isNit = customer.document_type === "NIT" && /^\d{1,15}$/.test(number);
  return [
    ["Nombre", nameOf(customer)],
    ["Documento", `${customer.document_type} ${isNit ? formatNit(number) : number}`],
    ...(customer.phone ? [["Teléfono", customer.phone] as Fact] : []),
    ...(customer.email ? [["Correo", customer.email] as Fact] : []),
  ];
}

function nameOf({ name, last_name }: DocumentCustomer): string {
  return [name, last_name].filter(Boolean).join(" ");
}

/** A document whose sale is not here: only its own sums are known. */
function bareAmounts({ invoice }: DocumentFacts): Block[] {
  const { subtotal, tax, total } = invoice;
  return [
    {
      kind: "totals",
      totals: [
        { label: "Subtotal sin impuestos", value: money(subtotal) },
        { label: "Impuestos", value: money(tax) },
        { label: "TOTAL", value: money(total), isGrand: true },
      ],
    },
  ];
}

/** The code of the document that a note corrects: with its number and date, it tells which one that is. */
function correctedCode({ content }: DocumentFacts): Block[] {
  const corrected = content?.annuls;
  if (!corrected?.cufe) return [];
  const name = corrected.type_document_id === 1 ? "CUFE" : "CUDE";
  return [{ kind: "text", text: `${name} del documento que corrige: ${corrected.cufe}` }];
}

/** Resolution, code, QR, software and provider. */
function seal({ invoice, range, environment, profile, provider }: DocumentFacts): Block[] {
  const software = profile?.settings.software_manufacturer ?? {
    name: "Mostrador",
    business_name: "Mostrador",
    software_name: "Mostrador",
  };
  const made = [
    `Fabricante del software: ${software.business_name} (${software.name})`,
    `Software: ${software.software_name}`,
    `Proveedor tecnológico: ${provider}`,
  ];
  return [
    ...(range?.resolution ? [{ kind: "text", text: resolutionText(range) } as const] : []),
    ...(invoice.cufe
      ? [
          {
            kind: "code",
            label: codeName(invoice),
            code: invoice.cufe,
            url: qrUrl(invoice.cufe, environment === "live" ? "production" : "test"),
            explanation: `Representación gráfica ${documentNoun(invoice)}. Escanee el código QR para consultarlo en el catálogo de la DIAN.`,
          } as const,
        ]
      : [{ kind: "text", text: `Representación gráfica ${documentNoun(invoice)}.` } as const]),
    { kind: "text", text: `${made.join(" · ")}.` },
    ...(environment === "live"
      ? []
      : [{ kind: "text", text: "Ambiente de pruebas: este documento no tiene validez fiscal." } as const]),
  ];
}

type PaperRange = NonNullable<DocumentFacts["range"]> & { validFrom?: string | null };

function resolutionText({ resolution, prefix, first, last, validUntil, validFrom }: PaperRange): string {
  const from = validFrom ? `desde el ${dayText(validFrom)} ` : "";
  const validity = validUntil ? `, vigente ${from}hasta el ${dayText(validUntil)}` : "";
  return `Autorización de numeración de la DIAN n.º ${resolution}, ${prefix ? `prefijo ${prefix}, ` : ""}del ${first} al ${last}${validity}.`;
}
