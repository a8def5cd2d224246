import { Button, Checkbox, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, patch, post, remove } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { Empty, ErrorMessage, Loading, Section } from "../ui/parts.tsx";

type Cashier = Answer<"GET /cashiers">["data"][number];
type Rights = Answer<"GET /cashiers">["rights"];

/** Who stands at the registers. Without anyone here, a register asks for no PIN and allows everything. */
export function Cashiers() {
  const cashiers = useQuery({
    queryKey: ["cashiers"],
    queryFn: ({ signal }) => get<Answer<"GET /cashiers">>("/cashiers", signal),
  });
  const rights = cashiers.data?.rights ?? [];
  const [edited, setEdited] = useState<Cashier | "new">();
  const [retired, setRetired] = useState<Cashier>();
  return (
    <Section title="Quién atiende">
      <ErrorMessage error={cashiers.error} retry={cashiers.refetch} />
      {cashiers.isPending ? (
        <Loading />
      ) : cashiers.data?.data.length === 0 ? (
        <Empty icon="people" title="Nadie en la lista">
          Las cajas venden sin pedir PIN. Agregue a su gente para saber quién vendió y decidir qué puede hacer cada
          quien.
        </Empty>
      ) : (
        <table className="rows" aria-label="Quién atiende">
          <thead>
            <tr>
              <th>Nombre</th>
              <th>Además de vender, puede</th>
              <th aria-label="Acciones" />
            </tr>
          </thead>
          <tbody>
            {cashiers.data?.data.map((cashier) => (
              <tr key={cashier.id}>
                <td data-label="">{cashier.name}</td>
                <td data-label="Puede">{allowedText(cashier, rights)}</td>
                <td data-label="">
                  <Group gap="xs" justify="flex-end">
                    <Button size="compact-sm" variant="default" onClick={() => setEdited(cashier)}>
                      Editar
                    </Button>
                    <Button size="compact-sm" variant="default" color="red" onClick={() => setRetired(cashier)}>
                      Retirar
                    </Button>
                  </Group>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Group mt="md">
        <Button variant="default" onClick={() => setEdited("new")}>
          Agregar a alguien
        </Button>
      </Group>
      {edited && (
        <CashierForm
          cashier={edited === "new" ? undefined : edited}
          rights={rights}
          onClose={() => setEdited(undefined)}
        />
      )}
      {retired && (
        <ConfirmDialog
          title={`Retirar a ${retired.name}`}
          action="Retirar"
          danger
          run={() => remove(`/cashiers/${retired.id}`).then(refresh)}
          onClose={() => setRetired(undefined)}
        >
          <Text>Ya no podrá entrar en las cajas con conexión. Sus ventas siguen a su nombre.</Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}

const refresh = () => client.invalidateQueries({ queryKey: ["cashiers"] });

/** Thirteen rights are a long list: who has them all, or nearly all, is told by what is missing. */
function allowedText({ permissions }: Cashier, rights: Rights): string {
  const missing = rights.filter(({ id }) => !permissions.includes(id));
  if (missing.length === rights.length) return "Nada más";
  if (missing.length === 0) return "Todo, y autorizar a los demás";
  const titles = (some: Rights) => some.map(({ title }) => title).join(", ");
  if (missing.length <= 3) return `Todo, menos: ${titles(missing)}`;
  return titles(rights.filter(({ id }) => permissions.includes(id)));
}

function CashierForm(props: { cashier: Cashier | undefined; rights: Rights; onClose: () => void }) {
  const { cashier, rights, onClose } = props;
  const draft = useDraft(`cashier ${cashier?.id ?? "nuevo"}`, {
    name: cashier?.name ?? "",
    allowed: cashier?.permissions ?? rights.map(({ id }) => id),
  });
  const { name, allowed } = draft.value;
  // A secret is not kept.
  const [pin, setPin] = useState("");
  const saving = useMutation({
    mutationFn: () => {
      const fields = { name: name.trim(), permissions: allowed, ...(pin !== "" && { pin }) };
      return cashier ? patch(`/cashiers/${cashier.id}`, fields) : post("/cashiers", fields);
    },
    async onSuccess() {
      draft.forget();
      await refresh();
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  const isPin = /^[0-9]{4,8}$/.test(pin) || (pin === "" && cashier !== undefined);
  return (
    <Dialog onClose={onClose} title={cashier ? `Editar a ${cashier.name}` : "Agregar a alguien"}>
      <form onSubmit={submit}>
        <DraftNotice draft={draft} />
        <Stack gap="md">
          <TextInput
            label="Nombre"
            required
            maxLength={80}
            value={name}
            onChange={(event) => draft.change({ name: event.currentTarget.value })}
            data-autofocus
          />
          <PasswordInput
            label={cashier ? "PIN nuevo (opcional)" : "PIN"}
            description="De 4 a 8 cifras. Nadie lo puede leer después, ni siquiera aquí."
            error={pin !== "" && !isPin ? "El PIN tiene de 4 a 8 cifras, sin letras." : undefined}
            inputMode="numeric"
            autoComplete="off"
            value={pin}
            onChange={(event) => setPin(event.currentTarget.value)}
          />
          <Checkbox.Group
            label="Además de vender, puede"
            description="Lo que no pueda, lo autoriza en la caja con su PIN quien sí puede; quedan los dos nombres."
            value={allowed}
            onChange={(value) => draft.change({ allowed: value as Cashier["permissions"] })}
          >
            <Stack gap="xs" mt="xs">
              {rights.map(({ id, title }) => (
                <Checkbox key={id} value={id} label={title} />
              ))}
            </Stack>
          </Checkbox.Group>
          <ErrorMessage error={saving.error} />
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={() => {
                draft.forget();
                onClose();
              }}
            >
              Cancelar
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={name.trim() === "" || !isPin}>
              Guardar
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
