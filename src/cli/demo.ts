import { ensureDemo } from "../operations/demo/ensure-demo.ts";
import { demoEmail, demoKey, demoPassword } from "../operations/demo/identity.ts";
import { type Command, UsageError } from "./command.ts";
import { progressBar } from "./progress.ts";
import { withDatabase } from "./with-database.ts";

export const demo: Command = {
  name: "demo",
  summary: "Crea el negocio de demostración: una tienda con cuatro semanas de ventas",
  async run({ config, out }) {
    if (config.environment === "live")
      throw new UsageError("El negocio de demostración solo existe en el ambiente de pruebas.");
    const progress = progressBar(out, "Preparando el negocio de demostración");
    const state = await withDatabase(config, (deps) => ensureDemo(deps, progress, { always: true }));
    const login = {
      state,
      email: demoEmail,
      password: demoPassword(config.secretKeys),
      key: demoKey(config.secretKeys),
    };
    out.result(
      login,
      `${state === "built" ? "Listo" : "Ya existía"}: ${login.email} · contraseña ${login.password}\nClave de API: ${login.key}`,
    );
  },
};
