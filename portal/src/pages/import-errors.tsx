import { Text } from "@mantine/core";
import type { Answer } from "../lib/answers.ts";
import { number, plural } from "../lib/format.ts";
import { Section } from "../ui/parts.tsx";

/** What must be corrected in the file, by row and column as the spreadsheet shows them. */
export function ImportErrors({ errors, count }: { errors: Answer<"POST /product-imports">["errors"]; count: number }) {
  return (
    <Section
      title={`Corrija ${plural(count, "celda", "celdas")} y suba el archivo otra vez`}
      lead="No se guardó nada. Las filas se cuentan como en Excel: los títulos son la fila 1."
    >
      <table className="rows" aria-label="Errores del archivo">
        <thead>
          <tr>
            <th className="end">Fila</th>
            <th>Columna</th>
            <th>Qué pasa</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ row, column, message }) => (
            <tr key={`${row} ${column} ${message}`}>
              <td data-label="Fila" className="end">
                {row}
              </td>
              <td data-label="Columna">{column ?? "Toda la fila"}</td>
              <td data-label="">{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > errors.length && (
        <Text c="dimmed" mt="sm">
          Y {number(count - errors.length)} más. Suelen tener la misma causa: corrija estas y vuelva a subirlo.
        </Text>
      )}
    </Section>
  );
}
