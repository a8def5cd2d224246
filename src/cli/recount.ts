import { fillAtOnce } from "../operations/fills/fill.ts";
import type { Command } from "./command.ts";
import { withCurrentSchema } from "./with-database.ts";

export const recountCommand: Command = {
  name: "recount",
  summary: "Suma de nuevo las ventas de cada día a partir de los registros; el servicio puede seguir encendido",
  async run({ config, out }) {
    const { seen } = await withCurrentSchema(config, ({ pool }) => fillAtOnce(pool, "sale_sums"));
    out.result({ counted: seen }, "Los totales de ventas están al día.");
  },
};
