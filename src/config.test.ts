import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { usualRetention } from "./lib/retention.ts";
import { ConfigError } from "./lib/setting-values.ts";

const secret = "s".repeat(32);
const read = (env: Record<string, string> = {}) => readConfig({ SECRET_KEY: secret, ...env });
/** As `openssl rand -base64 48` makes them. */
const strong = "pX4hQe0Jm2VtYb7cZrK9sLw1fDn6gTuAoE3iCj8RkGqBvHyN5xMaUzWlSdPOIF+/";
const live = {
  ENVIRONMENT: "live",
  SMTP_URL: "smtp://correo.example",
  MAIL_FROM: "Tienda <avisos@tienda.example>",
  PUBLIC_URL: "https://tienda.example",
  SECRET_KEY: strong,
};

test.each([
  ["2", 2],
  ["0", undefined],
  ["10.0.0.0/8, ::1,uniquelocal", ["10.0.0.0/8", "::1", "uniquelocal"]],
])("TRUST_PROXY=%s is understood", (text, meant) => {
  expect(read({ TRUST_PROXY: text }).trustProxy).toEqual(meant);
});

test("WEBHOOK_PROXY is an http or https address, in live too", () => {
  expect(read({ WEBHOOK_PROXY: "http://ana:x@proxy.example:3128/" }).webhookProxy).toBe(
    "http://ana:x@proxy.example:3128",
  );
  expect(() => read({ WEBHOOK_PROXY: "socks5://proxy.example" })).toThrow(/WEBHOOK_PROXY no es válida/);
  expect(readConfig({ ...live, WEBHOOK_PROXY: "https://proxy.example" }).webhookProxy).toBe("https://proxy.example");
});

test.each(["true", "10.0.0.0/33", "proxy.example", "1.2.3.4/8/9", "-1", "10"])("TRUST_PROXY=%s is refused", (text) => {
  expect(() => read({ TRUST_PROXY: text })).toThrow(ConfigError);
});

test.each([
  ["2027=77", { 2027: 77 }],
  ["2027=77, 2028=81", { 2027: 77, 2028: 81 }],
])("BAG_TAX_BY_YEAR=%s is understood", (text, meant) => {
  expect(read({ BAG_TAX_BY_YEAR: text }).bagTaxByYear).toEqual(meant);
});

test.each(["77", "2027", "2027=7.7", "2027=77,", "2027=77,2027=78", "27=77"])("UVT_BY_YEAR=%s is refused", (text) => {
  expect(() => read({ UVT_BY_YEAR: text })).toThrow(ConfigError);
});

test("without any setting the service is a test installation on this machine", () => {
  expect(read()).toEqual({
    closedAccountDays: 30,
    signUp: "open",
    retention: usualRetention,
    host: "127.0.0.1",
    port: 3000,
    adminHost: "127.0.0.1",
    adminPort: 3001,
    trustProxy: undefined,
    drainSeconds: 0,
    publicUrl: "http://127.0.0.1:3000",
    environment: "test",
    databaseUrl: undefined,
    databaseConnections: 16,
    databaseWorkerConnections: 4,
    dataDir: resolve("data"),
    smtpUrl: undefined,
    mailFrom: "Mostrador <no-responder@mostrador.localhost>",
    demo: true,
    demoEverywhere: false,
    devMail: "local",
    securityContact: undefined,
    ticketMail: true,
    secretKey: secret,
    secretKeys: secret,
    retiredKeys: {},
    rateLimitPerSecond: 50,
    rateLimitBurst: 100,
    logLevel: "info",
    fiscalAuthority: "simulated",
    apidianUrl: undefined,
    apidianToken: undefined,
    uvtByYear: {},
    bagTaxByYear: {},
    webhookResolve: undefined,
    webhookCaFile: undefined,
  });
});

describe("each setting is read", () => {
  test.each([
    ["HOST", "0.0.0.0", { host: "0.0.0.0" }],
    ["PORT", "8080", { port: 8080 }],
    ["ADMIN_PORT", "0", { adminPort: 0 }],
    ["PUBLIC_URL", "https://api.tienda.example/", { publicUrl: "https://api.tienda.example" }],
    ["DATABASE_URL", "postgres://yo:clave@db.example:5432/mostrador", {}],
    ["DATABASE_URL", "postgresql://db.example/m", { databaseUrl: "postgresql://db.example/m" }],
    [
      "DATABASE_URL",
      "postgres://yo:clave@a:5432,b:5433/m?target_session_attrs=read-write",
      { databaseUrl: "postgres://yo:clave@a:5432,b:5433/m?target_session_attrs=read-write" },
    ],
    ["DATABASE_CONNECTIONS", "40", { databaseConnections: 40 }],
    ["DATABASE_WORKER_CONNECTIONS", "8", { databaseWorkerConnections: 8 }],
    ["DATA_DIR", "otra", { dataDir: resolve("otra") }],
    ["SMTP_URL", "smtps://correo.example:465", { smtpUrl: "smtps://correo.example:465" }],
    ["MAIL_FROM", "Tienda <hola@tienda.example>", { mailFrom: "Tienda <hola@tienda.example>" }],
    ["MAIL_FROM", "hola@tienda.example", { mailFrom: "hola@tienda.example" }],
    ["MAIL_FROM", '"Tienda, S.A." <hola@tienda.example>', { mailFrom: '"Tienda, S.A." <hola@tienda.example>' }],
    ["DEMO", "off", { demo: false }],
    ["DEV_MAIL", "on", { devMail: "on" }],
    ["DEV_MAIL", "off", { devMail: "off" }],
    ["SECURITY_CONTACT", "seguridad@tienda.example", { securityContact: "mailto:seguridad@tienda.example" }],
    ["SECURITY_CONTACT", "https://tienda.example/fallas", { securityContact: "https://tienda.example/fallas" }],
    ["SECRET_KEY", "z".repeat(64), { secretKey: "z".repeat(64) }],
    ["RATE_LIMIT_PER_SECOND", "0", { rateLimitPerSecond: 0 }],
    ["RATE_LIMIT_BURST", "7", { rateLimitBurst: 7 }],
    ["LOG_LEVEL", "silent", { logLevel: "silent" }],
    ["FISCAL_AUTHORITY", "simulated", { fiscalAuthority: "simulated" }],
    ["APIDIAN_URL", "https://apidian.example/api/ubl2.1/", { apidianUrl: "https://apidian.example/api/ubl2.1" }],
    ["APIDIAN_TOKEN", "abc", { apidianToken: "abc" }],
    ["WEBHOOK_RESOLVE", "a.example=127.0.0.1:8443", { webhookResolve: "a.example=127.0.0.1:8443" }],
    ["WEBHOOK_CA_FILE", "/ca.pem", { webhookCaFile: "/ca.pem" }],
  ])("%s=%s", (name, value, expected) => {
    expect(read({ [name]: value })).toMatchObject(expected);
    expect(read({ [name]: ` ${value} ` })).toMatchObject(expected);
  });

  test("an empty one counts as not set", () => {
    expect(read({ PORT: "", HOST: " ", SMTP_URL: "" })).toMatchObject({ port: 3000, smtpUrl: undefined });
  });

  test.each([
    ["0.0.0.0", "http://127.0.0.1:8080"],
    ["::", "http://127.0.0.1:8080"],
    ["::1", "http://[::1]:8080"],
    ["192.168.1.5", "http://192.168.1.5:8080"],
    ["tienda.local", "http://tienda.local:8080"],
  ])("HOST=%s is reached at %s", (host, url) => {
    expect(read({ HOST: host, PORT: "8080" }).publicUrl).toBe(url);
  });
});

describe("a value that cannot be used stops the start and names its setting", () => {
  test.each([
    ["PORT", "tres mil"],
    ["PORT", "-1"],
    ["PORT", "65536"],
    ["PORT", "3000.5"],
    ["PORT", "0x1F90"],
    ["PORT", "1e3"],
    ["ADMIN_PORT", "70000"],
    ["PUBLIC_URL", "tienda.example"],
    ["PUBLIC_URL", "ftp://tienda.example"],
    ["ENVIRONMENT", "production"],
    ["ENVIRONMENT", "Live"],
    ["DATABASE_URL", "mysql://db.example/m"],
    ["DATABASE_URL", "db.example"],
    ["DATABASE_URL", "postgres://a:5432,b:puerto/m"],
    ["DATABASE_URL", "postgres://a,b/m?target_session_attrs=standby"],
    ["DATABASE_CONNECTIONS", "7"],
    ["DATABASE_CONNECTIONS", "501"],
    ["DATABASE_WORKER_CONNECTIONS", "1"],
    ["SMTP_URL", "correo.example:587"],
    ["MAIL_FROM", "Tienda La Esquina"],
    ["MAIL_FROM", "Tienda <hola@tienda.example"],
    ["MAIL_FROM", "uno@tienda.example, dos@tienda.example"],
    ["MAIL_FROM", "Tienda\r\nBcc: x <hola@tienda.example>"],
    ["DEMO", "true"],
    ["DEV_MAIL", "1"],
    ["SECURITY_CONTACT", "http://tienda.example"],
    ["SECURITY_CONTACT", "llame al 123"],
    ["SECURITY_CONTACT", "https://a.example\nExpires: never"],
    ["SECRET_KEY", "corta"],
    ["RATE_LIMIT_PER_SECOND", "-5"],
    ["RATE_LIMIT_PER_SECOND", "muchas"],
    ["RATE_LIMIT_BURST", "1000001"],
    ["LOG_LEVEL", "verbose"],
    ["FISCAL_AUTHORITY", "dian"],
  ])("%s=%s", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(ConfigError);
    expect(() => read({ [name]: value })).toThrow(name);
  });

  test("and a wrong address is not repeated: it may hold a password", () => {
    expect(() => read({ DATABASE_URL: "mysql://yo:clave-secreta@db/m" })).toThrow(/^(?!.*clave-secreta)/s);
    expect(() => read({ SECRET_KEY: "secreto-corto" })).toThrow(/^(?!.*secreto-corto)/s);
  });
});

describe("a name that is nearly one of ours stops the start", () => {
  test.each([
    ["RATE_LIMIT_BRUST", "RATE_LIMIT_BURST"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["ENVIROMENT", "ENVIRONMENT"],
    ["PUBLIC_URLS", "PUBLIC_URL"],
    ["SECRETKEY", "SECRET_KEY"],
  ])("%s for %s", (typo, meant) => {
    expect(() => read({ [typo]: "x" })).toThrow(`La variable ${typo} no existe. ¿Quiso escribir ${meant}?`);
  });

  test("with any one letter changed, added, left out or swapped with its neighbour", () => {
    const name = fc.constantFrom("DATABASE_URL", "RATE_LIMIT_PER_SECOND", "WEBHOOK_CA_FILE", "SMTP_URL", "DATA_DIR");
    const edit = fc.constantFrom("change", "add", "remove", "swap");
    const letter = fc.constantFrom("A", "Q", "X", "_", "9");
    fc.assert(
      fc.property(name, fc.nat(), edit, letter, (meant, where, kind, other) => {
        const at = where % (meant.length - 1);
        const edited = {
          change: meant.slice(0, at) + other + meant.slice(at + 1),
          add: meant.slice(0, at) + other + meant.slice(at),
          remove: meant.slice(0, at) + meant.slice(at + 1),
          swap: meant.slice(0, at) + meant[at + 1]! + meant[at]! + meant.slice(at + 2),
        }[kind]!;
        fc.pre(edited !== meant);
        expect(() => read({ [edited]: "x" })).toThrow(ConfigError);
      }),
    );
  });

  test("and everyone else's names do not", () => {
    const others = { PATH: "/bin", HOME: "/", HOSTNAME: "caja", PORTS: "1", XDG_DATA_DIRS: "/", NODE_ENV: "test" };
    expect(read({ ...others, DB_URL: "x", HOSTS: "x", DATA_DIRECTORY: "x" }).port).toBe(3000);
  });
});

describe("in production", () => {
  test.each(["SMTP_URL", "MAIL_FROM", "PUBLIC_URL", "SECRET_KEY"])("%s is required", (name) => {
    expect(readConfig(live).environment).toBe("live");
    expect(() => readConfig({ ...live, [name]: "" })).toThrow(new RegExp(`^Falta ${name}: .*\\.$`));
  });

  test("the public address is https", () => {
    expect(() => readConfig({ ...live, PUBLIC_URL: "http://tienda.example" })).toThrow(
      /^PUBLIC_URL no es válida: .* https:/,
    );
  });

  test("a key that somebody may have thought of is refused, and the refusal says how to make one", () => {
    for (const weak of [secret, "k".repeat(64), "una clave que nadie puede adivinar nunca jamas 2026"]) {
      const start = () => readConfig({ ...live, SECRET_KEY: weak });
      expect(start).toThrow(/^SECRET_KEY es débil: .*openssl rand -base64 48/);
      expect(start).toThrow(new RegExp(`^(?!.*${weak})`, "s"));
      expect(readConfig({ SECRET_KEY: weak }).secretKey).toBe(weak);
    }
  });

  test.each(["avisos@localhost", "Tienda <avisos@mostrador.localhost>", "avisos@tienda", "avisos@10.0.0.1"])(
    "mail from %s is refused: no server would take it",
    (from) => {
      expect(() => readConfig({ ...live, MAIL_FROM: from })).toThrow(/^MAIL_FROM=.* no es válido: .*avisos@tienda/);
      expect(read({ MAIL_FROM: from }).mailFrom).toBe(from);
    },
  );

  test.each(["DEMO", "DEV_MAIL"])("%s=on is refused, and off is the rule", (name) => {
    expect(() => readConfig({ ...live, [name]: "on" })).toThrow(`${name}=on solo existe en pruebas`);
    expect(readConfig({ ...live, [name]: "off" })).toMatchObject({ demo: false, devMail: "off" });
  });

  test.each(["WEBHOOK_RESOLVE", "WEBHOOK_CA_FILE"])("%s is refused", (name) => {
    expect(() => readConfig({ ...live, [name]: "x" })).toThrow(/solo existen en pruebas/);
  });
});

describe("the key of a test installation", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "mostrador-config-"));
  });
  afterEach(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });

  test("is made once, kept in DATA_DIR for its owner only, and read again", () => {
    const dataDir = join(folder, "una carpeta", "datos");
    const first = readConfig({ DATA_DIR: dataDir });
    expect(first.secretKey).toMatch(/^[0-9a-f]{64}$/);
    expect(readConfig({ DATA_DIR: dataDir }).secretKey).toBe(first.secretKey);
    expect(statSync(join(dataDir, "secret-key")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, "secret-key"), "utf8")).toBe(first.secretKey);
    expect(readConfig({ DATA_DIR: join(folder, "otra") }).secretKey).not.toBe(first.secretKey);
  });

  test("is not made when one is given", () => {
    expect(readConfig({ DATA_DIR: folder, SECRET_KEY: secret }).secretKey).toBe(secret);
    expect(() => statSync(join(folder, "secret-key"))).toThrow();
  });

  test("cannot be made where a file stands in the way, and that is said", () => {
    const file = join(folder, "archivo");
    writeFileSync(file, "");
    expect(() => readConfig({ DATA_DIR: file })).toThrow(/DATA_DIR/);
  });

  test("that was cut short is refused", () => {
    writeFileSync(join(folder, "secret-key"), "abc");
    expect(() => readConfig({ DATA_DIR: folder })).toThrow(/SECRET_KEY/);
  });
});

test("settings of the tax authority that cannot work are refused", () => {
  const apidian = { FISCAL_AUTHORITY: "apidian", APIDIAN_URL: "http://apidian.example/api/ubl2.1" };
  expect(read(apidian)).toMatchObject({ fiscalAuthority: "apidian", apidianToken: undefined });
  expect(() => read({ FISCAL_AUTHORITY: "apidian" })).toThrow(/^Falta APIDIAN_URL/);
  expect(() => read({ ...apidian, APIDIAN_URL: "apidian.example" })).toThrow(/^APIDIAN_URL no es válida/);
  expect(() => read({ ...apidian, APIDIAN_TOKEN: "a b" })).toThrow(/^APIDIAN_TOKEN no es válido/);
  expect(() => readConfig({ ...live, ...apidian })).toThrow(/^APIDIAN_URL no es válida: .* https:\/\//);
});

describe("the demo and the mailbox of a test installation", () => {
  test.each([
    { HOST: "0.0.0.0" },
    { HOST: "192.168.1.5" },
    { PUBLIC_URL: "https://tienda.example" },
    { TRUST_PROXY: "1" },
  ])("are not there by themselves with %j, where others may come in", (exposed) => {
    expect(read(exposed)).toMatchObject({ demo: false, devMail: "off" });
    expect(read({ ...exposed, DEMO: "on" })).toMatchObject({ demo: true, demoEverywhere: true, devMail: "off" });
    expect(read({ ...exposed, DEV_MAIL: "on" })).toMatchObject({ demo: false, devMail: "on" });
  });

  test("the mailbox is empty when mail leaves by SMTP, and both together are a misunderstanding", () => {
    expect(read({ SMTP_URL: "smtp://correo.example" })).toMatchObject({ demo: true, devMail: "off" });
    expect(() => read({ SMTP_URL: "smtp://correo.example", DEV_MAIL: "on" })).toThrow(/^DEV_MAIL=on no se entiende/);
  });
});

describe("a secret in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "mostrador-secrets-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test("is read without the end of its line, for each of them", () => {
    const config = readConfig({
      SECRET_KEY_FILE: file("key", `${"a".repeat(40)}\n`),
      SECRET_KEY_PREVIOUS_FILE: file("previous", "b".repeat(40)),
      DATABASE_URL_FILE: file("database", "postgres://a:b@127.0.0.1:5432/c\n"),
      SMTP_URL_FILE: file("smtp", "smtp://127.0.0.1:2525"),
      APIDIAN_TOKEN_FILE: file("token", "abc"),
    });
    expect(config).toMatchObject({
      secretKey: "a".repeat(40),
      secretKeys: { current: "a".repeat(40), previous: "b".repeat(40) },
      databaseUrl: "postgres://a:b@127.0.0.1:5432/c",
      smtpUrl: "smtp://127.0.0.1:2525",
      apidianToken: "abc",
    });
  });

  test("that is missing, empty or said twice stops the start", () => {
    expect(() => readConfig({ SECRET_KEY_FILE: join(folder, "none") })).toThrow(/No se puede leer SECRET_KEY_FILE/);
    expect(() => readConfig({ SMTP_URL_FILE: file("empty", " \n") })).toThrow(/SMTP_URL_FILE .*está vacío/);
    const twice = { SECRET_KEY: "a".repeat(40), SECRET_KEY_FILE: file("twice", "b".repeat(40)) };
    expect(() => readConfig(twice)).toThrow(/deje una de las dos/);
    expect(() => readConfig({ SECRET_KEY_FIEL: "x" })).toThrow(/SECRET_KEY_FILE/);
  });

  test("a previous key is another one, and as long", () => {
    const key = "a".repeat(40);
    expect(() => readConfig({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: key })).toThrow(/es igual a SECRET_KEY/);
    expect(() => readConfig({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: "corta" })).toThrow(
      /SECRET_KEY_PREVIOUS es demasiado corta/,
    );
  });
});
