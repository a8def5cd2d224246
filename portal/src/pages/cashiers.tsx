import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, remove } from "../lib/api.ts";
import { useSession } from "../lib/queries.ts";
import { type Sede, useSedes } from "../lib/sedes.ts";
import { Allowed } from "../ui/allowed.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Empty, ErrorMessage, Loading, Section } from "../ui/parts.tsx";
import { type Cashier, CashierForm, type Rights, refreshCashiers } from "./cashier-form.tsx";
import { PersonCashierForm, PersonPinForm } from "./person-cashier-form.tsx";

/** Who stands at the registers. Without anyone here, a register asks for no PIN and allows everything. */
export function Cashiers() {
  const cashiers = useQuery({
    queryKey: ["cashiers"],
    queryFn: ({ signal }) => get<Answer<"GET /cashiers">>("/cashiers", signal),
  });
  const rights = cashiers.data?.rights ?? [];
  const sedes = useSedes().data ?? [];
  const ownSedes = useSession().data?.location_ids ?? null;
  const hasSedes = sedes.length > 1;
  const people = cashiers.data?.people ?? [];
  const [edited, setEdited] = useState<Cashier | "new">();
  const [joined, setJoined] = useState<Cashier | "new">();
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
              {hasSedes && <th>Atiende en</th>}
              <th>Además de vender, puede</th>
              <th aria-label="Acciones" />
            </tr>
          </thead>
          <tbody>
            {cashiers.data?.data.map((cashier) => (
              <tr key={cashier.id}>
                <td data-label="">
                  {cashier.name}
                  {cashier.person_id !== null && (
                    <Text size="sm" c="dimmed">
                      Persona del negocio
                    </Text>
                  )}
                </td>
                {hasSedes && <td data-label="Atiende en">{placesText(cashier, sedes)}</td>}
                <td data-label="Puede">{allowedText(cashier, rights)}</td>
                <td data-label="">
                  <Allowed to={isOnlyOf(cashier, ownSedes) ? "cashiers" : "people"}>
                    <Group gap="xs" justify="flex-end">
                      {cashier.person_id === null && people.length > 0 && (
                        <Button size="compact-sm" variant="default" onClick={() => setJoined(cashier)}>
                          Es del negocio
                        </Button>
                      )}
                      <Button size="compact-sm" variant="default" onClick={() => setEdited(cashier)}>
                        {cashier.person_id === null ? "Editar" : "Cambiar el PIN"}
                      </Button>
                      <Button size="compact-sm" variant="default" color="red" onClick={() => setRetired(cashier)}>
                        Retirar
                      </Button>
                    </Group>
                  </Allowed>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Allowed to="cashiers">
        <Group mt="md">
          <Button variant="default" onClick={() => setEdited("new")}>
            Agregar a alguien
          </Button>
          {people.length > 0 && (
            <Button variant="default" onClick={() => setJoined("new")}>
              Agregar a una persona del negocio
            </Button>
          )}
        </Group>
      </Allowed>
      {joined && (
        <PersonCashierForm
          cashier={joined === "new" ? undefined : joined}
          people={people}
          onClose={() => setJoined(undefined)}
        />
      )}
      {isPerson(edited) ? (
        <PersonPinForm cashier={edited} onClose={() => setEdited(undefined)} />
      ) : (
        edited && (
          <CashierForm
            cashier={edited === "new" ? undefined : edited}
            rights={rights}
            onClose={() => setEdited(undefined)}
          />
        )
      )}
      {retired && (
        <ConfirmDialog
          title={`Retirar a ${retired.name}`}
          action="Retirar"
          danger
          run={() => remove(`/cashiers/${retired.id}`).then(refreshCashiers)}
          onClose={() => setRetired(undefined)}
        >
          <Text>
            Ya no podrá entrar en las cajas con conexión. Sus ventas siguen a su nombre.
            {retired.person_id !== null && " Al portal sigue entrando como hoy."}
          </Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}

const isPerson = (edited: Cashier | "new" | undefined): edited is Cashier =>
  typeof edited === "object" && edited.person_id !== null;

/** Whoever has only some sedes changes those who work nowhere else. */
function isOnlyOf({ location_ids }: Cashier, own: readonly string[] | null): boolean {
  return own === null || (location_ids?.every((id) => own.includes(id)) ?? false);
}

function placesText({ location_ids }: Cashier, sedes: readonly Sede[]): string {
  if (location_ids === null) return "Todas";
  return sedes.flatMap(({ id, name }) => (location_ids.includes(id) ? name : [])).join(", ") || "–";
}

/** Thirteen rights are a long list: who has them all, or nearly all, is told by what is missing. */
function allowedText({ permissions }: Cashier, rights: Rights): string {
  const missing = rights.filter(({ id }) => !permissions.includes(id));
  if (missing.length === rights.length) return "Nada más";
  if (missing.length === 0) return "Todo, y autorizar a los demás";
  const titles = (some: Rights) => some.map(({ title }) => title).join(", ");
  if (missing.length <= 3) return `Todo, menos: ${titles(missing)}`;
  return titles(rights.filter(({ id }) => permissions.includes(id)));
}
