import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { shiftStates } from "../../../src/api/portal/lists/words.ts";
import type { Today } from "../lib/answers.ts";
import { number, pesos, plural, quantity, time } from "../lib/format.ts";
import { salesOf } from "../lib/sums.ts";
import { paymentTitle } from "../lib/words.ts";
import { Share } from "../ui/bars.tsx";
import { Section, StateBadge } from "../ui/parts.tsx";

/** A short list of names with a value each, the greatest first. */
function Ranking({ children, label }: { children: ReactNode; label: string }) {
  return (
    <ul className="ranking" aria-label={label}>
      {children}
    </ul>
  );
}

function Line({
  name,
  note,
  value,
  to,
  share,
}: {
  name: string;
  note: ReactNode;
  value: string;
  to: string;
  share?: ReactNode;
}) {
  return (
    <li>
      <div className="ranking-line">
        <Link href={to}>{name}</Link>
        <span>{value}</span>
      </div>
      <Text size="sm" c="dimmed" component="div">
        {note}
      </Text>
      {share}
    </li>
  );
}

export function Payments({ today: { payments, sold, day } }: { today: Today }) {
  if (payments.length === 0) return null;
  return (
    <Section title="Medios de pago">
      <Ranking label="Medios de pago">
        {payments.map(({ payment_method, payments: count, received }) => (
          <Line
            key={payment_method}
            name={paymentTitle(payment_method)}
            note={plural(count, "pago", "pagos")}
            value={pesos(received)}
            to={salesOf(day, day, { medio: payment_method })}
            share={<Share of={sold.received} part={received} />}
          />
        ))}
      </Ranking>
      {sold.received !== sold.net && (
        <Text size="sm" c="dimmed">
          {pesos(sold.received)} recibidos: {pesos(sold.net)} de ventas netas
          {sold.tip !== 0 && `, ${pesos(sold.tip)} de propinas`}
          {sold.passthrough !== 0 && `, ${pesos(sold.passthrough)} para terceros`}.
        </Text>
      )}
    </Section>
  );
}

export function BestProducts({ today: { products, day } }: { today: Today }) {
  if (products.length === 0) return null;
  return (
    <Section
      title="Lo que más se vende"
      aside={<Link href={`/informes?por=product&desde=${day}&hasta=${day}`}>Ver todo</Link>}
    >
      <Ranking label="Lo que más se vende">
        {products.map(({ product_id, name, quantity: sold, amount }) => (
          <Line
            key={product_id ?? "libres"}
            name={name ?? (product_id ? "Producto sin ficha" : "Líneas libres")}
            note={`${quantity(sold)} ${sold === 1 ? "vendido" : "vendidos"}`}
            value={pesos(amount)}
            to={product_id && name ? `/productos/${product_id}` : `/informes?por=product&desde=${day}&hasta=${day}`}
          />
        ))}
      </Ranking>
      <Text size="sm" c="dimmed">
        Valor de las líneas, antes del descuento de la venta.
      </Text>
    </Section>
  );
}

export function OpenShifts({ today: { shifts } }: { today: Today }) {
  return (
    <Section title="Turnos abiertos" aside={<Link href="/turnos">Ver los turnos</Link>}>
      {shifts.length === 0 ? (
        <Text c="dimmed">Ninguna caja tiene un turno abierto.</Text>
      ) : (
        <Ranking label="Turnos abiertos">
          {shifts.map(({ id, register_name, opened_by, opened_at, status, tickets, net }) => (
            <Line
              key={id}
              name={register_name}
              note={
                <>
                  {opened_by ?? "Sin nombre"} desde las {time(opened_at)} · {plural(tickets, "venta", "ventas")}
                  {status !== "open" && (
                    <>
                      {" "}
                      <StateBadge {...shiftStates[status as keyof typeof shiftStates]} />
                    </>
                  )}
                </>
              }
              value={pesos(net)}
              to={`/turnos/${id}`}
            />
          ))}
        </Ranking>
      )}
    </Section>
  );
}

export function RunningOut({ today: { running_out, running_out_count } }: { today: Today }) {
  if (running_out.length === 0) return null;
  return (
    <Section title="Se acaban pronto" aside={<Link href="/inventario">Ver existencias</Link>}>
      <Ranking label="Se acaban pronto">
        {running_out.map(({ id, name, stock, days_left }) => (
          <Line
            key={id}
            name={name}
            note={days_left === 0 ? "no alcanza para hoy" : `alcanza para ${plural(days_left, "día", "días")}`}
            value={quantity(stock)}
            to={`/productos/${id}`}
          />
        ))}
      </Ranking>
      {running_out_count > running_out.length && (
        <Text size="sm" c="dimmed">
          y {number(running_out_count - running_out.length)} más
        </Text>
      )}
    </Section>
  );
}
