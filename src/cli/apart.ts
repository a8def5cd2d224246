import { UsageError } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { everyCommand, type Groups } from "./groups.ts";
import { integratorGroups } from "./integrator-commands.ts";
import { runLine } from "./run-line.ts";

const groups: Groups = {
  ...integratorGroups,
  completion: async () => ({ completion: completionCommand(() => everyCommand(groups)) }),
};

/** The commands of `@mostrador/cli`, on a machine that has nothing of the service. What it imports is what the package holds. */
export function runApart(
  { version, called }: { version: string; called: string },
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const program = {
    groups,
    version,
    called,
    about: "Mostrador: los comandos para integrar.",
    remarks: "La clave se lee de MOSTRADOR_API_KEY y la dirección de MOSTRADOR_URL, si no se dicen con --key y --url.",
    readConfig() {
      throw new UsageError("Este comando es del servicio, y aquí solo están los de integrar.");
    },
    here: undefined,
    expected: [],
  };
  return runLine(program, argv, env);
}
