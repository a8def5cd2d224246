import { Button, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Customer } from "../lib/answers.ts";
import { query } from "../lib/api.ts";
import { useRecords } from "../lib/queries.ts";
import { customerName, identityOf } from "../lib/record-words.ts";
import { ExportMenu } from "../ui/export-menu.tsx";
import { type Filter, FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { Icon } from "../ui/icons.tsx";
import { Heading, Time } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";

const filters = [
  { name: "q", label: "Buscar", kind: "text", placeholder: "Nombre, documento, teléfono o correo" },
] as const satisfies Filter[];

const columns: Column<Customer>[] = [
  { title: "Cliente", cell: customerName },
  { title: "Documento", cell: (customer) => identityOf(customer) ?? "–" },
  { title: "Teléfono", cell: ({ phone }) => phone ?? "–" },
  { title: "Correo", isExtra: true, cell: ({ email }) => <span className="anywhere">{email ?? "–"}</span> },
  { title: "Desde", isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

export default function Customers() {
  const { values, clear, bar } = useFilterBar(filters);
  // The service searches from two characters on.
  const isShort = values.q !== undefined && values.q.trim().length < 2;
  const asked = { q: isShort ? undefined : values.q };
  const list = useRecords<Customer>("/customers", asked);
  return (
    <>
      <Heading title="Clientes" lead="Quienes le compran, con lo que han comprado y cotizado.">
        <ExportMenu href={(format) => `/tables/customers.${format}${query(asked)}`} />
        <Button component={Link} href="/clientes/nuevo" leftSection={<Icon name="plus" size={18} />}>
          Crear cliente
        </Button>
      </Heading>
      <FilterBar bar={bar} />
      {isShort && (
        <Text c="dimmed" mb="md">
          Escriba al menos dos letras o números para buscar.
        </Text>
      )}
      <RecordList
        label="Clientes"
        list={list}
        columns={columns}
        href={({ id }) => `/clientes/${id}`}
        onClearFilters={clear}
        words={{
          icon: "people",
          none: "Todavía no hay clientes",
          noMatch: "Ningún cliente coincide",
          hint: "Se crean aquí o en una caja, y aparecen en las dos partes.",
        }}
      />
    </>
  );
}
