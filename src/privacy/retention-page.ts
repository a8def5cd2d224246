import { allRetentionKinds, type RetentionKind, retentionKinds } from "../lib/retention.ts";
import { type HeldTable, heldTables, keepingWords, tableNames } from "./tables.ts";

/** docs/retention.md, written from the tables that housekeeping and erasing follow. */
export function retentionPage(): string {
  const kinds = allRetentionKinds.map((name) => {
    const { spanish, days, least, most, floor }: Bounds = retentionKinds[name];
    const range = least === most ? "fijo" : `${least} a ${most}`;
    return `| \`${name}\` | ${spanish} | ${days} | ${range} | ${floor} |`;
  });
  const tables = tableNames.map((name) => {
    const { holds, keeps, because }: HeldTable = heldTables[name];
    return `| \`${name}\` | ${holds} | ${keepingText(keeps)} | ${because} |`;
  });
  return `${[
    "# Qué se guarda, cuánto, y qué borra una persona",
    "",
    "<!-- Generado con `npm run generate` desde src/privacy/tables.ts y src/lib/retention.ts. -->",
    "",
    "Lo que se va por su edad lo decide quien opera: `RETENTION_DAYS=mails=60,counter_acts=730` en el ambiente. Se borra una vez por hora, por el reloj de la base de datos.",
    "",
    "| Clase | Qué es | Días | Puede ser | Por qué no menos |",
    "|---|---|---|---|---|",
    ...kinds,
    "",
    "Un negocio que su dueño cierra se va entero a los `CLOSED_ACCOUNT_DAYS` días (30): `mostrador account close`. Hasta entonces `mostrador account set <id> --active true` lo devuelve. De los respaldos se va cuando se vayan ellos.",
    "",
    "## Cada tabla",
    "",
    "La última columna dice qué hace con sus filas borrar a una persona (`mostrador person erase`, o el dueño en Ajustes → Datos personales). La Ley 1581 de 2012 deja conservar lo que otra ley manda guardar.",
    "",
    "| Tabla | Qué hay | Cuánto | Al borrar a una persona |",
    "|---|---|---|---|",
    ...tables,
  ].join("\n")}\n`;
}

interface Bounds {
  spanish: string;
  days: number;
  least: number;
  most: number;
  floor: string;
}

function keepingText(keeps: HeldTable["keeps"]): string {
  if (!isKind(keeps)) return keepingWords[keeps];
  const since = keeps === "people" ? ", desde que no hacen parte de ningún negocio" : "";
  return `${retentionKinds[keeps].days} días (\`${keeps}\`)${since}`;
}

function isKind(keeps: HeldTable["keeps"]): keeps is RetentionKind {
  return keeps in retentionKinds;
}
