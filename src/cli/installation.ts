import type { Config } from "../config.ts";
import { checkSchema } from "../db/migrate.ts";
import type { Pool } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { build } from "../lib/version.ts";
import { type Identity, isOwnKey, readIdentity, storeIdentity } from "../operations/installation/identity.ts";
import { countStoredSecrets } from "../operations/installation/stored-secrets.ts";
import { type Command, UsageError } from "./command.ts";
import { withPool } from "./with-database.ts";

const flags = { yes: "Confirma el cambio" };

export const installationShow: Command = {
  name: "installation show",
  summary: "Muestra qué es esta instalación: su ambiente, si SECRET_KEY es la suya y la versión de este programa",
  async run({ config, out }) {
    const identity = await withSchema(config, readIdentity);
    const shown = {
      build,
      environment: identity?.environment ?? null,
      key: identity ? (isOwnKey(identity, config.secretKey) ? "own" : "other") : null,
    };
    const keyWords = {
      own: "la de esta instalación",
      other: "otra. Póngale la que se guardó al instalar; solo si se perdió: npx mostrador installation rekey",
    };
    out.result(
      shown,
      identity
        ? `Ambiente: ${identity.environment}\nSECRET_KEY: ${keyWords[isOwnKey(identity, config.secretKey) ? "own" : "other"]}\nPrograma: ${build}`
        : `La instalación todavía no se ha encendido: su ambiente y su SECRET_KEY quedan guardados la primera vez.\nPrograma: ${build}`,
    );
  },
};

export const installationRekey: Command = {
  name: "installation rekey",
  summary: "Acepta la SECRET_KEY de los ajustes como la de esta instalación, si la anterior se perdió o se filtró",
  usage: "--yes",
  flags,
  async run({ config, options, out }) {
    const secrets = await withSchema(config, async (pool) => {
      const identity = await readIdentity(pool);
      if (identity) requireSameEnvironment(identity, config);
      if (options.yes !== true)
        throw new UsageError(
          "Con otra SECRET_KEY dejan de leerse los secretos guardados: cada webhook necesita una rotación y cada negocio sus datos fiscales otra vez. Detenga todos los procesos y repita con --yes.",
        );
      await storeIdentity(pool, config);
      return countStoredSecrets(pool);
    });
    out.result(
      secrets,
      `Listo. Inicie todos los procesos con la nueva SECRET_KEY. Después, en el portal, rote el secreto de cada webhook (hay ${secrets.endpoints}) y ponga otra vez los datos fiscales de cada negocio con fiscal set (hay ${secrets.profiles}).`,
    );
  },
};

export const installationLive: Command = {
  name: "installation live",
  summary: "Declara de producción una instalación que se encendió por error con ENVIRONMENT=test; no tiene vuelta",
  usage: "--yes",
  flags,
  async run({ config, options, out }) {
    if (config.environment !== "live") throw new UsageError("Ponga primero ENVIRONMENT=live en los ajustes.");
    await withSchema(config, async (pool) => {
      const identity = await readIdentity(pool);
      if (identity && !isOwnKey(identity, config.secretKey))
        throw new UsageError(
          "SECRET_KEY no es la de esta instalación. Use la suya, o vea: npx mostrador installation rekey --help",
        );
      await requireOwnTime(pool);
      if (options.yes !== true)
        throw new UsageError(
          "Una instalación de producción no vuelve a ser de pruebas. Si está bien así, repita con --yes.",
        );
      await storeIdentity(pool, config);
    });
    out.result({ environment: "live" }, "Listo: la instalación es de producción.");
  },
};

function requireSameEnvironment(identity: Identity, { environment }: Config): void {
  if (identity.environment !== environment)
    throw new UsageError(
      `La instalación es ${identity.environment} y aquí dice ENVIRONMENT=${environment}. Ponga ENVIRONMENT=${identity.environment} y repita.`,
    );
}

async function requireOwnTime(pool: Pool): Promise<void> {
  const { rowCount } = await pool.query(sql`select from installation where clock_offset_ms <> 0`);
  if (rowCount !== 0)
    throw new UsageError(
      "El reloj de esta instalación se adelantó y no vuelve atrás: no puede ser de producción. Empiece con una base de datos vacía.",
    );
}

function withSchema<T>(config: Config, work: (pool: Pool) => Promise<T>): Promise<T> {
  return withPool(config, async (pool) => {
    await checkSchema(pool);
    return work(pool);
  });
}
