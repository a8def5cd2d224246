import { createEnrolmentCode } from "../../access/devices/create-enrolment-code.ts";
import { sql } from "../../db/sql.ts";
import type { Deps } from "../../deps.ts";
import { demoKeyWorks } from "../demo/ensure-demo.ts";
import { demoEmail, demoKey, demoPassword } from "../demo/identity.ts";

/** The register's address with a code that links it to the demo shop, good for ten minutes. */
async function demoRegister(deps: Deps): Promise<string> {
  const { rows } = await deps.pool.query<{ id: string }>(
    sql`select id from accounts where lower(email) = ${demoEmail}`,
  );
  const { code } = await createEnrolmentCode(deps, { accountId: rows[0]!.id, name: "Caja de demostración" });
  return `${deps.config.publicUrl}/caja/#codigo=${code}`;
}

/** What a newcomer needs: addresses, a login, and a command to paste. */
export async function banner(deps: Deps, readyMs: number): Promise<string> {
  const { publicUrl, secretKey, environment, adminPort, fiscalAuthority } = deps.config;
  const lines = [
    "",
    `  Mostrador está listo (${(readyMs / 1000).toFixed(1)} s, ambiente ${environment === "test" ? "de pruebas" : "de producción"})`,
    "",
    `  Inicio       ${publicUrl}/`,
    `  API          ${publicUrl}/public/v1`,
    `  Referencia   ${publicUrl}/docs`,
    `  Salud        http://127.0.0.1:${adminPort}/readyz`,
  ];
  if (environment === "test" && (await demoKeyWorks(deps))) {
    lines.push(
      `  Demostración ${demoEmail} · contraseña ${demoPassword(secretKey)}`,
      `  Caja         ${await demoRegister(deps)}`,
      "",
      "  Pruebe:",
      `  curl -H "Authorization: Bearer ${demoKey(secretKey)}" "${publicUrl}/public/v1/products?limit=2"`,
    );
  }
  if (environment === "live" && fiscalAuthority === "simulated") {
    lines.push(
      "",
      "  AVISO: la autoridad fiscal es simulada y ningún documento llega a la DIAN.",
      "  Para facturar de verdad configure FISCAL_AUTHORITY=apidian y APIDIAN_URL.",
    );
  }
  return [...lines, "", "  Ctrl+C lo detiene.", ""].join("\n");
}
