import { Alert, Text } from "@mantine/core";
import { Link } from "wouter";
import { documentStates } from "../../../src/api/portal/lists/words.ts";
import type { SaleDetail } from "../lib/answers.ts";
import { pesos, quantity } from "../lib/format.ts";
import { documentName, isNote, movementTitle, taxName } from "../lib/record-words.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { documentTitle, paymentTitle } from "../lib/words.ts";
import { Icon } from "../ui/icons.tsx";
import { Section, StateBadge, Time } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";

type Sale = SaleDetail["sale"];

/** What does not add up in the sale itself, each with its next step; it goes when the sale is right. */
export function SaleFindings({ findings }: Pick<SaleDetail, "findings">) {
  const own = findings.filter(({ can_close }) => !can_close);
  return own.map(({ id, kind, gravity, message, next_step }) => (
    <Alert
      key={`${kind} ${id}`}
      color={gravity === "error" ? "red" : "yellow"}
      variant="light"
      mb="md"
      icon={<Icon name="alert" />}
      title={message}
    >
      {next_step}
    </Alert>
  ));
}

type Line = Pick<
  Sale["items"][number],
  "id" | "description" | "product_id" | "taxes" | "quantity" | "unit_price" | "subtotal"
>;

interface Sold {
  items: Line[];
  subtotal: number;
  discount: number;
  tip_amount?: number;
  total: number;
}

export function SaleLines({ sale }: { sale: Sold }) {
  return (
    <Section title="Líneas">
      <RecordTable
        label="Líneas"
        rows={sale.items}
        rowKey={({ id }) => id}
        columns={[
          { title: "Producto", cell: (line) => <LineName line={line} /> },
          { title: "Cantidad", isNumber: true, cell: (line) => quantity(line.quantity) },
          { title: "Precio", isNumber: true, cell: (line) => pesos(line.unit_price) },
          { title: "Subtotal", isNumber: true, cell: (line) => pesos(line.subtotal) },
        ]}
        sums={sumsOf(sale)}
      />
    </Section>
  );
}

/** The way from the lines to the total, as far as there is one. */
function sumsOf({ subtotal, discount, tip_amount: tip = 0, total }: Sold) {
  if (subtotal === total && discount === 0 && tip === 0) return [{ label: "Total", value: pesos(total) }];
  return [
    { label: "Subtotal", value: pesos(subtotal) },
    ...(discount === 0 ? [] : [{ label: "Descuento", value: `− ${pesos(discount)}` }]),
    ...(tip === 0 ? [] : [{ label: "Propina", value: pesos(tip) }]),
    // A sale that does not add up says so above; its total is not the sum of these.
    ...(subtotal - discount + tip === total ? [{ label: "Total", value: pesos(total) }] : []),
  ];
}

function LineName({ line: { description, product_id, taxes } }: { line: Line }) {
  const name = description ?? "Línea sin nombre";
  return (
    <span>
      {product_id ? <Link href={`/productos/${product_id}`}>{name}</Link> : name}
      <Text size="sm" c="dimmed" component="div">
        {taxes === null || taxes.length === 0 ? "Sin impuesto" : taxes.map(taxName).join(", ")}
      </Text>
    </span>
  );
}

export function SaleTaxes({ sale: { tax_breakdown, tax } }: { sale: Pick<Sale, "tax_breakdown" | "tax"> }) {
  if (!tax_breakdown || tax_breakdown.length === 0) return null;
  return (
    <Section title="Impuestos">
      <RecordTable
        label="Impuestos"
        rows={tax_breakdown}
        rowKey={(one) => taxName(one)}
        columns={[
          { title: "Impuesto", cell: (one) => taxName(one) },
          {
            title: "Base",
            isNumber: true,
            cell: ({ base, per_unit }) => (per_unit === null ? pesos(base) : `${quantity(base)} und`),
          },
          { title: "Valor", isNumber: true, cell: ({ amount }) => pesos(amount), total: pesos(tax) },
        ]}
      />
    </Section>
  );
}

export function SaleDocuments({ documents }: Pick<SaleDetail, "documents">) {
  return (
    <Section title="Documentos">
      {documents.length === 0 ? (
        <Text c="dimmed">Esta venta no tiene documento.</Text>
      ) : (
        <RecordTable
          label="Documentos de la venta"
          rows={documents}
          rowKey={({ id }) => id}
          href={({ id }) => `/documentos/${id}`}
          columns={[
            { title: "Documento", cell: (document) => documentName(document) },
            {
              title: "Clase",
              cell: (document) => (
                <span>
                  {documentTitle(document.document_type)}
                  {document.document_reason && (
                    <Text size="sm" c="dimmed" component="div">
                      {document.document_reason}
                    </Text>
                  )}
                </span>
              ),
            },
            { title: "Estado", cell: ({ status }) => <StateBadge {...documentStates[status]} /> },
            {
              title: "Total",
              isNumber: true,
              cell: (document) => `${isNote(document) ? "− " : ""}${pesos(document.total)}`,
            },
          ]}
        />
      )}
    </Section>
  );
}

export function SaleReturns({ returns }: Pick<SaleDetail, "returns">) {
  if (returns.length === 0) return null;
  return (
    <Section title="Devoluciones">
      <RecordTable
        label="Devoluciones"
        rows={returns}
        rowKey={({ id }) => id}
        columns={[
          { title: "Cuándo", cell: ({ occurred_at }) => <Time at={occurred_at} /> },
          {
            title: "Qué",
            cell: ({ lines, reason }) => (
              <span>
                {lines.map((line) => `${quantity(line.quantity)} × ${line.description ?? "línea"}`).join(", ")}
                {reason && (
                  <Text size="sm" c="dimmed" component="div">
                    {reason}
                  </Text>
                )}
              </span>
            ),
          },
          { title: "Medio", cell: ({ payment_method }) => paymentTitle(payment_method) },
          {
            title: "Salió de",
            cell: ({ drawer, payment_method }) =>
              drawer ? (
                <Link href={`/turnos/${drawer.id}`}>{drawer.register_name}</Link>
              ) : payment_method === "CASH" ? (
                "Ninguna caja"
              ) : (
                "–"
              ),
          },
          {
            title: "Papel",
            cell: ({ id }) => (
              <a href={fileAddress(`/returns/${id}/pdf`)} target="_blank" rel="noreferrer">
                PDF
              </a>
            ),
          },
          { title: "Devuelto", isNumber: true, cell: ({ total }) => pesos(total) },
        ]}
      />
    </Section>
  );
}

/** What its register changed afterwards: the day of the sale keeps what it had counted. */
export function SaleCorrections({ corrections }: Pick<SaleDetail, "corrections">) {
  if (corrections.length === 0) return null;
  return (
    <Section
      title="Correcciones"
      lead="La caja cambió esta venta cuando su día o su turno ya había cerrado. Ese cierre queda como estaba; la diferencia cuenta el día en que la caja la hizo."
    >
      <RecordTable
        label="Correcciones"
        rows={corrections}
        rowKey={({ id }) => id}
        columns={[
          { title: "Cuándo", cell: ({ occurred_at }) => <Time at={occurred_at} /> },
          { title: "Qué", cell: ({ kind }) => (kind === "sale" ? "La venta, como se contó" : "Corrección") },
          {
            title: "Medios",
            cell: ({ parts }) =>
              parts.map(({ payment_method, amount }) => `${paymentTitle(payment_method)} ${pesos(amount)}`).join(", "),
          },
          { title: "Total", isNumber: true, cell: ({ total }) => pesos(total) },
        ]}
      />
    </Section>
  );
}

export function SaleMovements({ movements }: Pick<SaleDetail, "movements">) {
  if (movements.length === 0) return null;
  return (
    <Section title="Inventario que movió">
      <RecordTable
        label="Movimientos de inventario"
        rows={movements}
        rowKey={({ id }) => id}
        columns={[
          { title: "Producto", cell: ({ product_name }) => product_name ?? "Un producto que aún no llega" },
          { title: "Movimiento", cell: ({ type, origin_type }) => movementTitle(origin_type ?? type) },
          { title: "Bodega", isExtra: true, cell: ({ warehouse_name }) => warehouse_name ?? "–" },
          { title: "Cuándo", isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: "Cantidad",
            isNumber: true,
            cell: (movement) => `${quantity(movement.quantity)} ${movement.base_unit ?? ""}`.trim(),
          },
        ]}
      />
    </Section>
  );
}
