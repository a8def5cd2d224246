import type { Deps } from "../../deps.ts";
import { demoRegister } from "../demo/demo-register.ts";
import { demoKeyWorks } from "../demo/ensure-demo.ts";
import { demoEmail, demoKey, demoPassword } from "../demo/identity.ts";

/** What a start tells: to a person as the banner, otherwise as a line of the log. */
export interface Ready {
  url: string;
  admin_url: string;
  ready_ms: number;
  environment: "test" | "live";
  /** What the operator should change, or know. */
  warnings?: string[];
  /** The demo shop's login, register, and a command to paste. */
  demo?: { email: string; password: string; register_url: string; try: string };
}

export async function describeStart(deps: Deps, readyMs: number): Promise<Ready> {
  const { publicUrl, secretKey, environment, adminPort } = deps.config;
  const warnings = warningsOf(deps.config);
  return {
    url: publicUrl,
    admin_url: `http://127.0.0.1:${adminPort}`,
    ready_ms: readyMs,
    environment,
    ...(warnings.length > 0 && { warnings }),
    ...(environment === "test" &&
      (await demoKeyWorks(deps)) && {
        demo: {
          email: demoEmail,
          password: demoPassword(secretKey),
          register_url: await demoRegister(deps),
          try: `curl -H "Authorization: Bearer ${demoKey(secretKey)}" "${publicUrl}/public/v1/products?limit=2"`,
        },
      }),
  };
}

function warningsOf({ environment, fiscalAuthority, smtpUrl, devMail }: Deps["config"]): string[] {
  const warnings: string[] = [];
  if (environment === "live" && fiscalAuthority === "simulated")
    warnings.push(
      "la autoridad fiscal es simulada y ningún documento llega a la DIAN. Para facturar de verdad configure FISCAL_AUTHORITY=apidian y APIDIAN_URL.",
    );
  if (smtpUrl === undefined && devMail === "off")
    warnings.push(
      "los correos no salen ni se muestran: quedan en la base de datos, y nadie recibe sus códigos. Configure SMTP_URL; o, si nadie más llega a este servicio, DEV_MAIL=on los muestra en /dev/mail.",
    );
  return warnings;
}

/** What a newcomer needs: addresses, a login, and a command to paste. */
export function banner({ url, admin_url, ready_ms, environment, demo, warnings = [] }: Ready): string {
  const lines = [
    "",
    `  Mostrador está listo (${(ready_ms / 1000).toFixed(1)} s, ambiente ${environment === "test" ? "de pruebas" : "de producción"})`,
    "",
    `  Inicio       ${url}/`,
    `  API          ${url}/public/v1`,
    `  Referencia   ${url}/docs`,
    `  Salud        ${admin_url}/readyz`,
  ];
  if (demo)
    lines.push(
      `  Demostración ${demo.email} · contraseña ${demo.password}`,
      `  Caja         ${demo.register_url}`,
      "",
      "  Pruebe:",
      `  ${demo.try}`,
    );
  for (const warning of warnings) lines.push("", `  AVISO: ${warning}`);
  return [...lines, "", "  Ctrl+C lo detiene.", ""].join("\n");
}
