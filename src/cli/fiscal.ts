import { dailyPartitions } from "../db/partitions.ts";
import { sql } from "../db/sql.ts";
import { resendDocument } from "../fiscal/documents/resend-document.ts";
import type { NumberingRange } from "../fiscal/numbering/numbering.ts";
import { readSkipped } from "../fiscal/numbering/skipped-numbers.ts";
import { type IssuerProfile, type IssuerSettings, readProfile, readRanges } from "../fiscal/profile/profile.ts";
import { ProfileError } from "../fiscal/profile/profile-error.ts";
import { type ProfileChanges, setProfile } from "../fiscal/profile/set-profile.ts";
import { type RangeInput, setRange } from "../fiscal/profile/set-range.ts";
import { shownProfile, shownRange, shownRangeWithSkipped } from "../fiscal/profile/shown-settings.ts";
import { isUuid } from "../lib/ids.ts";
import { dailyTables } from "../operations/daily-tables.ts";
import { accountId } from "./account.ts";
import { type Command, type Invocation, required, UsageError, word } from "./command.ts";
import { secretReader } from "./read-secret.ts";
import { type CommandDeps, withDatabase } from "./with-database.ts";

export const fiscalSet: Command = {
  name: "fiscal set",
  summary: "Crea o cambia el perfil fiscal de una cuenta",
  usage: "<cuenta> --nit 900373923-8 --regime iva --prices-include-tax true --documents electronic --pin -",
  takes: 1,
  options: {
    nit: { type: "string" },
    regime: { type: "string" },
    "prices-include-tax": { type: "string" },
    documents: { type: "string" },
    pin: { type: "string" },
    "authority-token": { type: "string" },
    settings: { type: "string" },
  },
  help: {
    nit: "NIT del negocio con su dígito de verificación",
    regime: "iva, inc (impuesto al consumo) o none (no responsable)",
    "prices-include-tax": "true si los precios ya incluyen impuestos (lo normal) o false",
    documents: "electronic (ante la DIAN) o internal",
    pin: 'PIN del software ante la DIAN; se guarda cifrado. "-" lo lee de la entrada estándar, obligatorio en producción',
    "authority-token": "Token de la empresa en APIDIAN, si no usa APIDIAN_TOKEN; como --pin",
    settings: "Otros datos que pide el proveedor, como JSON: municipality_id, postal_zone_code, test_set_id, …",
  },
  async run(invocation) {
    const account = accountId(word(invocation, 0, "el id de la cuenta"));
    const changes = await readChanges(invocation);
    const profile = await withFiscal(invocation, (deps) => setProfile(deps, account, changes));
    invocation.out.result({ account_id: account, ...shownProfile(profile) }, sentence(profile));
  },
};

export const fiscalRange: Command = {
  name: "fiscal range",
  summary: "Agrega un rango de numeración, o corrige el que empieza en el mismo número",
  usage:
    "<cuenta> --kind pos --prefix EPOS --from 1 --to 5000 --valid-until 2028-12-31 [--technical-key -] [--next 101 --reason …]",
  takes: 1,
  options: {
    kind: { type: "string" },
    prefix: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
    next: { type: "string" },
    reason: { type: "string" },
    "valid-until": { type: "string" },
    "technical-key": { type: "string" },
    resolution: { type: "string" },
  },
  help: {
    kind: "pos, invoice o note",
    prefix: "Hasta 4 letras o números; sin ella, sin prefijo",
    from: "Primer número",
    to: "Último número",
    next: "Próximo número, si los anteriores ya se usaron en otra parte; con --reason",
    reason: "Por qué se saltan los números antes de --next: queda anotado con ellos",
    "valid-until": "Último día en que vale, por ejemplo 2028-12-31; las notas no lo necesitan",
    "technical-key": "Clave técnica del rango (obligatoria para facturas); como --pin de fiscal set",
    resolution: "Número de la resolución de la DIAN",
  },
  async run(invocation) {
    const account = accountId(word(invocation, 0, "el id de la cuenta"));
    const input = await readRange(invocation);
    const range = await withFiscal(invocation, (deps) => setRange(deps, account, input));
    invocation.out.result(shownRange(range), `Rango ${rangeLine(range)}`);
  },
};

export const fiscalShow: Command = {
  name: "fiscal show",
  summary: "Muestra el perfil fiscal, sus rangos y los documentos que esperan o fallaron",
  usage: "<cuenta>",
  takes: 1,
  async run(invocation) {
    const account = accountId(word(invocation, 0, "el id de la cuenta"));
    const { profile, ranges, skipped, documents } = await withFiscal(invocation, async ({ pool, config }) => ({
      profile: await readProfile(pool, config.secretKey, account),
      ranges: await readRanges(pool, config.secretKey, account),
      skipped: await readSkipped(pool, account),
      documents: (
        await pool.query(sql`
          select i.id, i.status, i.body->>'prefix' as prefix, (i.body->>'number')::bigint as number,
            coalesce(i.body->>'dian_message', d.last_answer) as message, d.due_at as next_at
          from fiscal_documents d join invoices i on i.account_id = d.account_id and i.id = d.invoice_id
          where d.account_id = ${account} and d.state <> 'decided' order by d.created_at desc limit 50`)
      ).rows,
    }));
    if (!profile)
      throw new UsageError(`La cuenta ${account} no tiene perfil fiscal. Créelo con: npx mostrador fiscal set`);
    const shown = ranges.map((range) => shownRangeWithSkipped(range, skipped));
    invocation.out.result(
      { account_id: account, ...shownProfile(profile), ranges: shown, waiting: documents },
      [
        sentence(profile),
        ...ranges.flatMap((range, i) => [
          `  ${rangeLine(range)}`,
          ...shown[i]!.skipped.map(
            (one) => `    saltados ${one.from}–${one.to}: ${one.reason} (${one.at.slice(0, 10)}, ${one.by})`,
          ),
        ]),
        ...documents.map((one) => `  ${one.id}  ${one.prefix ?? ""}${one.number}  ${one.status}  ${one.message ?? ""}`),
      ].join("\n"),
    );
  },
};

export const fiscalResend: Command = {
  name: "fiscal resend",
  summary: "Reenvía a la DIAN un documento rechazado o que no se pudo emitir",
  usage: "<id del documento>",
  takes: 1,
  async run(invocation) {
    const id = word(invocation, 0, "el id del documento");
    const invoice = await withFiscal(invocation, async (deps) => {
      const { rows } = isUuid(id)
        ? await deps.pool.query<{ account_id: string }>(sql`select account_id from invoices where id = ${id}`)
        : { rows: [] };
      if (!rows[0]) throw new UsageError(`No existe el documento ${id}.`);
      return resendDocument({ ...deps, partitions: dailyPartitions(deps.pool, dailyTables) }, rows[0].account_id, id);
    });
    const name = `${invoice.prefix ?? ""}${invoice.number}`;
    if (invoice.status === "emission_failed")
      throw new UsageError(invoice.dian_message ?? `${name} no se pudo emitir.`);
    invocation.out.result(invoice, `Documento ${name}: ${invoice.status}.`);
  },
};

async function withFiscal<T>(invocation: Invocation, work: (deps: CommandDeps) => Promise<T>): Promise<T> {
  try {
    return await withDatabase(invocation.config, work);
  } catch (error) {
    throw error instanceof ProfileError ? new UsageError(error.message, { cause: error }) : error;
  }
}

async function readChanges(invocation: Invocation): Promise<ProfileChanges> {
  const { options } = invocation;
  const secret = secretReader(invocation);
  const one = <T extends string>(name: string, allowed: readonly T[]): T | undefined => {
    const value = options[name];
    if (value === undefined || (allowed as readonly unknown[]).includes(value)) return value as T | undefined;
    throw new UsageError(`--${name} ${value} no existe: use ${allowed.join(", ")}.`);
  };
  const text = (name: string) =>
    typeof options[name] === "string" && options[name] !== "" ? options[name] : undefined;
  const includes = one("prices-include-tax", ["true", "false"]);
  const regime = one("regime", ["iva", "inc", "none"]);
  const documents = one("documents", ["electronic", "internal"]);
  const nit = text("nit");
  const softwarePin = await secret("pin");
  const authorityToken = await secret("authority-token");
  const settings = readSettings(text("settings"));
  const changes: ProfileChanges = {
    ...(nit && { nit }),
    ...(regime && { regime }),
    ...(includes && { pricesIncludeTax: includes === "true" }),
    ...(documents && { documents }),
    ...(softwarePin && { softwarePin }),
    ...(authorityToken && { authorityToken }),
    ...(settings && { settings }),
  };
  if (Object.keys(changes).length === 0) throw new UsageError("Indique qué cambiar, por ejemplo --regime iva.");
  return changes;
}

function readSettings(text: string | undefined): IssuerSettings | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, for both.
  }
  throw new UsageError("--settings debe ser un objeto JSON, por ejemplo '{\"municipality_id\":1}'.");
}

async function readRange(invocation: Invocation): Promise<RangeInput> {
  const { options } = invocation;
  const kind = required(invocation, "kind");
  if (kind !== "pos" && kind !== "invoice" && kind !== "note")
    throw new UsageError(`--kind ${kind} no existe: use pos, invoice o note.`);
  const technicalKey = await secretReader(invocation)("technical-key");
  return {
    kind,
    prefix: String(options.prefix ?? "").toUpperCase(),
    first: whole(invocation, "from"),
    last: whole(invocation, "to"),
    validUntil: typeof options["valid-until"] === "string" ? options["valid-until"] : null,
    ...(technicalKey && { technicalKey }),
    ...(typeof options.resolution === "string" && { resolution: options.resolution }),
    ...(options.next !== undefined && { next: whole(invocation, "next") }),
    ...(typeof options.reason === "string" && { reason: options.reason.trim() }),
  };
}

function whole(invocation: Invocation, name: string): number {
  const value = required(invocation, name);
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} ${value} no es un número entero.`);
  return Number(value);
}

function sentence({ nit, regime, documents, pricesIncludeTax }: IssuerProfile): string {
  return `Perfil fiscal: NIT ${nit}, régimen ${regime}, documentos ${documents === "electronic" ? "electrónicos" : "internos"}, precios ${pricesIncludeTax ? "con" : "sin"} impuestos.`;
}

function rangeLine({ kind, prefix, first, last, next, validUntil }: NumberingRange): string {
  const until = validUntil ? `, vigente hasta ${validUntil}` : "";
  return `${kind} ${prefix} ${first}–${last}, próximo ${next}${until}`;
}
