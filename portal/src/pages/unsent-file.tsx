import { Button, FileInput, Group, Progress, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { partsOf, readUnsentFile } from "../../../register/unsent-file.ts";
import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { plural } from "../lib/format.ts";
import { client } from "../lib/queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

type HandedIn = Answer<"POST /devices/:id/unsent">;

async function handIn(
  { device_id, records: all }: NonNullable<ReturnType<typeof readUnsentFile>>,
  onPart: (share: number) => void,
): Promise<HandedIn> {
  const parts = partsOf(all);
  const sum: HandedIn = { stored: 0, aside: 0, duplicates: 0 };
  for (const [i, records] of parts.entries()) {
    const part = await post<HandedIn>(`/devices/${encodeURIComponent(device_id)}/unsent`, { records });
    sum.stored += part.stored;
    sum.aside += part.aside;
    sum.duplicates += part.duplicates;
    onPart((i + 1) / parts.length);
  }
  return sum;
}

/** Takes in what a register saved as a file because it could no longer upload it. */
export function UnsentFileDialog({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [isForeign, setForeign] = useState(false);
  const [done, setDone] = useState(0);
  const sending = useMutation({
    async mutationFn(chosen: File) {
      const content = readUnsentFile(await chosen.text());
      setForeign(!content);
      return content && handIn(content, setDone);
    },
    onSuccess: () => client.invalidateQueries(),
  });
  const { data } = sending;
  return (
    <Dialog onClose={onClose} title="Subir el archivo de una caja">
      {data ? (
        <div role="status">
          <Text>
            {data.stored > 0 ? `Se guardaron ${plural(data.stored, "registro", "registros")}.` : "No faltaba ninguno."}
            {data.duplicates > 0 && ` ${plural(data.duplicates, "ya estaba", "ya estaban")} aquí.`}
          </Text>
          {data.aside > 0 && (
            <Text mt="xs">
              {plural(data.aside, "quedó apartado", "quedaron apartados")}: véalos en la página de la caja.
            </Text>
          )}
        </div>
      ) : (
        <>
          <Text size="sm" mb="md">
            Una caja guarda este archivo cuando su navegador perdió los datos antes de subirlos. Cada registro entra una
            sola vez, aunque suba el archivo dos veces.
          </Text>
          <FileInput
            label="Archivo"
            placeholder="caja-sin-subir.json"
            accept="application/json,.json"
            value={file}
            onChange={(chosen) => {
              setFile(chosen);
              setForeign(false);
            }}
            error={isForeign && "Este archivo no es el de una caja. Elija el que ella guardó: caja-sin-subir.json."}
            data-autofocus
          />
          {sending.isPending && <Progress value={done * 100} mt="md" aria-label="Avance" />}
          <ErrorMessage error={sending.error} />
        </>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {data ? "Listo" : "Cancelar"}
        </Button>
        {!data && (
          <Button disabled={!file} loading={sending.isPending} onClick={() => file && sending.mutate(file)}>
            Subir
          </Button>
        )}
      </Group>
    </Dialog>
  );
}
