import type { DocumentLine } from "../../../content/document-content.ts";
import { priceLine } from "../../amounts.ts";
import { group, leaf, type Xml } from "../xml/write-xml.ts";
import { amountOf, centsOf } from "./amounts.ts";
import { charge } from "./charges.ts";
import { otherPrice, ownItemScheme, pieces, units } from "./codes.ts";
import { type DocumentKind, kindOf } from "./kinds.ts";
import { taxTotals } from "./taxes.ts";

export function documentLine(kind: DocumentKind, line: DocumentLine, index: number): Xml {
  const { root, line: name, quantity } = kindOf(kind);
  const isFree = line.unit_price === 0 && line.extension === 0;
  const { priceCents, allowance } = isFree ? { priceCents: 0n, allowance: undefined } : priceLine(line);
  const unit = { unitCode: units[line.unit ?? "und"] ?? pieces };
  const discount = allowance && charge({ isCharge: false, ...allowance });
  const taxes = taxTotals(line.taxes);
  return group(
    `cac:${name}`,
    leaf("cbc:ID", String(index + 1)),
    leaf(`cbc:${quantity}`, String(line.quantity), unit),
    amountOf("cbc:LineExtensionAmount", line.extension),
    // The schema of debit notes has no place for it.
    root !== "DebitNote" && leaf("cbc:FreeOfChargeIndicator", String(isFree)),
    isFree && referencePrice(line),
    // Discounts stand before taxes in an invoice, and after them in notes.
    ...(root === "Invoice" ? [discount, ...taxes] : [...taxes, discount]),
    group(
      "cac:Item",
      leaf("cbc:Description", line.description),
      group(
        "cac:StandardItemIdentification",
        leaf("cbc:ID", line.code, { schemeID: ownItemScheme, schemeName: "Estándar de adopción del contribuyente" }),
      ),
    ),
    group("cac:Price", centsOf("cbc:PriceAmount", priceCents), leaf("cbc:BaseQuantity", String(line.quantity), unit)),
  );
}

/** What is given away is worth nothing in the document, and says what it would have cost. */
function referencePrice({ reference_price }: DocumentLine): Xml {
  return group(
    "cac:PricingReference",
    group(
      "cac:AlternativeConditionPrice",
      amountOf("cbc:PriceAmount", reference_price ?? 0),
      leaf("cbc:PriceTypeCode", otherPrice),
    ),
  );
}
