import { auditList } from "../../../src/api/portal/lists/audit-log.ts";
import { ListPage } from "../lists/list-page.tsx";
import { auditCells } from "./audit-cells.tsx";

export default function Audit() {
  return (
    <ListPage
      list={auditList}
      heading={{
        lead: "Quién hizo qué, cuándo y desde dónde. Nada de aquí se edita: cada línea sella la anterior, y quien opera el servicio comprueba que no falte ni cambie ninguna.",
      }}
      cells={auditCells}
      words={{
        icon: "list",
        none: "Todavía no hay nada registrado",
        noMatch: "Ninguna línea coincide",
        hint: "Aparece cada ingreso y cada cambio que importa.",
      }}
    />
  );
}
