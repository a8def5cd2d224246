import { Link } from "wouter";
import type { StockValue } from "../lib/answers.ts";
import { cost, fullDay, number, pesos, plural, quantity } from "../lib/format.ts";
import { Figure, Figures } from "../ui/figure.tsx";
import { Empty, Section } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";

/** What there was at the end of a day, at what it cost by then. */
export function StockValueTable({ report: { day, rows, value, products, unknown } }: { report: StockValue }) {
  const title = `Inventario al final del ${fullDay(day)}`;
  if (rows.length === 0)
    return (
      <Section title={title}>
        <Empty icon="stock" title="Ese día no había existencias">
          Elija otro día en «Hasta».
        </Empty>
      </Section>
    );
  return (
    <>
      <Figures label="Valor del inventario">
        <Figure isMain label="Valor al costo" value={pesos(value)} note={plural(products, "producto", "productos")} />
        {unknown > 0 && <Figure label="Sin costo" value={number(unknown)} note="productos que no están en el valor" />}
      </Figures>
      <Section title={title} lead="Lo que había, al costo promedio de ese día.">
        <RecordTable
          label={title}
          rows={rows}
          rowKey={({ product_id }) => product_id}
          columns={[
            {
              title: "Producto",
              cell: ({ product_id, name }) => <Link href={`/productos/${product_id}`}>{name ?? "Sin ficha"}</Link>,
            },
            { title: "Existencias", isNumber: true, cell: ({ stock, unit }) => `${quantity(stock)} ${unit}` },
            {
              title: "Costo de uno",
              isNumber: true,
              isExtra: true,
              cell: ({ unit_cost }) => (unit_cost === null ? "Sin costo" : cost(unit_cost)),
            },
            {
              title: "Valor al costo",
              isNumber: true,
              cell: (row) => (row.value === null ? "–" : pesos(row.value)),
              total: pesos(value),
            },
          ]}
        />
      </Section>
    </>
  );
}
