import { Mostrador } from "../../sdk/src/index.ts";
import { scopes } from "../engine/resources/scopes.ts";
import { isWellFormedToken } from "../lib/token.ts";
import { type Command, UsageError } from "./command.ts";
import { connectionOf, connectionOptions, toUsageError } from "./integrator.ts";

export const keysCheck: Command = {
  name: "keys check",
  summary: "Dice si una clave de API sirve aquí, y para qué",
  usage: "--key mst_test_…",
  options: connectionOptions,
  async run(invocation) {
    const { url, key } = connectionOf(invocation);
    const environment = /^mst_(test|live)_/.exec(key)?.[1];
    if (environment === undefined || !isWellFormedToken(`mst_${environment}_`, key)) {
      throw new UsageError("La clave está mal escrita o incompleta: cópiela de nuevo, completa, del portal.");
    }
    // Whoever asks wants to know now, not after the client's repeats.
    const client = new Mostrador({ apiKey: key, baseUrl: url, maxRetries: 0 });
    const me = await client.me().catch((error: unknown) => Promise.reject(toUsageError(error)));
    const granted: string[] = me.scopes;
    const missing = scopes.filter((scope) => !granted.includes(scope));
    invocation.out.result(
      { environment, url, account: me.account.name, expires_at: me.expires_at, scopes: granted, missing },
      [
        `La clave funciona en ${url} (${environment === "test" ? "pruebas" : "producción"}): ${me.account.name}.`,
        `Permisos: ${granted.join(", ") || "ninguno"}`,
        ...(missing.length > 0 ? [`Sin permiso: ${missing.join(", ")}`] : []),
      ].join("\n"),
    );
  },
};
