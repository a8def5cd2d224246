import { migrate, readMigrations } from "../db/migrate.ts";
import type { Command } from "./command.ts";
import { withPool } from "./with-database.ts";

export const migrateCommand: Command = {
  name: "migrate",
  summary: "Pone el esquema de la base de datos al día",
  async run({ config, out }) {
    const applied = await withPool(config, (pool) => migrate(pool));
    const total = (await readMigrations()).length;
    out.result(
      { applied, total },
      applied.length > 0 ? `Aplicadas: ${applied.join(", ")}` : "El esquema ya está al día.",
    );
  },
};
