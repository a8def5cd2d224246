import { type Distribution, distribute } from "../db/distribute.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import type { Command } from "./command.ts";
import { withPool } from "./with-database.ts";

export const migrateCommand: Command = {
  name: "migrate",
  summary: "Pone el esquema de la base de datos al día",
  async run({ config, out }) {
    const { applied, citus } = await withPool(config, async (pool) => ({
      applied: await migrate(pool),
      citus: await distribute(pool),
    }));
    const total = (await readMigrations()).length;
    const lines = [applied.length > 0 ? `Aplicadas: ${applied.join(", ")}` : "El esquema ya está al día."];
    if (citus) lines.push(...told(citus));
    out.result({ applied, total, ...(citus && { citus }) }, lines.join("\n"));
  },
};

function told({ nodes, distributed, copied }: Distribution): string[] {
  if (distributed.length + copied.length === 0)
    return [`Citus, ${nodes} nodos: las tablas de los negocios ya estaban repartidas.`];
  return [
    `Citus, ${nodes} nodos. Repartidas por negocio: ${distributed.join(", ") || "ninguna más"}.`,
    ...(copied.length > 0 ? [`Copiadas a todos los nodos: ${copied.join(", ")}.`] : []),
    "Las demás son directorios y siguen en el coordinador.",
  ];
}
