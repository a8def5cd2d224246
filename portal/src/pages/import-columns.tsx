import { Button, Group, Select, Text } from "@mantine/core";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { type ImportField, importFields } from "../lib/stock-words.ts";
import { Section } from "../ui/parts.tsx";

type Read = Answer<"POST /product-imports">;
type Chosen = (ImportField | null)[];

const notUsed = "";
const choices = [
  { value: notUsed, label: "No usar" },
  ...Object.entries(importFields).map(([value, label]) => ({ value, label })),
];

/** One of these says which product a row is about. */
const identifying = new Set<ImportField>(["sku", "name", "id"]);

/** What each column of the file is. Headings of other programs are nobody's to guess: the owner says it. */
export function ImportColumns(props: {
  headings: Read["headings"];
  unclear: string | null;
  isReading: boolean;
  /** Whether they are what the owner said for an earlier file with these headings. */
  isRemembered: boolean;
  onRead: (columns: Chosen) => void;
}) {
  const { headings, unclear, isReading, isRemembered, onRead } = props;
  const [isOpen, setOpen] = useState(unclear !== null);
  const [chosen, setChosen] = useState<Chosen>(() => headings.map(({ field }) => field));
  const isChanged = chosen.some((field, i) => field !== headings[i]?.field);
  const twice = chosen.find((field, i) => field !== null && field !== "barcodes" && chosen.indexOf(field) !== i);
  // Whoever was asked may answer that there is nothing more.
  const isAnswer = isChanged || (unclear !== null && chosen.some((field) => field !== null && identifying.has(field)));
  const unused = headings.flatMap(({ title, field }, at) =>
    field === null ? `«${title || `Columna ${at + 1}`}»` : [],
  );
  return (
    <Section title="Columnas del archivo" lead={unclear ?? "Qué es cada columna de su archivo."}>
      {isRemembered && (
        <Text size="sm" mb="sm">
          Se leyó con lo que usted dijo la última vez para un archivo con estos títulos.
        </Text>
      )}
      {isOpen ? (
        <>
          <Table
            headings={headings}
            chosen={chosen}
            onChoose={(at, field) => setChosen(chosen.map((one, i) => (i === at ? field : one)))}
          />
          {twice && (
            <Text mt="sm" size="sm" c="var(--mantine-color-error)" role="alert">
              «{importFields[twice]}» está dos veces. Deje una sola de esas columnas.
            </Text>
          )}
          <Group mt="md">
            <Button loading={isReading} disabled={!isAnswer || twice !== undefined} onClick={() => onRead(chosen)}>
              Leer con estas columnas
            </Button>
          </Group>
        </>
      ) : (
        <Group>
          <Text size="sm">
            {headings.flatMap(({ title, field }) => (field ? `${title}: ${importFields[field]}` : [])).join(" · ")}
            {unused.length > 0 && `. No se ${unused.length === 1 ? "usa" : "usan"}: ${unused.join(", ")}.`}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
            Cambiar
          </Button>
        </Group>
      )}
    </Section>
  );
}

function Table(props: {
  headings: Read["headings"];
  chosen: Chosen;
  onChoose: (at: number, field: ImportField | null) => void;
}) {
  const { headings, chosen, onChoose } = props;
  return (
    <table className="rows" aria-label="Columnas del archivo">
      <thead>
        <tr>
          <th>Columna</th>
          <th>Dice</th>
          <th>Es</th>
        </tr>
      </thead>
      <tbody>
        {headings.map(({ title, examples }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one title
          <tr key={at}>
            <td data-label="Columna">{title || `Columna ${at + 1}`}</td>
            <td data-label="Dice" style={{ overflowWrap: "anywhere" }}>
              {examples.join(" · ")}
            </td>
            <td data-label="Es">
              <Select
                aria-label={`Qué es ${title || `la columna ${at + 1}`}`}
                data={choices}
                allowDeselect={false}
                value={chosen[at] ?? notUsed}
                onChange={(value) => onChoose(at, (value || null) as ImportField | null)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
