import { Button } from "@mantine/core";
import { Link } from "wouter";
import type { CashSession } from "../lib/answers.ts";
import { number, pesos, plural } from "../lib/format.ts";
import { useRecord } from "../lib/queries.ts";
import { paymentTitle, shiftStates } from "../lib/words.ts";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, Heading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";
import { Difference } from "./shifts.tsx";

const back = { to: "/turnos", label: "Turnos" };

export default function Shift({ id }: { id: string }) {
  const shift = useRecord<CashSession>("/cash-sessions", id);
  if (!shift.data) return <DetailPending record={shift} heading="Turno" back={back} />;
  const { register_name, status, opened_by, sales_count, sales_total, expected_amount, counted_amount } = shift.data;
  return (
    <>
      <Heading title={`Turno de ${register_name}`} lead={opened_by && `A cargo de ${opened_by}`} back={back}>
        <StateBadge {...shiftStates[status]!} />
        <Button
          component="a"
          href={`/portal/api/cash-sessions/${id}/z.pdf`}
          target="_blank"
          variant="default"
          leftSection={<Icon name="print" size={18} />}
        >
          Informe Z en PDF
        </Button>
      </Heading>
      <Figures label="El turno en números">
        <Figure
          isMain
          label="Vendido en el turno"
          value={pesos(sales_total)}
          to={`/ventas?turno=${id}`}
          note={plural(sales_count, "venta", "ventas")}
        />
        <Figure label="Efectivo esperado" value={pesos(expected_amount)} />
        <Figure label="Contado" value={counted_amount === null ? "–" : pesos(counted_amount)} />
        <Figure
          label="Diferencia"
          value={shift.data.difference === null ? "–" : pesos(shift.data.difference)}
          note={shift.data.difference !== null && <Difference value={shift.data.difference} />}
        />
      </Figures>
      <Detail aside={<About shift={shift.data} />}>
        <Payments shift={shift.data} />
        <Movements shift={shift.data} />
      </Detail>
    </>
  );
}

function Payments({ shift: { payments, sales_total, sales_count, id } }: { shift: CashSession }) {
  return (
    <Section title="Medios de pago" aside={<Link href={`/ventas?turno=${id}`}>Ver las ventas</Link>}>
      {payments.length === 0 ? (
        <Empty icon="sale" title="Sin ventas en este turno" />
      ) : (
        <RecordTable
          label="Medios de pago"
          rows={payments}
          rowKey={({ payment_method }) => payment_method}
          columns={[
            { title: "Medio", cell: ({ payment_method }) => paymentTitle(payment_method) },
            { title: "Ventas", isNumber: true, cell: ({ count }) => number(count), total: number(sales_count) },
            { title: "Valor", isNumber: true, cell: ({ amount }) => pesos(amount), total: pesos(sales_total) },
          ]}
        />
      )}
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

function About({ shift }: { shift: CashSession }) {
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
          ["Entradas", cash_in === 0 ? null : `+ ${pesos(cash_in)}`],
          ["Salidas", cash_out === 0 ? null : `− ${pesos(cash_out)}`],
          ["Debe haber", <strong key="sum">{pesos(shift.expected_amount)}</strong>],
          ["Notas", notes],
        ]}
      />
    </Section>
  );
}
