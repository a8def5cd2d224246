import { migrate, readMigrations } from "../db/migrate.ts";
import { connect, joinDatabase } from "../start/database.ts";
import type { Command } from "./command.ts";

export const migrateCommand: Command = {
  name: "migrate",
  summary: "Pone el esquema de la base de datos al día",
  async run({ config, out }) {
    const database = await joinDatabase(config);
    try {
      const pool = await connect(database.url, { max: 2 });
      try {
        const applied = await migrate(pool);
        const total = (await readMigrations()).length;
        out.result(
          { applied, total },
          applied.length > 0 ? `Aplicadas: ${applied.join(", ")}` : "El esquema ya está al día.",
        );
      } finally {
        await pool.end();
      }
    } finally {
      await database.stop();
    }
  },
};
