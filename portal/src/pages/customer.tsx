import { Alert, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { quoteList } from "../../../src/api/portal/lists/quotes.ts";
import { saleList } from "../../../src/api/portal/lists/sales.ts";
import { contactChannels, personTypes } from "../../../src/api/portal/lists/words.ts";
import type { Answer, Customer as CustomerRecord, QuoteRow, SaleRow } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { moment, pesos } from "../lib/format.ts";
import { useList, useSession } from "../lib/queries.ts";
import { customerName, identityOf } from "../lib/record-words.ts";
import { type Cells, columnsOf } from "../lists/cells.tsx";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, Heading, LoadMore, Section, StateBadge, Time } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";
import { CustomerDialog } from "./customer-dialog.tsx";
import { isNothing, movementState, SaleFigures } from "./sales.tsx";

const back = { to: "/clientes", label: "Clientes" };

export default function Customer({ id }: { id: string }) {
  const detail = useQuery({
    queryKey: ["customer", id],
    queryFn: ({ signal }) => get<Answer<"GET /customers/:id">>(`/customers/${id}`, signal),
  });
  const [isEditing, setEditing] = useState(false);
  if (!detail.data)
    return <DetailPending record={detail} heading="Cliente" none="Este cliente no existe" back={back} />;
  const { customer, totals } = detail.data;
  return (
    <>
      <Heading title={customerName(customer)} lead={identityOf(customer) ?? "Sin documento"} back={back}>
        {customer.deleted_at === null && (
          <Button variant="default" leftSection={<Icon name="edit" size={18} />} onClick={() => setEditing(true)}>
            Editar
          </Button>
        )}
      </Heading>
      {isEditing && <CustomerDialog detail={detail.data} onClose={() => setEditing(false)} />}
      {customer.deleted_at && (
        <Alert color="yellow" variant="light" mb="md" icon={<Icon name="alert" />}>
          {customer.erased_at
            ? `Sus datos personales se borraron el ${moment(customer.erased_at)}. Sus ventas siguen aquí.`
            : `Una caja lo eliminó el ${moment(customer.deleted_at)}. Sus ventas siguen aquí.`}
        </Alert>
      )}
      {!isNothing(totals) && <SaleFigures totals={totals} />}
      <Detail aside={<About customer={customer} />}>
        <Bought customerId={id} />
        <Quoted customerId={id} />
      </Detail>
    </>
  );
}

const boughtCells: Cells<SaleRow, "state" | "total"> = {
  state: (row) => <StateBadge {...movementState(row)} />,
  total: ({ total }) => pesos(total),
};

function Bought({ customerId }: { customerId: string }) {
  const list = useList<SaleRow>("/sales", { customer_id: customerId });
  return (
    <Section title="Ventas" aside={<Link href={`/ventas?cliente=${customerId}`}>Verlas todas</Link>}>
      {list.data?.length === 0 && <Empty icon="sale" title="Todavía no ha comprado" />}
      {list.data && list.data.length > 0 && (
        <RecordTable
          label="Ventas del cliente"
          rows={list.data}
          rowKey={({ id }) => id}
          href={({ sale_id }) => `/ventas/${sale_id}`}
          columns={columnsOf(saleList(), boughtCells, ["occurred_at", "means", "state", "total"])}
        />
      )}
      <LoadMore list={list} />
    </Section>
  );
}

function Quoted({ customerId }: { customerId: string }) {
  const list = useList<QuoteRow>("/quotes", { customer_id: customerId });
  if (!list.data || list.data.length === 0) return null;
  return (
    <Section title="Cotizaciones">
      <RecordTable
        label="Cotizaciones del cliente"
        rows={list.data}
        rowKey={({ id }) => id}
        href={({ id }) => `/cotizaciones/${id}`}
        columns={columnsOf(quoteList, {}, ["name", "issued_at", "status", "total"])}
      />
      <LoadMore list={list} />
    </Section>
  );
}

function consentText({ accepts_marketing, accepts_marketing_at, accepts_marketing_source }: CustomerRecord) {
  if (accepts_marketing === undefined) return null;
  const where = accepts_marketing_source ? ` (${accepts_marketing_source})` : "";
  const when = accepts_marketing_at ? `, ${moment(accepts_marketing_at)}` : "";
  return `${accepts_marketing ? "La autorizó" : "No la autorizó"}${when}${where}`;
}

/** Her copy of them, or their end. */
function dataLink({ document_number, email, erased_at }: CustomerRecord) {
  const known = document_number ?? email;
  if (erased_at) return `Borrados el ${moment(erased_at)}`;
  return (
    known && <Link href={`/ajustes/datos-personales?persona=${encodeURIComponent(known)}`}>Descargar o borrar</Link>
  );
}

function About({ customer }: { customer: CustomerRecord }) {
  const seesAll = useSession().data?.location_ids === null;
  const { email, phone, person_type, contact_channel, created_at, updated_at } = customer;
  return (
    <Section title="Datos">
      <Facts
        facts={[
          ["Documento", identityOf(customer)],
          ["Persona", personTypes[person_type].title],
          ["Teléfono", phone && <a href={`tel:${phone.replace(/[^\d+]/g, "")}`}>{phone}</a>],
          ["Correo", email && <a href={`mailto:${email}`}>{email}</a>],
          ["Cómo llegó", contact_channel && contact_channel !== "none" ? contactChannels[contact_channel].title : null],
          ["Publicidad", consentText(customer)],
          ["Datos personales", seesAll && dataLink(customer)],
          ["Cliente desde", <Time key="at" at={created_at} />],
          ["Último cambio", updated_at === created_at ? null : <Time key="at" at={updated_at} />],
        ]}
      />
    </Section>
  );
}
