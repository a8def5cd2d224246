import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { number, pesos } from "../lib/format.ts";
import { fieldMessages } from "../ui/field-messages.ts";

const most = 5;
const usual = ["20AAAAAGGGGGC", "21AAAAAPPPPPC"];

/** How the shop's scales print their labels: which digits are the article, and which the weight or the price. */
export function ScaleLabels({ formats, onChange }: { formats: string[]; onChange: (formats: string[]) => void }) {
  const next = usual.find((one) => !formats.some((format) => format.startsWith(one.slice(0, 2)))) ?? "2";
  return (
    <Stack gap="xs" role="group" aria-label="Etiquetas de balanza">
      <Text fw={500} size="sm">
        Etiquetas de balanza
      </Text>
      <Text size="sm" c="dimmed">
        Cada etiqueta tiene 13 cifras y empieza por 2. Escriba A donde va el artículo, G donde van los gramos o P donde
        va el precio en pesos, X lo que no cuenta y C en la última, que es de control. La caja busca el artículo por su
        SKU o por sus otros códigos, con o sin ceros adelante.
      </Text>
      {formats.map((format, at) => (
        <Format
          // biome-ignore lint/suspicious/noArrayIndexKey: a format is what is being typed
          key={at}
          value={format}
          onChange={(value) => onChange(formats.map((one, i) => (i === at ? value : one)))}
          onRemove={() => onChange(formats.filter((_, i) => i !== at))}
        />
      ))}
      <Group>
        <Button variant="default" onClick={() => onChange([...formats, next])} disabled={formats.length >= most}>
          Agregar un formato
        </Button>
      </Group>
    </Stack>
  );
}

function Format(props: { value: string; onChange: (value: string) => void; onRemove: () => void }) {
  const { value, onChange, onRemove } = props;
  const shown = useQuery({
    queryKey: ["scale-label", value],
    queryFn: ({ signal }) =>
      get<Answer<"GET /counter/scale-label">>(`/counter/scale-label?format=${encodeURIComponent(value)}`, signal),
    enabled: value.length === 13,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const error = value.length === 13 ? fieldMessages(shown.error, ["format"]).format : undefined;
  return (
    <Group align="flex-start" gap="sm">
      <TextInput
        aria-label="Formato de la etiqueta"
        maxLength={13}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.toUpperCase().trim())}
        description={shown.data ? exampleText(shown.data) : `Faltan ${13 - value.length} posiciones.`}
        inputWrapperOrder={["label", "input", "description", "error"]}
        error={error}
        style={{ flex: 1 }}
      />
      <Button variant="subtle" onClick={onRemove}>
        Quitar
      </Button>
    </Group>
  );
}

function exampleText({ example, article, kind, value }: Answer<"GET /counter/scale-label">): string {
  const amount = kind === "weight" ? `${number(value / 1000)} kg` : pesos(value);
  return `Por ejemplo ${example}: artículo ${article}, ${amount}.`;
}
