import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { shiftStates } from "../../../src/api/portal/lists/words.ts";
import type { Answer, CashSession, Return } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { number, pesos, plural } from "../lib/format.ts";
import { useRecord, useRecords } from "../lib/queries.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { paymentTitle } from "../lib/words.ts";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Heading, LoadMore, Section, StateBadge, Time } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";
import { Difference, readSums } from "./shifts.tsx";

type Closing = Answer<"GET /cash-sessions/:id/z">;

const back = { to: "/turnos", label: "Turnos" };

export default function Shift({ id }: { id: string }) {
  const shift = useRecord<CashSession>("/cash-sessions", id);
  const closing = useQuery({
    queryKey: ["closing", id],
    queryFn: ({ signal }) => get<Closing>(`/cash-sessions/${id}/z`, signal),
    refetchInterval: 15_000,
  });
  const counted = useQuery({ queryKey: ["shift-sums", [id]], queryFn: ({ signal }) => readSums([id], signal) });
  const sums = closing.data?.sums;
  if (!shift.data) return <DetailPending record={shift} heading="Turno" none="Este turno no existe" back={back} />;
  const { register_name, status, opened_by, expected_amount, counted_amount } = shift.data;
  return (
    <>
      <Heading title={`Turno de ${register_name}`} lead={opened_by && `A cargo de ${opened_by}`} back={back}>
        <StateBadge {...shiftStates[status]!} />
        <Button
          component="a"
          href={fileAddress(`/cash-sessions/${id}/z.pdf`)}
          target="_blank"
          variant="default"
          leftSection={<Icon name="print" size={18} />}
        >
          Informe Z en PDF
        </Button>
      </Heading>
      <Figures label="El turno en números">
        {sums && (
          <Figure
            isMain
            label="Ventas netas del turno"
            value={pesos(sums.net)}
            to={`/ventas?turno=${id}`}
            note={plural(sums.tickets, "venta", "ventas")}
          />
        )}
        {sums && sums.returned !== 0 && (
          <Figure
            label="Devoluciones"
            value={pesos(sums.returned)}
            to={`/ventas?turno=${id}&movimiento=returns`}
            note={takenBackNote(closing.data!.returns, sums.gross)}
          />
        )}
        {sums && sums.tip !== 0 && <Figure label="Propinas" value={pesos(sums.tip)} />}
        {sums && sums.passthrough !== 0 && <Figure label="Para terceros" value={pesos(sums.passthrough)} />}
        <Figure label="Efectivo esperado" value={pesos(expected_amount)} />
        <Figure label="Contado" value={counted_amount === null ? "–" : pesos(counted_amount)} />
        <Figure
          label="Diferencia"
          value={shift.data.difference === null ? "–" : pesos(shift.data.difference)}
          note={
            shift.data.difference !== null && (
              <Difference value={shift.data.difference} disagrees={counted.data?.disagreeing.has(id)} />
            )
          }
        />
      </Figures>
      <Detail aside={<About shift={shift.data} portal={closing.data?.from_portal} />}>
        <ErrorMessage error={closing.error} retry={closing.refetch} />
        {closing.data && <Payments closing={closing.data} id={id} />}
        <Refunds shift={shift.data} />
        <Movements shift={shift.data} />
      </Detail>
    </>
  );
}

/** Of what: every means, cancellations too; only the part in cash is in the drawer. */
function takenBackNote({ payments }: Closing["returns"], gross: number): string {
  const cash = payments.find(({ payment_method }) => payment_method === "CASH")?.amount ?? 0;
  return `devoluciones y anulaciones, ${pesos(cash)} en efectivo; de ${pesos(gross)} de ventas brutas`;
}

/** As the service counted them, payment by payment; together what was received. */
function Payments({ closing: { received, sums }, id }: { closing: Closing; id: string }) {
  return (
    <Section title="Medios de pago" aside={<Link href={`/ventas?turno=${id}`}>Ver las ventas</Link>}>
      {received.length === 0 ? (
        <Empty icon="sale" title="Sin ventas en este turno" />
      ) : (
        <RecordTable
          label="Medios de pago"
          rows={received}
          rowKey={({ payment_method }) => payment_method}
          columns={[
            {
              title: "Medio",
              cell: ({ payment_method }) => (
                <Link href={`/ventas?${new URLSearchParams({ turno: id, medio: payment_method })}`}>
                  {paymentTitle(payment_method)}
                </Link>
              ),
            },
            { title: "Pagos", isNumber: true, cell: ({ count }) => number(count) },
            { title: "Recibido", isNumber: true, cell: ({ amount }) => pesos(amount), total: pesos(sums.received) },
          ]}
        />
      )}
    </Section>
  );
}

/** What was paid back out of this drawer, at its register or from the portal. */
function Refunds({ shift: { id: shiftId, cash_refunds } }: { shift: CashSession }) {
  const refunds = useRecords<Return>("/returns", { cash_session_id: shiftId });
  if (!refunds.data || refunds.data.length === 0) return null;
  return (
    <Section
      title="Devoluciones que pagó este turno"
      lead={
        <>
          Sin las anulaciones, que están con{" "}
          <Link href={`/ventas?turno=${shiftId}&movimiento=returns`}>todo lo devuelto</Link>. Del cajón salieron{" "}
          {pesos(cash_refunds)} en efectivo.
        </>
      }
    >
      <RecordTable
        label="Devoluciones que pagó este turno"
        rows={refunds.data}
        rowKey={({ id }) => id}
        href={({ sale_id }) => `/ventas/${sale_id}`}
        columns={[
          { title: "Cuándo", cell: ({ occurred_at }) => <Time at={occurred_at} /> },
          { title: "Motivo", cell: ({ reason }) => reason ?? "–" },
          { title: "Medio", cell: ({ payment_method }) => paymentTitle(payment_method) },
          { title: "Devuelto", isNumber: true, cell: ({ total }) => pesos(total) },
        ]}
      />
      <LoadMore list={refunds} />
    </Section>
  );
}

function Movements({ shift: { movements } }: { shift: CashSession }) {
  if (movements.length === 0) return null;
  return (
    <Section title="Entradas y salidas de efectivo">
      <RecordTable
        label="Entradas y salidas de efectivo"
        rows={movements}
        rowKey={({ id }) => id}
        columns={[
          { title: "Motivo", cell: ({ reason, type }) => reason ?? (type === "in" ? "Entrada" : "Salida") },
          { title: "Quién", cell: ({ created_by }) => created_by ?? "–" },
          { title: "Cuándo", cell: ({ occurred_at }) => <Time at={occurred_at} /> },
          {
            title: "Valor",
            isNumber: true,
            cell: ({ type, amount }) => `${type === "in" ? "+" : "−"} ${pesos(amount)}`,
          },
        ]}
      />
    </Section>
  );
}

function About({ shift, portal }: { shift: CashSession; portal: Closing["from_portal"] | undefined }) {
  const { opened_at, closed_at, closed_by, opening_amount, cash_sales, cash_refunds, cash_in, cash_out, notes } = shift;
  return (
    <Section title="Efectivo del turno">
      <Facts
        facts={[
          ["Abrió", <Time key="at" at={opened_at} />],
          ["Cerró", closed_at && <Time key="at" at={closed_at} />],
          ["Cerró el turno", closed_by],
          ["Base", pesos(opening_amount)],
          ["Ventas en efectivo", pesos(cash_sales)],
          ["Devoluciones en efectivo", cash_refunds === 0 ? null : `− ${pesos(cash_refunds)}`],
          ["De ellas, devuelto desde el portal", portal?.amount ? `− ${pesos(portal.amount)}` : null],
          ["Entradas", cash_in === 0 ? null : `+ ${pesos(cash_in)}`],
          ["Salidas", cash_out === 0 ? null : `− ${pesos(cash_out)}`],
          ["Debe haber", <strong key="sum">{pesos(shift.expected_amount)}</strong>],
          ["Notas", notes],
        ]}
      />
      {portal && portal.amount > 0 && shift.difference !== null && (
        <Text size="sm" c="dimmed" mt="sm">
          Si la caja cerró sin conexión, antes de saber lo que el portal devolvió, el Z que imprimió dice una diferencia
          de {pesos(shift.difference - portal.amount)}. Impreso de nuevo dice lo mismo que aquí.
        </Text>
      )}
    </Section>
  );
}
