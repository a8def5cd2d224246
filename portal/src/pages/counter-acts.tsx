import { Text } from "@mantine/core";
import { Link } from "wouter";
import { actList } from "../../../src/api/portal/lists/counter-acts.ts";
import { actTitles } from "../../../src/api/portal/lists/words.ts";
import type { CounterAct } from "../lib/answers.ts";
import { number, pesos } from "../lib/format.ts";
import { ListPage } from "../lists/list-page.tsx";
import { StateBadge } from "../ui/parts.tsx";

export default function CounterActs() {
  return (
    <ListPage
      list={actList}
      heading={{
        lead: "Lo que se quitó o se botó, lo que autorizó un supervisor y lo que se hizo sin permiso. Quién puede qué se decide en Ajustes → Mostrador.",
      }}
      cells={{
        kind: ({ kind, is_allowed }) => (
          <span>
            {actTitles[kind]} {!is_allowed && <StateBadge title="Sin permiso" color="red" />}
          </span>
        ),
        amount: ({ kind, amount }) => (amount === null ? "—" : kind === "wrong_pins" ? number(amount) : pesos(amount)),
        detail: (act) => <Detail act={act} />,
        register: ({ register, device_id }) => <Link href={`/cajas/${device_id}`}>{register ?? "Retirada"}</Link>,
      }}
      words={{
        icon: "shield",
        none: "Todavía no hay actos",
        noMatch: "Ningún acto coincide",
        hint: "Aparecen cuando en una caja se bota un tiquete, se quita lo que estuvo en espera o alguien autoriza algo.",
      }}
    />
  );
}

function Detail({ act: { sale_id, label, detail } }: { act: CounterAct }) {
  return (
    <div style={{ overflowWrap: "anywhere" }}>
      {sale_id === null ? label : <Link href={`/ventas/${sale_id}`}>{label ?? "Venta"}</Link>}
      {detail && (
        <Text size="sm" c="dimmed" component="div">
          {detail}
        </Text>
      )}
      {!label && !detail && sale_id === null && "—"}
    </div>
  );
}
