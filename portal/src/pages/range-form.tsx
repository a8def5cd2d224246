import { Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { NumberingRange, RequestedConfirmation } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { rangeKinds } from "../lib/words.ts";
import { CodeButtons } from "../ui/code-buttons.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";
import { placeOf, RangePlace } from "./range-place.tsx";

const kinds = (["pos", "invoice", "note"] as const).map((value) => ({ value, label: rangeKinds[value].title }));
const fields = [
  "prefix",
  "from",
  "to",
  "next",
  "reason",
  "valid_from",
  "valid_until",
  "technical_key",
  "resolution",
  "register_id",
] as const;
type Field = (typeof fields)[number];

/** The props that bind an input to a field. `clean` removes invalid characters as they are typed. */
type Bind = (
  field: Exclude<Field, "register_id">,
  clean?: (text: string) => string,
) => { value: string; error: string | undefined; onChange: (event: { currentTarget: { value: string } }) => void };

const digits = (text: string) => text.replace(/\D/g, "").slice(0, 10);

/** Adds a range or corrects one. Kind, prefix and first number identify a range, so a correction cannot change them. */
export function RangeForm({ range, onClose }: { range: NumberingRange | undefined; onClose: () => void }) {
  const notify = useNotify();
  const draft = useDraft(`range ${range?.id ?? "nuevo"}`, {
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
  // A secret is not kept.
  const [technicalKey, setTechnicalKey] = useState("");
  const { kind, register_id, warehouse_id, registers, ...texts } = draft.value;
  const place = { register_id, warehouse_id, registers };
  const values: Record<Exclude<Field, "register_id">, string> = { ...texts, technical_key: technicalKey };
  const requesting = useMutation({
    mutationFn: () =>
      post<RequestedConfirmation>("/numbering-ranges", {
        kind,
        prefix: values.prefix,
        from: Number(values.from),
        to: Number(values.to),
        next: values.next ? Number(values.next) : null,
        reason: values.next ? values.reason || null : null,
        valid_from: values.valid_from || null,
        valid_until: values.valid_until || null,
        ...place,
        technical_key: values.technical_key || null,
        resolution: values.resolution || null,
      }),
  });
  const fieldErrors = fieldMessages(requesting.error, fields);
  const name = `${values.prefix.toUpperCase()} ${values.from}–${values.to}`.trim();
  if (requesting.data) {
    return (
      <CodeDialog
        confirmation={requesting.data}
        action={range ? "corregir un rango de numeración" : "registrar un rango de numeración"}
        detail={name}
        onDone={() => {
          draft.forget();
          notify(`Rango ${name} guardado.`);
          void client.invalidateQueries({ queryKey: ["numbering-ranges"] });
          void client.invalidateQueries({ queryKey: ["list", "/audit-log"] });
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    requesting.mutate();
  }
  const bind: Bind = (field, clean = (text) => text) => ({
    value: values[field],
    error: fieldErrors[field],
    onChange(event) {
      const value = clean(event.currentTarget.value);
      if (field === "technical_key") setTechnicalKey(value);
      else draft.change({ [field]: value });
    },
  });
  return (
    <Dialog onClose={onClose} title={range ? "Corregir el rango" : "Registrar un rango de numeración"} size="lg">
      <form onSubmit={submit}>
        <DraftNotice draft={draft} />
        <Stack gap="sm">
          <Select
            label="Para"
            allowDeselect={false}
            disabled={range !== undefined}
            data={kinds}
            value={kind}
            onChange={(value) => draft.change({ kind: (value as NumberingRange["kind"]) ?? "pos" })}
          />
          <Numbers range={range} bind={bind} />
          <Authorization range={range} kind={kind} bind={bind} />
          <RangePlace place={place} onPlace={draft.change} error={fieldErrors.register_id} />
          <NextNumber bind={bind} />
        </Stack>
        <Text size="sm" c="dimmed" mt="md">
          Copie estos datos de la resolución, tal cual: un número o una clave equivocada hace que la DIAN rechace los
          documentos.
        </Text>
        {!fieldErrors.areAllShown && <ErrorMessage error={requesting.error} />}
        <CodeButtons
          isRequesting={requesting.isPending}
          onCancel={() => {
            draft.forget();
            onClose();
          }}
        />
      </form>
    </Dialog>
  );
}

function Numbers({ range, bind }: { range: NumberingRange | undefined; bind: Bind }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <TextInput
        label="Prefijo"
        description="Hasta 4 letras o números"
        maxLength={4}
        disabled={range !== undefined}
        {...bind("prefix", (text) => text.toUpperCase())}
        data-autofocus={range ? undefined : true}
      />
      <TextInput
        label="Primer número"
        description="Desde"
        required
        inputMode="numeric"
        disabled={range !== undefined}
        {...bind("from", digits)}
      />
      <TextInput
        label="Último número"
        description="Hasta"
        required
        inputMode="numeric"
        {...bind("to", digits)}
        data-autofocus={range ? true : undefined}
      />
    </SimpleGrid>
  );
}

function Authorization({ range, kind, bind }: { range: NumberingRange | undefined; kind: string; bind: Bind }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Vigente desde (opcional)"
          description="El primer día, si la resolución lo dice."
          type="date"
          {...bind("valid_from")}
        />
        <TextInput
          label={kind === "note" ? "Vigente hasta (opcional)" : "Vigente hasta"}
          description="El último día que dice la resolución."
          type="date"
          required={kind !== "note"}
          {...bind("valid_until")}
        />
      </SimpleGrid>
      <TextInput
        label="Resolución (opcional)"
        description="El número de la autorización."
        maxLength={40}
        {...bind("resolution")}
      />
      {kind === "invoice" && (
        <TextInput
          label="Clave técnica"
          description={
            range?.has_technical_key
              ? "Ya hay una guardada. Déjela vacía para conservarla."
              : "40 letras y números que la DIAN da con el rango. Se guarda cifrada."
          }
          required={!range?.has_technical_key}
          maxLength={100}
          autoComplete="off"
          {...bind("technical_key")}
        />
      )}
    </>
  );
}

function NextNumber({ bind }: { bind: Bind }) {
  const next = bind("next", digits);
  return (
    <>
      <TextInput
        label="Próximo número (opcional)"
        description="Solo si los anteriores ya se usaron en otra parte."
        inputMode="numeric"
        {...next}
      />
      {next.value && (
        <TextInput
          label="Motivo"
          description="Por qué se saltan los números anteriores, por ejemplo: usados en otro sistema. Queda anotado con ellos."
          maxLength={200}
          {...bind("reason")}
        />
      )}
    </>
  );
}
