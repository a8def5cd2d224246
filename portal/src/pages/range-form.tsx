import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { NumberingRange, RequestedConfirmation } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { rangeKinds } from "../lib/words.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { placeOf, RangePlace } from "./range-place.tsx";

const kinds = (["pos", "invoice", "note"] as const).map((value) => ({ value, label: rangeKinds[value].title }));

const startOf = (range: NumberingRange | undefined) => ({
  kind: range?.kind ?? "pos",
  ...placeOf(range),
  prefix: range?.prefix ?? "",
  from: range ? String(range.from) : "",
  to: range ? String(range.to) : "",
  next: "",
  reason: "",
  valid_from: range?.valid_from ?? "",
  valid_until: range?.valid_until ?? "",
  resolution: range?.resolution ?? "",
});
const noSecrets = { technical_key: "" };
type Values = ReturnType<typeof startOf> & typeof noSecrets;
type RangeField = Field<"POST /numbering-ranges", Values>;

const bodyOf = ({ from, to, next, reason, valid_from, valid_until, technical_key, resolution, ...rest }: Values) => ({
  ...rest,
  from: Number(from),
  to: Number(to),
  next: next ? Number(next) : null,
  reason: next ? reason || null : null,
  valid_from: valid_from || null,
  valid_until: valid_until || null,
  technical_key: technical_key || null,
  resolution: resolution || null,
});

/** Adds a range or corrects one. Kind, prefix and first number identify a range, so a correction cannot change them. */
export function RangeForm({ range, onClose }: { range: NumberingRange | undefined; onClose: () => void }) {
  const notify = useNotify();
  const form = useForm("POST /numbering-ranges", {
    draft: `range ${range?.id ?? "nuevo"}`,
    start: startOf(range),
    secrets: noSecrets,
    fieldless: ["warehouse_id", "registers", "location_id"],
    send: (values) => post<RequestedConfirmation>("/numbering-ranges", bodyOf(values)),
  });
  const { kind, prefix, from, to, next, register_id, warehouse_id, registers, location_id } = form.values;
  const name = `${prefix.toUpperCase()} ${from}–${to}`.trim();
  if (form.answer) {
    return (
      <CodeDialog
        confirmation={form.answer}
        action={range ? "corregir un rango de numeración" : "registrar un rango de numeración"}
        detail={name}
        onDone={() => {
          form.draft.forget();
          notify(`Rango ${name} guardado.`);
          void client.invalidateQueries({ queryKey: ["numbering-ranges"] });
          void client.invalidateQueries({ queryKey: ["list", "/audit-log"] });
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  const isKnown = range !== undefined;
  return (
    <Dialog onClose={onClose} title={range ? "Corregir el rango" : "Registrar un rango de numeración"} size="lg">
      <FormFrame form={form} action="Enviar el código" onCancel={onClose}>
        <Stack gap="sm">
          <Fields
            form={form}
            fields={[{ as: "choice", name: "kind", label: "Para", disabled: isKnown, data: kinds }]}
          />
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            <Fields form={form} fields={numbers(isKnown)} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Fields form={form} fields={validity(kind)} />
          </SimpleGrid>
          <Fields form={form} fields={authorization(range, kind)} />
          <RangePlace
            place={{ register_id, warehouse_id, registers, location_id }}
            onPlace={form.change}
            error={form.messages.register_id}
          />
          <Fields form={form} fields={nextNumber(next)} />
        </Stack>
        <Text size="sm" c="dimmed" mt="md">
          Copie estos datos de la resolución, tal cual: un número o una clave equivocada hace que la DIAN rechace los
          documentos.
        </Text>
      </FormFrame>
    </Dialog>
  );
}

const digits = (text: string) => text.replace(/\D/g, "").slice(0, 10);
const typedNumber = { inputMode: "numeric", clean: digits } as const;

const numbers = (isKnown: boolean): RangeField[] => [
  {
    name: "prefix",
    label: "Prefijo",
    description: "Hasta 4 letras o números",
    maxLength: 4,
    disabled: isKnown,
    clean: (text) => text.toUpperCase(),
    "data-autofocus": isKnown ? undefined : true,
  },
  { name: "from", label: "Primer número", description: "Desde", required: true, disabled: isKnown, ...typedNumber },
  {
    name: "to",
    label: "Último número",
    description: "Hasta",
    required: true,
    ...typedNumber,
    "data-autofocus": isKnown ? true : undefined,
  },
];

const validity = (kind: string): RangeField[] => [
  {
    name: "valid_from",
    label: "Vigente desde (opcional)",
    description: "El primer día, si la resolución lo dice.",
    type: "date",
  },
  {
    name: "valid_until",
    label: kind === "note" ? "Vigente hasta (opcional)" : "Vigente hasta",
    description: "El último día que dice la resolución.",
    type: "date",
    required: kind !== "note",
  },
];

const authorization = (range: NumberingRange | undefined, kind: string): (RangeField | false)[] => [
  { name: "resolution", label: "Resolución (opcional)", description: "El número de la autorización." },
  kind === "invoice" && {
    name: "technical_key",
    label: "Clave técnica",
    description: range?.has_technical_key
      ? "Ya hay una guardada. Déjela vacía para conservarla."
      : "40 letras y números que la DIAN da con el rango. Se guarda cifrada.",
    required: !range?.has_technical_key,
    autoComplete: "off",
  },
];

const nextNumber = (next: string): (RangeField | false)[] => [
  {
    name: "next",
    label: "Próximo número (opcional)",
    description: "Solo si los anteriores ya se usaron en otra parte.",
    ...typedNumber,
  },
  next !== "" && {
    name: "reason",
    label: "Motivo",
    description:
      "Por qué se saltan los números anteriores, por ejemplo: usados en otro sistema. Queda anotado con ellos.",
  },
];
