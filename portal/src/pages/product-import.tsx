import { Button, FileButton, Group, Progress, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type DragEvent, useState } from "react";
import { Link } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { ApiError, call, post, query } from "../lib/api.ts";
import { number, plural } from "../lib/format.ts";
import { type ColumnFields, rememberColumns, rememberedColumns } from "../lib/import-columns-storage.ts";
import { useSession } from "../lib/queries.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { type Import, refreshStock } from "../lib/stock-queries.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage, Heading, Section } from "../ui/parts.tsx";
import { ImportColumns } from "./import-columns.tsx";
import { ImportErrors } from "./import-errors.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { ImportZeroTax, type ZeroTax } from "./import-zero-tax.tsx";
import { Refusal } from "./product-refusal.tsx";

type Read = Answer<"POST /product-imports">;

const maxFileBytes = 4 * 1024 * 1024;

/** Without columns, the headings say what they are, or what the owner said for such headings before. */
interface ToRead {
  file: File;
  columns?: ColumnFields;
  zeroTax?: ZeroTax | undefined;
  isRemembered?: boolean;
}

interface Shown extends Read {
  columns: ColumnFields | undefined;
  isRemembered: boolean;
}

const columnsOf = (shown: Shown | undefined) =>
  shown?.columns === undefined ? {} : { columns: shown.columns, isRemembered: shown.isRemembered };

export default function ProductImport() {
  const [done, setDone] = useState<Import>();
  const reading = useReading(() => setDone(undefined));
  const applying = useApplying(setDone);
  const found = reading.data;
  /** The same file, with what the owner says about it. */
  function readAgain(said: Partial<ToRead>) {
    applying.reset();
    if (!reading.variables) return;
    const { file, zeroTax } = reading.variables;
    reading.mutate({ file, zeroTax, ...columnsOf(found), ...said });
  }
  function choose(file: File | null) {
    if (!file) return;
    applying.reset();
    reading.mutate({ file });
  }
  return (
    <>
      <Heading
        title="Importar productos"
        lead="De Excel o CSV. Primero ve qué va a cambiar; nada se guarda hasta que usted lo confirme."
        back={{ to: "/productos", label: "Productos" }}
      />
      {!done && <FileChoice isReading={reading.isPending} isLocked={applying.isPending} onFile={choose} />}
      <ErrorMessage error={reading.error} />
      {found && !done && (
        <ImportColumns
          // A file that is read again has columns of its own.
          key={reading.submittedAt}
          headings={found.headings}
          unclear={found.unclear}
          isReading={reading.isPending}
          isRemembered={found.isRemembered}
          onRead={(columns) => readAgain({ columns, isRemembered: false })}
        />
      )}
      {found && !done && found.unclear === null && found.zero_tax_rows > 0 && (
        <ImportZeroTax
          rows={found.zero_tax_rows}
          value={reading.variables?.zeroTax}
          isReading={reading.isPending}
          onChoose={(zeroTax) => readAgain({ zeroTax })}
        />
      )}
      {found && found.unclear === null && found.error_count > 0 && (
        <ImportErrors errors={found.errors} count={found.error_count} />
      )}
      {found?.import && !done && <Apply planned={found.import} applying={applying} />}
      {done && (
        <Done
          result={done}
          onAgain={() => {
            setDone(undefined);
            reading.reset();
            applying.reset();
          }}
        />
      )}
    </>
  );
}

/** Reads a file with what the owner says about its columns, or said of one like it. */
function useReading(onBegin: () => void) {
  const accountId = useSession().data?.account.id ?? "";
  return useMutation({
    async mutationFn({ file, columns, zeroTax, isRemembered = false }: ToRead): Promise<Shown> {
      if (file.size > maxFileBytes)
        throw new ApiError(
          413,
          { code: "PAYLOAD_TOO_LARGE", message: "El archivo pesa más de 4 MB. Divídalo en varios más pequeños." },
          null,
        );
      const read = (chosen: ColumnFields | undefined) =>
        call<Read>(
          "POST",
          `/product-imports${query({
            file_name: file.name.slice(0, 200),
            columns: chosen?.map((field) => field ?? "").join(","),
            zero_tax: zeroTax,
          })}`,
          file,
        );
      const answer = await read(columns);
      const titles = answer.headings.map(({ title }) => title);
      if (columns) {
        if (answer.unclear === null && !isRemembered) rememberColumns(accountId, titles, columns);
        return { ...answer, columns, isRemembered };
      }
      const known = rememberedColumns(accountId, titles);
      if (!known) return { ...answer, columns, isRemembered: false };
      return { ...(await read(known)), columns: known, isRemembered: true };
    },
    onMutate: onBegin,
  });
}

/** Asks the service to go on until all chunks are applied. Whatever interrupts it, it goes on where it stopped. */
function useApplying(onDone: (result: Import) => void) {
  const [progress, setProgress] = useState<Import>();
  const applying = useMutation({
    async mutationFn(id: string) {
      for (;;) {
        const state = await post<Import>(`/product-imports/${id}/apply`);
        setProgress(state);
        if (state.applied_chunks >= state.chunks) return state;
      }
    },
    onSuccess: onDone,
    onSettled: refreshStock,
  });
  return {
    ...applying,
    progress,
    reset() {
      setProgress(undefined);
      applying.reset();
    },
  };
}

function FileChoice({
  isReading,
  isLocked,
  onFile,
}: {
  isReading: boolean;
  isLocked: boolean;
  onFile: (file: File | null) => void;
}) {
  const [isOver, setOver] = useState(false);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (!isLocked) onFile(event.dataTransfer.files[0] ?? null);
  }
  return (
    <Section title="1. Elija el archivo">
      {/** biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the button is the way by keyboard */}
      <div
        className="drop"
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileButton onChange={onFile} accept=".csv,.txt,.xlsx" disabled={isLocked}>
          {(props) => (
            <Button {...props} loading={isReading} disabled={isLocked}>
              Elegir archivo
            </Button>
          )}
        </FileButton>
        <Text c="dimmed" size="sm">
          o arrástrelo aquí. Hasta 10.000 filas y 4 MB.
        </Text>
      </div>
      <Text size="sm" mt="md">
        La primera fila lleva los títulos. Un producto se reconoce por su SKU: si existe, se actualiza; si no, se crea.
        Sus otros códigos se agregan a los que ya tiene. Las celdas vacías no cambian nada. Plantilla:{" "}
        <a href={fileAddress("/product-imports/template.xlsx")}>Excel</a> o{" "}
        <a href={fileAddress("/product-imports/template.csv")}>CSV</a>.
      </Text>
    </Section>
  );
}

function Apply({ planned, applying }: { planned: Import; applying: ReturnType<typeof useApplying> }) {
  const { id, summary, chunks } = planned;
  const { progress, isPending, error } = applying;
  const changes = summary.new + summary.changed;
  const share = progress ? (100 * progress.applied_chunks) / chunks : 0;
  return (
    <>
      <ImportPreview planned={planned} />
      {error && <Refusal error={error} />}
      {changes > 0 && (
        <Section title="3. Aplique los cambios">
          {(isPending || progress) && (
            <>
              <Progress value={share} aria-label="Progreso de la importación" mb="xs" />
              <Text size="sm" c="dimmed" mb="sm" aria-live="polite">
                {progress
                  ? `Van ${number(progress.created_count + progress.updated_count)} de ${number(changes)}.`
                  : "Empezando…"}
                {error && " Lo que ya se aplicó queda aplicado; al continuar, sigue desde ahí sin repetir nada."}
              </Text>
            </>
          )}
          <Button loading={isPending} onClick={() => applying.mutate(id)}>
            {progress && error ? "Continuar" : `Aplicar ${plural(changes, "cambio", "cambios")}`}
          </Button>
        </Section>
      )}
    </>
  );
}

function Done({ result, onAgain }: { result: Import; onAgain: () => void }) {
  return (
    <Section title="Listo">
      <Group gap="xs" mb="sm" role="status">
        <Icon name="check" />
        <Text>
          {plural(result.created_count, "producto creado", "productos creados")} y{" "}
          {plural(result.updated_count, "actualizado", "actualizados")}. Las cajas los reciben en segundos.
        </Text>
      </Group>
      {result.failures.length > 0 && (
        <>
          <Text mb="xs">
            {plural(result.failures.length, "fila no se pudo aplicar", "filas no se pudieron aplicar")}, porque algo
            cambió después de la vista previa:
          </Text>
          <ul>
            {result.failures.map(({ row, name, message }) => (
              <li key={row}>
                Fila {row}, «{name}»: {message.replaceAll("`", "")}
              </li>
            ))}
          </ul>
        </>
      )}
      <Group>
        <Button component={Link} href="/productos">
          Ver los productos
        </Button>
        <Button variant="default" onClick={onAgain}>
          Importar otro archivo
        </Button>
      </Group>
    </Section>
  );
}
