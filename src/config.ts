import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ByYear } from "./lib/by-year.ts";
import { isGuessable } from "./lib/guessable-key.ts";
import { isLoopback } from "./lib/is-loopback.ts";
import { isOneEditAway } from "./lib/one-edit-away.ts";
import { type RetentionDays, retentionDays } from "./lib/retention.ts";
import { readSecretFiles, secretFileNames } from "./lib/secret-files.ts";
import type { RetiredKeys, SecretKeys } from "./lib/secret-keys.ts";
import {
  byYear,
  ConfigError,
  contact,
  databaseUrl,
  oneOf,
  optionalUrl,
  proxies,
  reachable,
  sender,
  url,
  wholeNumber,
} from "./lib/setting-values.ts";

export interface Config {
  host: string;
  port: number;
  adminHost: string;
  adminPort: number;
  /** Which proxies may set X-Forwarded-For: how many stand in front, or their addresses. */
  trustProxy: number | string[] | undefined;
  /** How long a stopping process keeps serving while it reports that it is not ready. */
  drainSeconds: number;
  publicUrl: string;
  environment: "test" | "live";
  /** Of one server, or of several of which one accepts writes. */
  databaseUrl: string | undefined;
  /** The most connections that requests use, and those of the workers. */
  databaseConnections: number;
  databaseWorkerConnections: number;
  dataDir: string;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Whether a first start makes the demo shop. */
  demo: boolean;
  /** It was asked for: whoever reaches the service is offered it, by whatever name. */
  demoEverywhere: boolean;
  /** Who may read the test mailbox: whoever reaches the service, those on this machine, or nobody. */
  devMail: "on" | "local" | "off";
  /** Where a fault of security is reported: a mailto: or https: address. */
  securityContact: string | undefined;
  /** Whether businesses may mail tickets to their buyers. */
  ticketMail: boolean;
  /** Who may open a business by himself: anybody, whoever has a link of the operator, or nobody. */
  signUp: "open" | "invite" | "off";
  /** As it is set. What is sealed or signed takes `secretKeys`. */
  secretKey: string;
  secretKeys: SecretKeys;
  /** Keys of purposes that outlive a SECRET_KEY, read from the database at the start. */
  retiredKeys: RetiredKeys;
  rateLimitPerSecond: number;
  rateLimitBurst: number;
  logLevel: string;
  fiscalAuthority: "simulated" | "apidian";
  /** Including the version: https://apidian.example.com/api/ubl2.1 */
  apidianUrl: string | undefined;
  /** Used for businesses that have no token of their own. */
  apidianToken: string | undefined;
  /** Pesos per UVT and per plastic bag, of years that this version does not know. */
  uvtByYear: ByYear;
  bagTaxByYear: ByYear;
  /** How many days each kind of data stays. */
  retention: RetentionDays;
  /** How many days the data of a closed business stays. */
  closedAccountDays: number;
  webhookResolve: string | undefined;
  webhookCaFile: string | undefined;
  /** Through which deliveries leave, for receivers that let only known addresses in. */
  webhookProxy: string | undefined;
}

type Environment = Record<string, string | undefined>;

/** Every setting. They have no common prefix, so a variable one edit away from one of these is taken for a typo. */
const names = [
  "HOST",
  "PORT",
  "ADMIN_HOST",
  "ADMIN_PORT",
  "TRUST_PROXY",
  "DRAIN_SECONDS",
  "PUBLIC_URL",
  "ENVIRONMENT",
  "DATABASE_URL",
  "DATABASE_CONNECTIONS",
  "DATABASE_WORKER_CONNECTIONS",
  "DATA_DIR",
  "SMTP_URL",
  "MAIL_FROM",
  "DEMO",
  "DEV_MAIL",
  "SECURITY_CONTACT",
  "TICKET_MAIL",
  "SIGNUP",
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "RATE_LIMIT_PER_SECOND",
  "RATE_LIMIT_BURST",
  "LOG_LEVEL",
  "FISCAL_AUTHORITY",
  "APIDIAN_URL",
  "APIDIAN_TOKEN",
  "UVT_BY_YEAR",
  "BAG_TAX_BY_YEAR",
  "RETENTION_DAYS",
  "CLOSED_ACCOUNT_DAYS",
  "WEBHOOK_RESOLVE",
  "WEBHOOK_CA_FILE",
  "WEBHOOK_PROXY",
  ...secretFileNames,
] as const;
type Name = (typeof names)[number];

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

const howToMakeAKey = "Genérela con `openssl rand -base64 48` y guárdela aparte de la base de datos.";

export function readConfig(given: Environment): Config {
  refuseTypos(given);
  const env = readSecretFiles(given);
  const text = (name: Name) => (env[name]?.trim() ? env[name].trim() : undefined);
  const environment = oneOf("ENVIRONMENT", text("ENVIRONMENT") ?? "test", ["test", "live"]);
  const host = text("HOST") ?? "127.0.0.1";
  const port = wholeNumber("PORT", text("PORT") ?? "3000", 0, 65535);
  const dataDir = resolve(text("DATA_DIR") ?? "data");
  const webProtocols = environment === "live" ? ["https:"] : ["http:", "https:"];
  const address = publicUrl(environment, text("PUBLIC_URL"), `http://${reachable(host)}:${port}`);
  const trustProxy = proxies(text("TRUST_PROXY"));
  const smtpUrl = optionalUrl("SMTP_URL", text("SMTP_URL"), ["smtp:", "smtps:"]);
  // A proxy in front means that others come in through it.
  const isLocal =
    environment === "test" && trustProxy === undefined && [host, new URL(address).hostname].every(isLoopback);
  const secretKey = text("SECRET_KEY") ?? storedSecretKey(environment, dataDir);
  const config: Config = {
    host,
    port,
    adminHost: text("ADMIN_HOST") ?? "127.0.0.1",
    adminPort: wholeNumber("ADMIN_PORT", text("ADMIN_PORT") ?? "3001", 0, 65535),
    trustProxy,
    drainSeconds: wholeNumber("DRAIN_SECONDS", text("DRAIN_SECONDS") ?? "0", 0, 300),
    publicUrl: address,
    environment,
    databaseUrl: databaseUrl(text("DATABASE_URL")),
    databaseConnections: wholeNumber("DATABASE_CONNECTIONS", text("DATABASE_CONNECTIONS") ?? "16", 8, 500),
    databaseWorkerConnections: wholeNumber(
      "DATABASE_WORKER_CONNECTIONS",
      text("DATABASE_WORKER_CONNECTIONS") ?? "4",
      2,
      100,
    ),
    dataDir,
    smtpUrl,
    mailFrom: sender(environment, text("MAIL_FROM")),
    demo: testOnly("DEMO", text("DEMO"), environment) ?? isLocal,
    demoEverywhere: testOnly("DEMO", text("DEMO"), environment) ?? false,
    devMail: devMail(testOnly("DEV_MAIL", text("DEV_MAIL"), environment), smtpUrl, isLocal),
    securityContact: contact(text("SECURITY_CONTACT")),
    ticketMail: oneOf("TICKET_MAIL", text("TICKET_MAIL") ?? "on", ["on", "off"]) === "on",
    signUp: oneOf("SIGNUP", text("SIGNUP") ?? (environment === "live" ? "off" : "open"), ["open", "invite", "off"]),
    secretKey,
    secretKeys: withPrevious(environment, secretKey, text("SECRET_KEY_PREVIOUS")),
    retiredKeys: {},
    rateLimitPerSecond: wholeNumber("RATE_LIMIT_PER_SECOND", text("RATE_LIMIT_PER_SECOND") ?? "50", 0, 1_000_000),
    rateLimitBurst: wholeNumber("RATE_LIMIT_BURST", text("RATE_LIMIT_BURST") ?? "100", 0, 1_000_000),
    logLevel: oneOf("LOG_LEVEL", text("LOG_LEVEL") ?? "info", logLevels),
    fiscalAuthority: oneOf("FISCAL_AUTHORITY", text("FISCAL_AUTHORITY") ?? "simulated", ["simulated", "apidian"]),
    apidianUrl: optionalUrl("APIDIAN_URL", text("APIDIAN_URL"), webProtocols),
    apidianToken: text("APIDIAN_TOKEN"),
    uvtByYear: byYear("UVT_BY_YEAR", text("UVT_BY_YEAR"), "2027=55000"),
    bagTaxByYear: byYear("BAG_TAX_BY_YEAR", text("BAG_TAX_BY_YEAR"), "2027=77"),
    retention: retentionDays("RETENTION_DAYS", text("RETENTION_DAYS")),
    closedAccountDays: wholeNumber("CLOSED_ACCOUNT_DAYS", text("CLOSED_ACCOUNT_DAYS") ?? "30", 1, 3_650),
    webhookResolve: text("WEBHOOK_RESOLVE"),
    webhookCaFile: text("WEBHOOK_CA_FILE"),
    webhookProxy: optionalUrl("WEBHOOK_PROXY", text("WEBHOOK_PROXY"), ["http:", "https:"]),
  };
  requireLong("SECRET_KEY", secretKey);
  checkAuthority(config);
  if (environment === "live") refuseInLive(config);
  return config;
}

function requireLong(name: Name, key: string): void {
  if (key.length < 32)
    throw new ConfigError(`${name} es demasiado corta: use al menos 32 caracteres aleatorios. ${howToMakeAKey}`);
}

/** Both while the key is exchanged; see docs/operations.md. */
function withPrevious(environment: Config["environment"], current: string, previous: string | undefined): SecretKeys {
  if (previous === undefined) return current;
  requireLong("SECRET_KEY_PREVIOUS", previous);
  if (previous === current)
    throw new ConfigError("SECRET_KEY_PREVIOUS es igual a SECRET_KEY: quítela, o ponga en SECRET_KEY la nueva.");
  if (environment === "live" && isGuessable(previous))
    throw new ConfigError(`SECRET_KEY_PREVIOUS es débil: revise que sea la que tenía. ${howToMakeAKey}`);
  return { current, previous };
}

function checkAuthority({ fiscalAuthority, apidianUrl, apidianToken }: Config): void {
  if (fiscalAuthority === "apidian" && apidianUrl === undefined) {
    throw new ConfigError(
      "Falta APIDIAN_URL: FISCAL_AUTHORITY=apidian necesita la dirección del servicio, por ejemplo https://apidian.example.com/api/ubl2.1.",
    );
  }
  if (apidianToken !== undefined && !/^[\x21-\x7e]+$/.test(apidianToken)) {
    throw new ConfigError("APIDIAN_TOKEN no es válido: cópielo sin espacios ni saltos de línea.");
  }
}

/** Mails, cookies and the Host check depend on it: in live it is never guessed, and always https. */
function publicUrl(environment: "test" | "live", given: string | undefined, otherwise: string): string {
  if (environment === "test") return url("PUBLIC_URL", given ?? otherwise, ["http:", "https:"]);
  if (given !== undefined) return url("PUBLIC_URL", given, ["https:"]);
  throw new ConfigError(
    "Falta PUBLIC_URL: en producción es la dirección https:// con la que las personas y los sistemas llegan al servicio.",
  );
}

function refuseInLive(config: Config): void {
  if (config.webhookResolve || config.webhookCaFile) {
    throw new ConfigError(
      "WEBHOOK_RESOLVE y WEBHOOK_CA_FILE solo existen en pruebas: quítelas o use ENVIRONMENT=test.",
    );
  }
  if (isGuessable(config.secretKey))
    throw new ConfigError(
      `SECRET_KEY es débil: en producción debe salir de un generador y tener al menos 32 bytes al azar. ${howToMakeAKey}`,
    );
  if (!config.smtpUrl) {
    throw new ConfigError(
      "Falta SMTP_URL: en producción los códigos y avisos salen por correo real (smtp://usuario:clave@servidor:587).",
    );
  }
}

/** What shows the inside of an installation has no place in live, and elsewhere its operator may switch it on or off. */
function testOnly(name: Name, value: string | undefined, environment: Config["environment"]): boolean | undefined {
  if (value === undefined) return undefined;
  const isOn = oneOf(name, value, ["on", "off"]) === "on";
  if (isOn && environment === "live")
    throw new ConfigError(`${name}=on solo existe en pruebas: quítela o use ENVIRONMENT=test.`);
  return isOn;
}

function devMail(given: boolean | undefined, smtpUrl: string | undefined, isLocal: boolean): Config["devMail"] {
  if (given && smtpUrl !== undefined)
    throw new ConfigError("DEV_MAIL=on no se entiende con SMTP_URL: los correos salen por SMTP. Quite una de las dos.");
  if (given ?? (isLocal && smtpUrl === undefined)) return given ? "on" : "local";
  return "off";
}

/** In test the key is generated once and kept in DATA_DIR; in live the operator provides it and backs it up. */
function storedSecretKey(environment: string, dataDir: string): string {
  if (environment === "live") {
    throw new ConfigError(
      `Falta SECRET_KEY: en producción es obligatoria (cifra los secretos guardados). ${howToMakeAKey}`,
    );
  }
  const file = join(dataDir, "secret-key");
  try {
    if (!existsSync(file)) {
      mkdirSync(dataDir, { recursive: true });
      writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw new ConfigError(
        `No se puede escribir en DATA_DIR (${dataDir}): ${(error as Error).message}. Elija otra carpeta o corrija sus permisos.`,
      );
    }
  }
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ConfigError(
      `No se puede leer ${file}: ${(error as Error).message}. Use el mismo usuario que creó DATA_DIR o elija otra carpeta.`,
    );
  }
}

/** RATE_LIMIT_BRUST would silently leave the default in force, so a name one edit away from ours is an error. */
function refuseTypos(env: Environment): void {
  for (const given of Object.keys(env)) {
    if ((names as readonly string[]).includes(given) || given.length < 7) continue;
    const meant = names.find((name) => name.length >= 7 && isOneEditAway(given, name));
    if (meant) throw new ConfigError(`La variable ${given} no existe. ¿Quiso escribir ${meant}?`);
  }
}
