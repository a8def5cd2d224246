import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { purchaseWords, termWords } from "../../../src/api/portal/lists/words.ts";
import { purchaseStates } from "../../../src/business/purchases/states.ts";
import { patch } from "../lib/api.ts";
import { awaited, here, type PurchaseDetail, refreshPurchases, usePurchase } from "../lib/buying-queries.ts";
import { cost, number, pesos } from "../lib/format.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { Allowed } from "../ui/allowed.tsx";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Heading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";
import { MailPurchaseDialog } from "./mail-purchase-dialog.tsx";
import { Unmatched } from "./match-dialog.tsx";
import { type Decision, DecisionDialog, isDecision } from "./purchase-decision.tsx";
import { Payments } from "./purchase-payments.tsx";
import { Receipts } from "./purchase-receipts.tsx";
import { ReceiveDialog } from "./receive-dialog.tsx";
import { SaleTaxes } from "./sale-parts.tsx";

const back = { to: "/compras", label: "Compras" };

export default function PurchasePage({ id }: { id: string }) {
  const detail = usePurchase(id);
  if (!detail.data) return <DetailPending record={detail} heading="Compra" none="Esta compra no existe" back={back} />;
  const { purchase } = detail.data;
  const left = purchase.owed - purchase.paid;
  return (
    <>
      <Heading title={`Compra ${purchase.number}`} lead={purchase.supplier_name} back={back}>
        <StateBadge {...purchaseWords[purchase.status]} />
        <Button
          component="a"
          href={fileAddress(`/purchases/${id}/pdf`)}
          target="_blank"
          variant="default"
          leftSection={<Icon name="print" size={18} />}
        >
          PDF
        </Button>
        <Allowed to="purchases:write">
          <Acts detail={detail.data} />
        </Allowed>
      </Heading>
      <Unmatched purchase={purchase} />
      <Figures label="La compra en números">
        <Figure isMain label="Total" value={pesos(purchase.total)} />
        <Figure label="Impuestos" value={pesos(purchase.tax)} />
        {purchase.charges_total > 0 && <Figure label="Flete y cargos" value={pesos(purchase.charges_total)} />}
        {purchase.receipts.length > 0 && <Figure label="Por pagar" value={pesos(left)} />}
      </Figures>
      <Detail aside={<About detail={detail.data} />}>
        <Lines detail={detail.data} />
        <SaleTaxes sale={purchase} />
        <Receipts detail={detail.data} />
        <Payments detail={detail.data} />
      </Detail>
    </>
  );
}

type Open = Decision | "receipt" | "return" | "mail";

/** What may be done with it where it stands. */
function Acts({ detail }: { detail: PurchaseDetail }) {
  const { purchase, version } = detail;
  const [open, setOpen] = useState<Open>();
  const notify = useNotify();
  const close = () => setOpen(undefined);
  const { isOpen, receives } = purchaseStates[purchase.status];
  const canReturn = purchase.lines.some((line) => here(line) > 0);
  async function become(status: Decision, said: string): Promise<void> {
    await patch(`/purchases/${purchase.id}`, { status }, { "if-match": version });
    await refreshPurchases();
    notify(said);
    close();
  }
  return (
    <>
      {purchase.status === "draft" && (
        <Button variant="default" onClick={() => setOpen("ordered")}>
          Pedir…
        </Button>
      )}
      {receives && purchase.lines.some((line) => awaited(line) > 0) && (
        <Button onClick={() => setOpen("receipt")}>Recibir…</Button>
      )}
      {canReturn && (
        <Button variant="default" onClick={() => setOpen("return")}>
          Devolver…
        </Button>
      )}
      {isOpen && (
        <Button component={Link} href={`/compras/${purchase.id}/editar`} variant="default">
          Editar
        </Button>
      )}
      {(purchase.status === "partly_received" || purchase.status === "received") && (
        <Button variant="default" onClick={() => setOpen("closed")}>
          Cerrar…
        </Button>
      )}
      {isOpen && (
        <Button variant="default" onClick={() => setOpen("cancelled")}>
          Cancelar…
        </Button>
      )}
      {(open === "receipt" || open === "return") && <ReceiveDialog purchase={purchase} kind={open} onClose={close} />}
      {purchase.status !== "cancelled" && (
        <Button variant="default" leftSection={<Icon name="mail" size={18} />} onClick={() => setOpen("mail")}>
          Enviar…
        </Button>
      )}
      {open === "mail" && <MailPurchaseDialog detail={detail} onClose={close} />}
      {open && isDecision(open) && <DecisionDialog purchase={purchase} to={open} run={become} onClose={close} />}
    </>
  );
}

function Lines({ detail: { purchase, products } }: { detail: PurchaseDetail }) {
  const units = new Map(products.map(({ id, base_unit }) => [id, base_unit]));
  return (
    <Section title="Líneas">
      <RecordTable
        label="Líneas"
        rows={purchase.lines}
        rowKey={({ id }) => id}
        columns={[
          {
            title: "Producto",
            cell: (line) => (
              <span>
                {line.product_id ? (
                  <Link href={`/productos/${line.product_id}`}>{line.description}</Link>
                ) : (
                  line.description
                )}
                <Text size="sm" c="dimmed" component="div">
                  {[line.supplier_code, line.factor === 1 ? line.unit : `${line.unit}, de ${number(line.factor)}`]
                    .filter(Boolean)
                    .join(" · ")}
                </Text>
              </span>
            ),
          },
          { title: "Cantidad", isNumber: true, cell: (line) => number(line.quantity) },
          {
            title: "Recibido",
            isNumber: true,
            cell: (line) => `${number(line.received)}${line.returned > 0 ? `, devuelto ${number(line.returned)}` : ""}`,
          },
          { title: "Costo", isNumber: true, cell: (line) => cost(line.unit_cost) },
          {
            title: "Costo puesto",
            isNumber: true,
            isExtra: true,
            cell: (line) => `${cost(line.landed_unit_cost)} / ${units.get(line.product_id ?? "") ?? "und"}`,
          },
          { title: "Subtotal", isNumber: true, cell: (line) => pesos(line.subtotal) },
        ]}
        sums={[
          { label: "Subtotal", value: pesos(purchase.subtotal) },
          ...(purchase.tax === 0 ? [] : [{ label: "Impuestos", value: pesos(purchase.tax) }]),
          ...purchase.charges.map((charge) => ({
            label: charge.in_invoice ? charge.description : `${charge.description}, lo cobra otro`,
            value: pesos(charge.amount + charge.tax),
          })),
          ...(purchase.rounding === 0 ? [] : [{ label: "Ajuste al peso", value: pesos(purchase.rounding) }]),
          { label: "Total", value: pesos(purchase.total) },
        ]}
      />
    </Section>
  );
}

function About({ detail: { purchase, supplier, warehouse } }: { detail: PurchaseDetail }) {
  const time = (at: string | null) => at && <Time key="at" at={at} />;
  return (
    <Section title="Datos">
      <Facts
        facts={[
          [
            "Proveedor",
            <Link key="to" href={`/proveedores/${supplier.id}`}>
              {purchase.supplier_name}
            </Link>,
          ],
          ["Teléfono", supplier.phone],
          ["Plazo", termWords(supplier.term_days)],
          ["Factura", purchase.invoice_number],
          ["Fecha de la factura", purchase.invoice_date],
          ["Vence", purchase.due_date],
          ["CUFE", purchase.cufe && <span className="anywhere">{purchase.cufe}</span>],
          ["Llega a", warehouse],
          ["Hecha", time(purchase.created_at)],
          ["Pedida", time(purchase.ordered_at)],
          ["Recibida", time(purchase.received_at)],
          ["Cerrada", time(purchase.closed_at)],
          ["Cancelada", time(purchase.cancelled_at)],
          ["Motivo", purchase.cancelled_reason],
          ["Pagado", purchase.paid > 0 ? pesos(purchase.paid) : null],
          ["Notas", purchase.notes],
        ]}
      />
    </Section>
  );
}
