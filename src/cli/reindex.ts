import { fillOnce, type Progress, restartFill } from "../operations/fills/fill.ts";
import type { Command } from "./command.ts";
import { withCurrentSchema } from "./with-database.ts";

export const reindexCommand: Command = {
  name: "reindex",
  summary: "Pone al día las claves con que se buscan los registros; el servicio puede seguir encendido",
  async run({ config, out }) {
    const { seen, changed } = await withCurrentSchema(config, async ({ pool }) => {
      await restartFill(pool, "search_keys");
      let last: Progress = { seen: 0, changed: 0, isFinished: false };
      for (;;) {
        const progress = await fillOnce(pool, "search_keys", true);
        if (!progress) return last;
        last = progress;
      }
    });
    out.result(
      { records: seen, changed },
      changed === 0
        ? `${seen} registros revisados: todos estaban al día.`
        : `${seen} registros revisados, ${changed} puestos al día.`,
    );
  },
};
