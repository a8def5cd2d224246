import type { Issuance } from "../../src/fiscal/authority/dian/document/issuance.ts";
import type { DocumentKind } from "../../src/fiscal/authority/dian/document/kinds.ts";
import {
  contentOfNote,
  contentOfSale,
  type DocumentContent,
  type SealedDocument,
  sealDocument,
} from "../../src/fiscal/content/document-content.ts";
import type { Chance } from "../../src/operations/demo/random.ts";
import { softwarePin } from "./fiscal.ts";
import { issuedBefore, partOf, randomCart, sealFor } from "./random-cart.ts";

export const softwareId = "710d99d0-6d49-4e18-bb70-196d1b17785f";

/** A business that issues by itself, with the authority's published test range. */
export function testIssuance(kind: DocumentKind = "invoice"): Issuance {
  const prefix = kind === "pos" ? "EPOS" : "SETP";
  return {
    issuer: {
      name: "Tienda & Café <La Ñapa> S.A.S.",
      tradeName: "La Ñapa",
      organization: "company",
      regime: "iva",
      responsibilities: ["O-13", "O-15"],
      activity: "4711",
      address: {
        municipality: "05001",
        city: "Medellín",
        department: "Antioquia",
        postalZone: "050021",
        line: "Cra 45 # 12-34",
      },
      phone: "3001234567",
      email: "facturas@example.com",
    },
    software: {
      id: softwareId,
      pin: softwarePin,
      maker: { name: "Mostrador", business_name: "Mostrador", software_name: "Mostrador" },
    },
    environment: "test",
    authorization: {
      resolution: "18760000001",
      prefix,
      first: 1,
      last: 995000000,
      validFrom: "2019-01-19",
      validUntil: "2030-01-19",
    },
    cash: { location: "Principal", type: "Caja principal" },
  };
}

export interface Sample {
  kind: DocumentKind;
  document: SealedDocument;
}

/** A basket as its document, its note, a note of a part, and for an invoice the debit note of all of it. */
export function randomSamples(chance: Chance, number: number): Sample[] {
  const { sale, buyer, products } = randomCart(chance);
  const register = chance.happens(0.5) ? { id: null, name: "Caja 1", cashier: "Ana <3 & Luz" } : null;
  const content = contentOfSale(sale, buyer, { products, register });
  const isInvoice = content.type_document_id === 1;
  const noteKind = isInvoice ? "credit_note" : "pos_note";
  const whole = contentOfNote(content, { ...issuedBefore(content.type_document_id), concept: 2, reason: "Anulación" });
  const sealed = (one: DocumentContent) => sealDocument(one, sealFor(one, number));
  return [
    { kind: isInvoice ? "invoice" : "pos", document: sealed(content) },
    { kind: noteKind, document: sealed(whole) },
    { kind: noteKind, document: sealed(partOf(content, chance)) },
    ...(isInvoice ? [{ kind: "debit_note", document: sealed(whole) } as const] : []),
  ];
}
