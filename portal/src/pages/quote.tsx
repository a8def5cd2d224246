import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { quoteStates } from "../../../src/api/portal/lists/words.ts";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { pesos } from "../lib/format.ts";
import { refreshMs } from "../lib/queries.ts";
import { customerName, documentName } from "../lib/record-words.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Icon } from "../ui/icons.tsx";
import { Heading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { SaleLines, SaleTaxes } from "./sale-parts.tsx";

const back = { to: "/cotizaciones", label: "Cotizaciones" };

export default function Quote({ id }: { id: string }) {
  const detail = useQuery({
    queryKey: ["quote", id],
    queryFn: ({ signal }) => get<Answer<"GET /quotes/:id">>(`/quotes/${id}`, signal),
    refetchInterval: refreshMs,
  });
  if (!detail.data)
    return <DetailPending record={detail} heading="Cotización" none="Esta cotización no existe" back={back} />;
  const { quote } = detail.data;
  return (
    <>
      <Heading title={`Cotización ${documentName(quote)}`} lead={quote.customer_name} back={back}>
        <StateBadge {...quoteStates[quote.status]} />
        <Button
          component="a"
          href={fileAddress(`/quotes/${id}/pdf`)}
          target="_blank"
          variant="default"
          leftSection={<Icon name="print" size={18} />}
        >
          PDF
        </Button>
      </Heading>
      <Figures label="La cotización en números">
        <Figure isMain label="Total" value={pesos(quote.total)} />
        {quote.discount > 0 && <Figure label="Descuento" value={pesos(quote.discount)} />}
        <Figure label="Impuestos" value={pesos(quote.tax)} />
      </Figures>
      <Detail aside={<About detail={detail.data} />}>
        <SaleLines sale={quote} />
        <SaleTaxes sale={quote} />
      </Detail>
    </>
  );
}

function About({ detail: { quote, customer } }: { detail: Answer<"GET /quotes/:id"> }) {
  const time = (at: string | null) => at && <Time key="at" at={at} />;
  return (
    <Section title="Datos">
      <Facts
        facts={[
          [
            "Cliente",
            customer ? (
              <Link key="to" href={`/clientes/${customer.id}`}>
                {customerName(customer)}
              </Link>
            ) : (
              quote.customer_name
            ),
          ],
          ["Hecha", time(quote.issued_at)],
          ["Enviada", time(quote.sent_at)],
          ["Vence", time(quote.expires_at)],
          ["Aceptada", time(quote.accepted_at)],
          ["Rechazada", time(quote.rejected_at)],
          ["Vendida", time(quote.converted_at)],
          [
            "Venta",
            quote.sale_id && (
              <Link key="to" href={`/ventas/${quote.sale_id}`}>
                Ver la venta
              </Link>
            ),
          ],
          ["Notas", quote.notes],
        ]}
      />
    </Section>
  );
}
