import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { cost, number, percent, pesos, plural } from "../lib/format.ts";
import type { Import } from "../lib/stock-queries.ts";
import { type ImportField, importFields, taxClasses } from "../lib/stock-words.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage, Loading, Section, StateBadge } from "../ui/parts.tsx";

type PreviewRow = Answer<"GET /product-imports/:id/rows">["data"][number];

/** What an import will do, row by row, before it does it. */
export function ImportPreview({ planned }: { planned: Import }) {
  const { summary } = planned;
  const changes = summary.new + summary.changed;
  return (
    <Section title="2. Revise qué va a cambiar">
      <dl className="figures">
        <Figure title="Nuevos" value={summary.new} />
        <Figure title="Con cambios" value={summary.changed} />
        <Figure title="Sin cambios" value={summary.unchanged} />
      </dl>
      <Remarks planned={planned} />
      {changes > 0 ? <Rows planned={planned} /> : <Text>Todo está como en el archivo: no hay nada que cambiar.</Text>}
    </Section>
  );
}

function Figure({ title, value }: { title: string; value: number }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{number(value)}</dd>
    </div>
  );
}

function Remarks({ planned: { summary } }: { planned: Import }) {
  const remarks = [
    summary.new_categories.length > 0 &&
      `Se ${summary.new_categories.length === 1 ? "crea la categoría" : "crean las categorías"} ${summary.new_categories.map((name) => `«${name}»`).join(", ")}.`,
    summary.stock_ignored > 0 &&
      `${plural(summary.stock_ignored, "fila trae", "filas traen")} existencias o costo de un producto que ya existe: eso no se toca. Las existencias se corrigen en Inventario, con un conteo.`,
  ].filter((remark) => remark !== false);
  if (remarks.length === 0) return null;
  return (
    <Alert variant="light" color="gray" my="md" icon={<Icon name="list" />} title="Tenga en cuenta">
      {remarks.map((remark) => (
        <Text size="sm" key={remark}>
          {remark}
        </Text>
      ))}
    </Alert>
  );
}

function Rows({ planned: { id, chunks } }: { planned: Import }) {
  const [position, setPosition] = useState(0);
  const rows = useQuery({
    queryKey: ["import-rows", id, position],
    queryFn: ({ signal }) =>
      get<Answer<"GET /product-imports/:id/rows">>(`/product-imports/${id}/rows?position=${position}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!rows.data) return rows.error ? <ErrorMessage error={rows.error} retry={rows.refetch} /> : <Loading />;
  return (
    <>
      <table className="rows" aria-label="Qué va a cambiar">
        <thead>
          <tr>
            <th className="end">Fila</th>
            <th>Producto</th>
            <th>Qué pasa</th>
            <th>Campos</th>
          </tr>
        </thead>
        <tbody>
          {rows.data.data.map((row) => (
            <Row key={row.row} row={row} />
          ))}
        </tbody>
      </table>
      {chunks > 1 && (
        <Group justify="center" mt="md">
          <Button variant="default" size="xs" disabled={position === 0} onClick={() => setPosition(position - 1)}>
            Anteriores
          </Button>
          <Text size="sm" c="dimmed">
            Parte {number(position + 1)} de {number(chunks)}
          </Text>
          <Button
            variant="default"
            size="xs"
            disabled={position + 1 >= chunks}
            onClick={() => setPosition(position + 1)}
          >
            Siguientes
          </Button>
        </Group>
      )}
    </>
  );
}

function Row({ row }: { row: PreviewRow }) {
  const isNew = row.action === "create";
  const shown = row.changes.filter(({ field }) => !(isNew && (field === "name" || field === "sku")));
  return (
    <tr>
      <td data-label="Fila" className="end">
        {row.row}
      </td>
      <td data-label="">
        <strong>{row.name}</strong>
        <Text size="sm" c="dimmed" component="div">
          {row.sku}
        </Text>
      </td>
      <td data-label="Qué pasa">
        <StateBadge title={isNew ? "Nuevo" : "Cambia"} color={isNew ? "green" : "yellow"} />
      </td>
      <td data-label="">
        {shown.map(({ field, from, to }) => (
          <Text size="sm" key={field} style={{ overflowWrap: "anywhere" }}>
            {importFields[field]}: {!isNew && <del>{shownValue(field, from)}</del>}{" "}
            <strong>{shownValue(field, to)}</strong>
          </Text>
        ))}
      </td>
    </tr>
  );
}

function shownValue(field: ImportField, value: string | number | boolean | null): string {
  if (value === null || value === "") return "vacío";
  if (typeof value === "boolean") return value ? "sí" : "no";
  if (field === "base_price") return pesos(value as number);
  if (field === "unit_cost") return cost(value as number);
  if (field === "percent_discount") return percent((value as number) / 100);
  if (field === "tax_class") return taxClasses[value as keyof typeof taxClasses];
  const text = typeof value === "number" ? number(value) : value;
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
