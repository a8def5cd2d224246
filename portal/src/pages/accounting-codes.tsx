import { Button, Fieldset, Group, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { allMeans, otherMeans, paymentName } from "../../../src/taxes/means.ts";
import type { AccountingCodes } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Loading, Section } from "../ui/parts.tsx";

/** Each account by the path of its field. */
const groups: readonly { title: string; codes: readonly [path: string, label: string][] }[] = [
  {
    title: "Medios de pago",
    codes: [
      ...allMeans
        .filter((code) => code !== otherMeans)
        .map((code): [string, string] => [`payments.${code}`, paymentName(code)]),
      ["other_payment", paymentName(otherMeans)],
    ],
  },
  {
    title: "Ingresos e impuestos",
    codes: [
      ["other_income", "Ventas"],
      ["returns", "Devoluciones en ventas"],
      ["taxes.01", "IVA generado"],
      ["taxes.04", "Impuesto al consumo"],
      ["taxes.22", "Impuesto a las bolsas"],
      ["other_tax", "Otros impuestos"],
      ["tips", "Propinas"],
      ["third_parties", "Recaudos para terceros"],
    ],
  },
  {
    title: "Caja",
    codes: [
      ["cash_in", "Entradas de caja"],
      ["cash_out", "Salidas de caja"],
      ["cash_surplus", "Sobrantes"],
      ["cash_shortage", "Faltantes"],
    ],
  },
];
const paths = groups.flatMap(({ codes }) => codes.map(([path]) => path));

export function AccountingCodesSection() {
  const codes = useQuery({
    queryKey: ["accounting-codes"],
    queryFn: ({ signal }) => get<AccountingCodes>("/accounting-codes", signal),
  });
  return (
    <Section
      title="Cuentas contables"
      lead="Las del diario de cada día. Vienen las del PUC para comerciantes; cámbielas con su contador."
    >
      {codes.isPending && <Loading />}
      <ErrorMessage error={codes.error} retry={codes.refetch} />
      {codes.data && <CodesForm codes={codes.data} />}
    </Section>
  );
}

function CodesForm({ codes }: { codes: AccountingCodes }) {
  const notify = useNotify();
  const draft = useDraft(
    "accounting-codes",
    Object.fromEntries(paths.map((path): [string, string] => [path, valueAt(codes, path)])),
  );
  const values = draft.value;
  const saving = useMutation({
    mutationFn: () => put<AccountingCodes>("/accounting-codes", bodyOf(codes, values)),
    onSuccess(saved) {
      draft.forget();
      client.setQueryData(["accounting-codes"], saved);
      notify("Cuentas guardadas.");
    },
  });
  const errors = fieldMessages(saving.error, paths);
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <form onSubmit={submit}>
      <DraftNotice draft={draft} />
      <Stack gap="sm">
        {groups.map((group) => (
          <Fieldset key={group.title} legend={group.title}>
            <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="sm">
              {group.codes.map(([path, label]) => (
                <TextInput
                  key={path}
                  label={label}
                  required
                  maxLength={20}
                  inputMode="numeric"
                  value={values[path]}
                  error={errors[path]}
                  onChange={(event) => draft.change({ [path]: event.currentTarget.value })}
                />
              ))}
            </SimpleGrid>
          </Fieldset>
        ))}
        {!errors.areAllShown && <ErrorMessage error={saving.error} />}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Guardar las cuentas
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function valueAt(codes: AccountingCodes, path: string): string {
  const [name = "", key] = path.split(".");
  const value = codes[name as keyof AccountingCodes];
  return typeof value === "string" ? value : (value[key ?? ""] ?? "");
}

/** Accounts that the form does not show, such as those of single rates, stay as they are. */
function bodyOf(codes: AccountingCodes, values: Record<string, string>): AccountingCodes {
  const body = structuredClone(codes);
  for (const [path, value] of Object.entries(values)) {
    const [name = "", key] = path.split(".");
    if (key === undefined) Object.assign(body, { [name]: value.trim() });
    else (body[name as "payments"] as Record<string, string>)[key] = value.trim();
  }
  return body;
}
