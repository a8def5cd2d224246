import { Button, Group, Select, Text } from "@mantine/core";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { type ImportField, importFields } from "../lib/stock-words.ts";
import { Section } from "../ui/parts.tsx";

type Read = Answer<"POST /product-imports">;
type Chosen = (ImportField | null)[];

const unused = "";
const choices = [
  { value: unused, label: "No usar" },
  ...Object.entries(importFields).map(([value, label]) => ({ value, label })),
];

/** What each column of the file is. Headings of other programs are nobody's to guess: the owner says it. */
export function ImportColumns(props: {
  headings: Read["headings"];
  unclear: string | null;
  isReading: boolean;
  onRead: (columns: Chosen) => void;
}) {
  const { headings, unclear, isReading, onRead } = props;
  const [isOpen, setOpen] = useState(unclear !== null);
  const [chosen, setChosen] = useState<Chosen>(() => headings.map(({ field }) => field));
  const isChanged = chosen.some((field, i) => field !== headings[i]!.field);
  const twice = chosen.find((field, i) => field !== null && chosen.indexOf(field) !== i);
  return (
    <Section title="Columnas del archivo" lead={unclear ?? "Qué es cada columna de su archivo."}>
      {isOpen ? (
        <>
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
                      value={chosen[at] ?? unused}
                      onChange={(value) =>
                        setChosen(chosen.map((one, i) => (i === at ? ((value || null) as ImportField | null) : one)))
                      }
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {twice && (
            <Text mt="sm" size="sm" c="var(--mantine-color-error)" role="alert">
              «{importFields[twice]}» está dos veces. Deje una sola de esas columnas.
            </Text>
          )}
          <Group mt="md">
            <Button loading={isReading} disabled={!isChanged || twice !== undefined} onClick={() => onRead(chosen)}>
              Leer con estas columnas
            </Button>
          </Group>
        </>
      ) : (
        <Group>
          <Text size="sm">
            {headings
              .filter(({ field }) => field !== null)
              .map(({ title, field }) => `${title} → ${importFields[field!]}`)
              .join(" · ")}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
            Cambiar
          </Button>
        </Group>
      )}
    </Section>
  );
}
