import { rotateSecrets } from "../operations/installation/rotate-secrets.ts";
import { type Command, UsageError } from "./command.ts";
import { progressBar } from "./progress.ts";
import { withDatabase } from "./with-database.ts";

const maxShown = 20;

export const secretsRotate: Command = {
  name: "secrets rotate",
  summary:
    "Sella todos los secretos guardados con la SECRET_KEY nueva; el servicio sigue encendido, y se puede interrumpir",
  async run({ config, out }) {
    const { secretKeys } = config;
    if (typeof secretKeys === "string")
      throw new UsageError(
        "Falta SECRET_KEY_PREVIOUS: ponga en SECRET_KEY la clave nueva y en SECRET_KEY_PREVIOUS la que tenía, en todos los procesos. Los pasos están en docs/operations.md, «Cambiar SECRET_KEY».",
      );
    const { resealed, unreadable } = await withDatabase(config, ({ pool }) =>
      rotateSecrets(pool, { ...config, secretKeys }, progressBar(out, "Sellando")),
    );
    const lost = unreadable.slice(0, maxShown).map((place) => `  ${place}`);
    out.result(
      { resealed, unreadable },
      [
        `${resealed} secretos sellados con la clave nueva.`,
        unreadable.length === 0
          ? "Nada queda sellado con la anterior. Déjela en SECRET_KEY_PREVIOUS el tiempo que quiera que valgan los cursores ya entregados (un mes es prudente) y después quítela."
          : `${unreadable.length} no se leen con ninguna de las dos: póngalos otra vez en el portal o con fiscal set.`,
        ...lost,
      ].join("\n"),
    );
  },
};
