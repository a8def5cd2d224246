import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { actPeople } from "../../../src/api/portal/lists/counter-acts.ts";
import { actTitles, saleKinds, saleState } from "../../../src/api/portal/lists/words.ts";
import type { Answer, SaleDetail } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { moment, pesos, plural } from "../lib/format.ts";
import { refreshMs, useMay } from "../lib/queries.ts";
import { customerName, documentName, isNote, ticketMailState } from "../lib/record-words.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { paymentTitle, paymentTitles } from "../lib/words.ts";
import { useSedeName } from "../lists/sede-column.tsx";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Icon } from "../ui/icons.tsx";
import { Heading, Id, Section, StateBadge, Time } from "../ui/parts.tsx";
import { FiscalFindings } from "./fiscal-findings.tsx";
import { SaleMargin } from "./margin-parts.tsx";
import { ReturnDialog } from "./return-dialog.tsx";
import {
  SaleCorrections,
  SaleDocuments,
  SaleFindings,
  SaleLines,
  SaleMovements,
  SaleReturns,
  SaleTaxes,
} from "./sale-parts.tsx";
import { ShareMenu } from "./share-menu.tsx";
import { ToInvoiceDialog } from "./to-invoice-dialog.tsx";

const back = { to: "/ventas", label: "Ventas" };

export default function Sale({ id }: { id: string }) {
  const detail = useQuery({
    queryKey: ["sale", id],
    queryFn: ({ signal }) => get<Answer<"GET /sales/:id">>(`/sales/${id}`, signal),
    refetchInterval: refreshMs,
  });
  if (!detail.data) return <DetailPending record={detail} heading="Venta" none="Esta venta no existe" back={back} />;
  const { sale, state, parts, documents, findings, movements, returns, corrections } = detail.data;
  const own = documents.find((document) => !isNote(document));
  const name = own && documentName(own);
  return (
    <>
      <Heading
        title={name ? `Venta ${name}` : `Venta del ${moment(sale.occurred_at)}`}
        lead={`${paymentTitles(parts)} · ${plural(sale.items.length, "línea", "líneas")}`}
        back={back}
      >
        <StateBadge {...saleState(state)} />
        <Actions detail={detail.data} />
      </Heading>
      <FiscalFindings saleId={id} />
      <SaleFindings findings={findings} />
      <Figures label="La venta en números">
        <Figure isMain label="Total" value={pesos(sale.total)} />
        {sale.discount > 0 && <Figure label="Descuento" value={pesos(sale.discount)} />}
        <Figure label="Impuestos" value={pesos(sale.tax)} />
        {sale.tip_amount > 0 && <Figure label="Propina" value={pesos(sale.tip_amount)} />}
        {returns.length > 0 && (
          <Figure label="Devuelto" value={pesos(returns.reduce((sum, { total }) => sum + total, 0))} />
        )}
      </Figures>
      <Detail aside={<About detail={detail.data} />}>
        <SaleLines sale={sale} />
        <SaleMargin id={id} />
        <SaleTaxes sale={sale} />
        <SaleDocuments documents={documents} />
        <SaleReturns returns={returns} />
        <SaleCorrections corrections={corrections} />
        <SaleMovements movements={movements} />
      </Detail>
    </>
  );
}

/** What can be done with a sale. Cancelling it is its register's. */
function Actions({ detail }: { detail: SaleDetail }) {
  const [open, setOpen] = useState<"return" | "invoice" | null>(null);
  const mayCorrect = useMay()("sales:correct");
  const { sale, documents, can_return, can_switch, buyer_link, customer } = detail;
  const own = documents.find((document) => !isNote(document));
  const close = () => setOpen(null);
  return (
    <>
      {own && <PaperMenu documentId={own.id} label="Tiquete o PDF" />}
      {own && <ShareMenu link={buyer_link} phone={customer?.phone} />}
      {mayCorrect && can_switch && (
        <Button variant="default" onClick={() => setOpen("invoice")}>
          Pasar a factura
        </Button>
      )}
      {mayCorrect && can_return && (
        <Button variant="default" onClick={() => setOpen("return")}>
          Devolver
        </Button>
      )}
      {open === "return" && <ReturnDialog detail={detail} onClose={close} />}
      {open === "invoice" && <ToInvoiceDialog saleId={sale.id} customerId={sale.customer_id} onClose={close} />}
    </>
  );
}

const papers = [
  { width: "80", title: "Tiquete de 80 mm" },
  { width: "58", title: "Tiquete de 58 mm" },
  { width: "a4", title: "Hoja carta o A4" },
] as const;

/** A document on paper, in a new tab: from there it is printed or saved. */
export function PaperMenu({ documentId, label }: { documentId: string; label: string }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="print" size={18} />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {papers.map(({ width, title }) => (
          <Menu.Item
            key={width}
            component="a"
            href={fileAddress(`/invoices/${documentId}/pdf?width=${width}`)}
            target="_blank"
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function About({ detail }: { detail: SaleDetail }) {
  const { sale, customer, device, shift, cashier, payments, ticket_mails, acts } = detail;
  const sede = useSedeName(sale.location_id);
  return (
    <Section title="Datos">
      <Facts
        facts={[
          ["Sede", sede],
          ["Vendida", <Time key="at" at={sale.occurred_at} />],
          ["Llegó al servidor", <Time key="at" at={sale.created_at} />],
          [
            "Cliente",
            customer ? (
              <Link key="to" href={`/clientes/${customer.id}`}>
                {customerName(customer)}
              </Link>
            ) : sale.customer_id ? (
              "Un cliente que aún no llega de su caja"
            ) : (
              "Consumidor final"
            ),
          ],
          [
            "Caja",
            device ? (
              <Link key="to" href={`/cajas/${device.id}`}>
                {shift?.register_name ?? device.name}
              </Link>
            ) : (
              shift?.register_name
            ),
          ],
          ["Atendió", cashier ?? shift?.opened_by],
          ["Turno", shift && <Link href={`/turnos/${shift.id}`}>Abierto el {moment(shift.opened_at)}</Link>],
          [payments ? "Medios de pago" : "Medio de pago", <Payments key="paid" detail={detail} />],
          ["Documento pedido", saleKinds[sale.document_kind]],
          [
            "Tiquete por correo",
            ticket_mails.length === 0
              ? null
              : ticket_mails.map((promised) => (
                  <div key={`${promised.email} ${promised.created_at}`} style={{ overflowWrap: "anywhere" }}>
                    {promised.email}: {ticketMailState(promised)}
                  </div>
                )),
          ],
          [
            "Actos de caja",
            acts.length === 0
              ? null
              : acts.map((act) => (
                  <div key={act.id}>
                    {actTitles[act.kind]}
                    {act.amount === null ? "" : ` ${pesos(act.amount)}`}: {actPeople(act)}
                  </div>
                )),
          ],
          ["Mesa o cliente", sale.table_label],
          ["Notas", sale.notes],
          ["Identificador", <Id key="id" value={sale.id} label="Copiar el identificador de la venta" />],
        ]}
      />
    </Section>
  );
}

function Payments({ detail: { sale, payments } }: { detail: SaleDetail }) {
  if (!payments) return paymentTitle(sale.payment_method);
  return payments.map(({ payment_method, amount, reference }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a means may be there twice, and the list never changes
    <div key={i}>
      {paymentTitle(payment_method)} {pesos(amount)}
      {reference && ` · ref. ${reference}`}
    </div>
  ));
}
