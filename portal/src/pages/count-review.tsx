import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { post, postOnce } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { date, number, pesos, plural } from "../lib/format.ts";
import { refreshStock } from "../lib/stock-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
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
  const draft = useDraft(`count ${warehouseId ?? ""}`, {
    reason: `Conteo físico del ${date(new Date().toISOString())}`,
  });
  const { reason } = draft.value;
  const [key] = useState(() => crypto.randomUUID());
  const parts = partsOf(counted);
  const body = (lines: object[], why: string) => ({
    reason: why,
    lines,
    ...(warehouseId !== undefined && { warehouse_id: warehouseId }),
  });
  const preview = useQuery({
    queryKey: ["count-preview", key],
    queryFn: async () => {
      const found: Line[] = [];
      for (const lines of parts)
        found.push(
          ...(await post<Answer<"POST /stock-counts/preview">>("/stock-counts/preview", body(lines, "Vista previa")))
            .data,
        );
      return found;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const saving = useMutation({
    async mutationFn() {
      let adjusted = 0;
      // Each part has its own key: what was recorded before an interruption is not recorded again.
      for (const [i, lines] of parts.entries())
        adjusted += (
          await postOnce<Answer<"POST /stock-counts">>("/stock-counts", body(lines, reason.trim()), `${key}.${i}`)
        ).adjusted;
      return adjusted;
    },
    async onSuccess(adjusted) {
      draft.forget();
      await refreshStock();
      notify(
        adjusted === 0
          ? "Todo cuadra: no hubo que ajustar nada."
          : `${plural(adjusted, "ajuste registrado", "ajustes registrados")}.`,
      );
      onDone();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  const different = preview.data?.filter(({ difference }) => difference !== 0);
  return (
    <Dialog onClose={onClose} title="Diferencias del conteo" size="xl">
      <ErrorMessage error={preview.error} retry={preview.refetch} />
      {preview.isPending && <Loading />}
      {different && (
        <form onSubmit={submit}>
          <Text mb="sm">
            {plural(counted.count, "producto contado", "productos contados")},{" "}
            {plural(different.length, "con diferencia", "con diferencias")}. Valor de las diferencias:{" "}
            <strong>{pesos(different.reduce((sum, { value }) => sum + value, 0))}</strong>.
          </Text>
          {different.length > 0 && <Differences lines={different} />}
          <DraftNotice draft={draft} />
          <TextInput
            mt="md"
            label="Motivo"
            required
            maxLength={200}
            value={reason}
            onChange={(event) => draft.change({ reason: event.currentTarget.value })}
          />
          <ErrorMessage error={saving.error} />
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={onClose}>
              Seguir contando
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={reason.trim() === ""}>
              {different.length === 0 ? "Terminar" : `Registrar ${plural(different.length, "ajuste", "ajustes")}`}
            </Button>
          </Group>
        </form>
      )}
    </Dialog>
  );
}

function partsOf({ entries }: Counted) {
  const lines = Object.entries(entries).map(([product_id, { counted, expected }]) => ({
    product_id,
    counted,
    expected,
  }));
  return Array.from({ length: Math.ceil(lines.length / linesPerRequest) }, (_, i) =>
    lines.slice(i * linesPerRequest, (i + 1) * linesPerRequest),
  );
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
