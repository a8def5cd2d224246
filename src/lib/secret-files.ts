import { readFileSync } from "node:fs";
import { ConfigError } from "./setting-values.ts";

type Environment = Record<string, string | undefined>;

/** Settings that hold a secret. Each may stand in a file instead, which SECRET_KEY_FILE and its like name. */
export const secretNames = [
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "DATABASE_URL",
  "SMTP_URL",
  "APIDIAN_TOKEN",
  "WEBHOOK_PROXY",
] as const;
export const secretFileNames = secretNames.map((name) => `${name}_FILE` as const);

/** The settings with what stands in files: the contents, without the line's end. */
export function readSecretFiles(env: Environment): Environment {
  const read: Environment = { ...env };
  for (const name of secretNames) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (env[name]?.trim()) throw new ConfigError(`${name} y ${name}_FILE dicen lo mismo: deje una de las dos.`);
    read[name] = contentsOf(`${name}_FILE`, file);
  }
  return read;
}

function contentsOf(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ConfigError(
      `No se puede leer ${name} (${file}): ${(error as Error).message}. Revise la ruta y que el usuario del servicio pueda leerla.`,
    );
  }
  if (text === "") throw new ConfigError(`${name} (${file}) está vacío: ponga en él el valor, en una línea.`);
  return text;
}
