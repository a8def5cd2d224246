import { Button, Select, Text, TextInput } from "@mantine/core";
import { pesos } from "../lib/format.ts";
import type { ListedProduct } from "../lib/stock-queries.ts";
import { isCounted } from "../lib/stock-words.ts";
import { NumberField } from "../ui/number-field.tsx";
import { ProductFinder } from "./product-finder.tsx";
import { type FormLine, lineOf, rateOptions } from "./purchase-values.ts";

/** What is bought: a product is found or scanned, and each line says how it comes and what it costs. */
export function PurchaseLines({
  lines,
  totals,
  error,
  onChange,
}: {
  lines: readonly FormLine[];
  totals: ReadonlyMap<string, { total: number }>;
  error: string | undefined;
  onChange: (lines: FormLine[]) => void;
}) {
  const put = (key: string, part: Partial<FormLine>) =>
    onChange(lines.map((one) => (one.key === key ? { ...one, ...part } : one)));
  function add(product: ListedProduct): void {
    const known = lines.find(({ product_id }) => product_id === product.id);
    if (known) put(known.key, { quantity: (Number(known.quantity) || 0) + 1 });
    else onChange([...lines, lineOf(product)]);
  }
  return (
    <>
      <ProductFinder label="Agregar un producto" onFound={add} error={error} />
      {lines.length === 0 ? (
        <Text c="dimmed" mt="md">
          Agregue lo que compra. Lo que no esté, créelo en Productos.
        </Text>
      ) : (
        <table className="rows" aria-label="Lo que se compra" style={{ marginTop: "1rem" }}>
          <thead>
            <tr>
              <th>Producto</th>
              <th>Viene en</th>
              <th className="end">Unidades</th>
              <th className="end">Cantidad</th>
              <th className="end">Costo sin IVA</th>
              <th className="end">Descuento</th>
              <th>IVA</th>
              <th className="end">Total</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line
                key={line.key}
                line={line}
                total={totals.get(line.key)?.total}
                put={(part) => put(line.key, part)}
                remove={() => onChange(lines.filter((one) => one.key !== line.key))}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Line({
  line,
  total,
  put,
  remove,
}: {
  line: FormLine;
  total: number | undefined;
  put: (part: Partial<FormLine>) => void;
  remove: () => void;
}) {
  const { name, base_unit } = line;
  const isWhole = isCounted(base_unit as ListedProduct["base_unit"]) && line.factor === 1;
  const figure = { line, put };
  return (
    <tr>
      <td data-label="">
        {name}
        <Text size="sm" c="dimmed" component="div">
          En {base_unit}
        </Text>
      </td>
      <td data-label="Viene en">
        <TextInput
          aria-label={`En qué viene ${name}`}
          placeholder="Caja x24"
          value={line.unit}
          onChange={(event) => put({ unit: event.currentTarget.value })}
        />
      </td>
      <FigureCell {...figure} title="Unidades" field="factor" says={`Cuántas ${base_unit} de ${name} trae cada una`} />
      <FigureCell
        {...figure}
        title="Cantidad"
        field="quantity"
        says={`Cantidad de ${name}`}
        decimals={isWhole ? 0 : 3}
      />
      <FigureCell {...figure} title="Costo sin IVA" field="unit_cost" says={`Costo de ${name}, sin IVA`} decimals={6} />
      <FigureCell {...figure} title="Descuento" field="discount" says={`Descuento de ${name}, en pesos`} decimals={0} />
      <td data-label="IVA">
        <Select
          aria-label={`IVA de ${name}`}
          allowDeselect={false}
          data={rateOptions}
          value={line.rate}
          onChange={(rate) => put({ rate: rate ?? "" })}
        />
      </td>
      <td data-label="Total" className="end">
        {total === undefined ? "–" : pesos(total)}
      </td>
      <td data-label="">
        <Button variant="subtle" size="compact-sm" aria-label={`Quitar ${name}`} onClick={remove}>
          Quitar
        </Button>
      </td>
    </tr>
  );
}

const most = { factor: 100_000, quantity: 999_999, unit_cost: 999_999_999_999, discount: 999_999_999_999 };

function FigureCell({
  line,
  put,
  title,
  field,
  says,
  decimals = 3,
}: {
  line: FormLine;
  put: (part: Partial<FormLine>) => void;
  title: string;
  field: keyof typeof most;
  says: string;
  decimals?: number;
}) {
  return (
    <td data-label={title} className="end">
      <NumberField
        aria-label={says}
        value={line[field]}
        max={most[field]}
        decimals={decimals}
        onChange={(value) => put({ [field]: value })}
      />
    </td>
  );
}
