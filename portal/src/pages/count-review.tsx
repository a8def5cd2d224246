import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { post, postOnce } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { date, number, pesos, plural } from "../lib/format.ts";
import { refreshStock } from "../lib/stock-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Loading } from "../ui/parts.tsx";
import type { Counted } from "./counted.ts";

type Line = Answer<"POST /stock-counts/preview">["data"][number];

/** As many as the service takes in one go. */
const linesPerRequest = 200;

/** What a count would adjust, before it does. */
export function CountReview({
  warehouseId,
  counted,
  onClose,
  onDone,
}: {
  warehouseId: string | undefined;
  counted: Counted;
  onClose: () => void;
  onDone: () => void;
}) {
  const notify = useNotify();
  const [key] = useState(() => crypto.randomUUID());
  const parts = partsOf(counted, warehouseId);
  const preview = usePreview(key, parts);
  const form = useForm("POST /stock-counts", {
    draft: `count ${warehouseId ?? ""}`,
    start: { reason: `Conteo físico del ${date(new Date().toISOString())}` },
    async send({ reason }) {
      let adjusted = 0;
      // Each part has its own key: what was recorded before an interruption is not recorded again.
      for (const [i, part] of parts.entries()) {
        const body = { ...part, reason: reason.trim() };
        adjusted += (await postOnce<Answer<"POST /stock-counts">>("/stock-counts", body, `${key}.${i}`)).adjusted;
      }
      return adjusted;
    },
    async onSent(adjusted) {
      await refreshStock();
      notify(
        adjusted === 0
          ? "Todo cuadra: no hubo que ajustar nada."
          : `${plural(adjusted, "ajuste registrado", "ajustes registrados")}.`,
      );
      onDone();
    },
  });
  const different = preview.data?.filter(({ difference }) => difference !== 0);
  return (
    <Dialog onClose={onClose} title="Diferencias del conteo" size="xl">
      <ErrorMessage error={preview.error} retry={preview.refetch} />
      {preview.isPending && <Loading />}
      {different && (
        <FormFrame
          form={form}
          action={different.length === 0 ? "Terminar" : `Registrar ${plural(different.length, "ajuste", "ajustes")}`}
          isReady={form.values.reason.trim() !== ""}
          buttons={
            <Button variant="default" onClick={onClose}>
              Seguir contando
            </Button>
          }
        >
          <Text mb="sm">
            {plural(counted.count, "producto contado", "productos contados")},{" "}
            {plural(different.length, "con diferencia", "con diferencias")}. Valor de las diferencias:{" "}
            <strong>{pesos(different.reduce((sum, { value }) => sum + value, 0))}</strong>.
          </Text>
          {different.length > 0 && <Differences lines={different} />}
          <Fields form={form} fields={[{ name: "reason", label: "Motivo", required: true, mt: "md" }]} />
        </FormFrame>
      )}
    </Dialog>
  );
}

function usePreview(key: string, parts: readonly object[]) {
  return useQuery({
    queryKey: ["count-preview", key],
    queryFn: async () => {
      const found: Line[] = [];
      for (const part of parts) {
        const body = { ...part, reason: "Vista previa" };
        found.push(...(await post<Answer<"POST /stock-counts/preview">>("/stock-counts/preview", body)).data);
      }
      return found;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

function partsOf({ entries }: Counted, warehouse_id: string | undefined) {
  const lines = Object.entries(entries).map(([product_id, { counted, expected }]) => ({
    product_id,
    counted,
    expected,
  }));
  return Array.from({ length: Math.ceil(lines.length / linesPerRequest) }, (_, i) => ({
    lines: lines.slice(i * linesPerRequest, (i + 1) * linesPerRequest),
    ...(warehouse_id !== undefined && { warehouse_id }),
  }));
}

function Differences({ lines }: { lines: Line[] }) {
  return (
    <table className="rows" aria-label="Diferencias">
      <thead>
        <tr>
          <th>Producto</th>
          <th className="end">Sistema</th>
          <th className="end">Contado</th>
          <th className="end">Ajuste</th>
          <th className="end">Valor</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.product_id}>
            <td data-label="">
              {line.name}
              {line.stock !== line.expected && (
                <Text size="sm" c="dimmed" component="div">
                  Mientras contaba pasó de {number(line.expected)} a {number(line.stock)}; el ajuste lo tiene en cuenta.
                </Text>
              )}
            </td>
            <td data-label="Sistema" className="end">
              {number(line.expected)}
            </td>
            <td data-label="Contado" className="end">
              {number(line.counted)}
            </td>
            <td data-label="Ajuste" className="end">
              <strong>
                {line.difference > 0 ? "+" : ""}
                {number(line.difference)}
              </strong>
            </td>
            <td data-label="Valor" className="end">
              {pesos(line.value)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
