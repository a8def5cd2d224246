import { fillAtOnce } from "../operations/fills/fill.ts";
import type { Command } from "./command.ts";
import { withCurrentSchema } from "./with-database.ts";

export const reindexCommand: Command = {
  name: "reindex",
  summary: "Pone al día las claves con que se buscan los registros; el servicio puede seguir encendido",
  async run({ config, out }) {
    const { seen, changed } = await withCurrentSchema(config, ({ pool }) => fillAtOnce(pool, "search_keys"));
    out.result(
      { records: seen, changed },
      changed === 0
        ? `${seen} registros revisados: todos estaban al día.`
        : `${seen} registros revisados, ${changed} puestos al día.`,
    );
  },
};
