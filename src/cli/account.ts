import { EmailTakenError, type Plan } from "../access/accounts/create-account.ts";
import { maxEmailLength, minPasswordLength } from "../access/accounts/password.ts";
import { passwordProblem } from "../access/accounts/password-strength.ts";
import { setAccount } from "../access/accounts/set-account.ts";
import { makeOwner } from "../access/people/make-owner.ts";
import { maxPersonName } from "../access/people/person.ts";
import { isBuiltIn, roleWords } from "../access/people/rights.ts";
import { makeSignUpLink } from "../access/people/sign-up.ts";
import { openAccount } from "../business/opening/open-account.ts";
import { sql } from "../db/sql.ts";
import { ApiError } from "../lib/errors.ts";
import { isUuid } from "../lib/ids.ts";
import { type Command, type Invocation, required, UsageError, word } from "./command.ts";
import { prompt, promptHidden, secretReader } from "./read-secret.ts";
import { withCurrentSchema, withDatabase } from "./with-database.ts";

export const accountCreate: Command = {
  name: "account create",
  summary: "Crea la cuenta de un negocio",
  usage:
    '--name "Tienda La Esquina" --email titular@ejemplo.com [--owner-name "Ana Restrepo"] [--password -] [--plan pro]',
  options: {
    name: "Nombre del negocio",
    email: "Correo del titular; con él entra al portal",
    "owner-name":
      "Nombre del titular: así lo ven los demás y el registro de cambios; sin la opción se pregunta, o lo escribe después en Seguridad",
    password: `Contraseña del portal, de al menos ${minPasswordLength} caracteres: "-" la lee de la entrada estándar; sin la opción se pregunta. Escrita aquí solo vale en pruebas`,
    plan: "basic o pro (por omisión, pro); la API y los webhooks son del plan pro",
  },
  async run(invocation) {
    const email = required(invocation, "email");
    if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > maxEmailLength)
      throw new UsageError(`--email ${email} no es un correo electrónico.`);
    const name = required(invocation, "name");
    const ownerName = await readOwnerName(invocation);
    const password = await readPassword(invocation);
    const problem = passwordProblem(password, { email, name: `${name} ${ownerName}` });
    if (problem !== undefined) throw new UsageError(problem);
    const input = {
      name,
      email,
      password,
      ownerName,
      plan: readPlan(invocation.options.plan) ?? "pro",
    };
    const account = await withDatabase(invocation.config, (deps) => openAccount(deps, input)).catch(
      (error: unknown) => {
        if (error instanceof EmailTakenError)
          throw new UsageError(`Ya hay una cuenta con el correo ${email}. Use otro correo.`);
        throw error;
      },
    );
    invocation.out.result(account, `Cuenta creada: ${account.id} (${account.email})`);
  },
};

/** Nobody who is not there to be asked must have one. */
async function readOwnerName({ options }: Invocation): Promise<string> {
  const given = options["owner-name"];
  const name = typeof given === "string" ? given : process.stdin.isTTY ? await prompt("Nombre del titular: ") : "";
  if ([...name.trim()].length > maxPersonName)
    throw new UsageError(`El nombre del titular tiene hasta ${maxPersonName} caracteres.`);
  return name.trim();
}

async function readPassword(invocation: Invocation): Promise<string> {
  const given = await secretReader(invocation)("password");
  if (given !== undefined) return given;
  if (!process.stdin.isTTY)
    throw new UsageError("Falta --password: escriba --password - y pase la contraseña por la entrada estándar.");
  const password = await promptHidden("Contraseña del portal: ");
  if ((await promptHidden("Otra vez: ")) !== password) throw new UsageError("Las dos contraseñas no son iguales.");
  return password;
}

export const accountSet: Command = {
  name: "account set",
  summary: "Cambia el plan de una cuenta, la activa o la desactiva, o apaga sus tiquetes por correo",
  usage: "<id> [--plan basic|pro] [--active true|false] [--ticket-mail on|off]",
  takes: 1,
  options: {
    plan: "basic o pro",
    active: "true o false",
    "ticket-mail": "on u off: si sus cajas pueden enviar tiquetes por correo a los compradores",
  },
  async run(invocation) {
    const id = accountId(word(invocation, 0, "el id de la cuenta"));
    const plan = readPlan(invocation.options.plan);
    const active = readBoolean("active", invocation.options.active);
    const ticketMail = readSwitch("ticket-mail", invocation.options["ticket-mail"]);
    if (plan === undefined && active === undefined && ticketMail === undefined)
      throw new UsageError("Indique --plan, --active o --ticket-mail.");
    const account = await withDatabase(invocation.config, (deps) =>
      setAccount(deps, id, {
        ...(plan && { plan }),
        ...(active !== undefined && { active }),
        ...(ticketMail !== undefined && { ticketMail }),
      }),
    );
    const tickets = account.ticket_mail ? "" : ", sin tiquetes por correo";
    invocation.out.result(
      account,
      `Cuenta ${id}: plan ${account.plan}, ${account.active ? "activa" : "inactiva"}${tickets}`,
    );
  },
};

export const accountList: Command = {
  name: "account list",
  summary: "Muestra las cuentas",
  async run({ config, out }) {
    const { rows } = await withCurrentSchema(config, ({ pool }) =>
      pool.query(sql`select id, name, email, plan, active, created_at from accounts order by created_at, id`),
    );
    const lines = rows.map(
      (row) => `${row.id}  ${row.plan.padEnd(5)}  ${row.active ? "activa  " : "inactiva"}  ${row.email}  ${row.name}`,
    );
    out.result(
      { accounts: rows },
      lines.join("\n") || "Aún no hay cuentas. Cree una con: npx mostrador account create",
    );
  },
};

const roleTitles = (role: string, own: string | null) => own ?? (isBuiltIn(role) ? roleWords[role].title : role);

export const accountPeople: Command = {
  name: "account people",
  summary: "Muestra quién entra al portal de una cuenta, y como qué",
  usage: "<id>",
  takes: 1,
  async run(invocation) {
    const id = accountId(word(invocation, 0, "el id de la cuenta"));
    const people = await withCurrentSchema(invocation.config, async ({ pool }) => {
      const { rows } = await pool.query<{
        id: string;
        email: string;
        name: string;
        role: string;
        own: string | null;
      }>(sql`
        select p.id, p.email, p.name, m.role, r.name as own
        from memberships m join people p on p.id = m.person_id left join roles r on r.id = m.role_id
        where m.account_id = ${id} order by m.created_at, p.id`);
      return rows;
    });
    const lines = people.map(({ email, name, role, own }) =>
      `${roleTitles(role, own).padEnd(14)}  ${email}  ${name}`.trim(),
    );
    invocation.out.result(
      { people },
      lines.join("\n") || "No hay nadie en esa cuenta. Vea las cuentas con: npx mostrador account list",
    );
  },
};

export const accountOwner: Command = {
  name: "account owner",
  summary: "Hace dueño de una cuenta a una persona que ya entra a este Mostrador",
  usage: "<id> --email persona@ejemplo.com",
  takes: 1,
  options: { email: "Correo con el que la persona entra al portal" },
  async run(invocation) {
    const id = accountId(word(invocation, 0, "el id de la cuenta"));
    const email = required(invocation, "email");
    const isMade = await withDatabase(invocation.config, (deps) => makeOwner(deps, id, email));
    if (!isMade)
      throw new UsageError(
        `Nadie entra con ${email}, o no existe la cuenta. Pida a la persona que acepte primero una invitación.`,
      );
    invocation.out.result({ account_id: id, email }, `${email} es dueño de la cuenta ${id}.`);
  },
};

export const accountInvite: Command = {
  name: "account invite",
  summary: "Da un enlace con el que alguien abre su negocio (SIGNUP=invite u open)",
  usage: "--email persona@ejemplo.com",
  options: { email: "Correo con el que la persona va a entrar" },
  async run(invocation) {
    const email = required(invocation, "email");
    const made = await withDatabase(invocation.config, (deps) => makeSignUpLink(deps, email)).catch(
      (error: unknown) => {
        throw error instanceof ApiError ? new UsageError(error.message) : error;
      },
    );
    invocation.out.result(made, `${made.link}\nSirve una vez, hasta ${made.expires_at.toISOString()}.`);
  },
};

export function accountId(text: string): string {
  if (!isUuid(text))
    throw new UsageError(`"${text}" no es el id de una cuenta. Véalos con: npx mostrador account list`);
  return text.toLowerCase();
}

function readPlan(value: unknown): Plan | undefined {
  if (value === undefined || value === "basic" || value === "pro") return value;
  throw new UsageError(`--plan ${value} no existe: use basic o pro.`);
}

function readBoolean(name: string, value: unknown): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === "true" || value === "false") return value === "true";
  throw new UsageError(`--${name} debe ser true o false.`);
}

function readSwitch(name: string, value: unknown): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === "on" || value === "off") return value === "on";
  throw new UsageError(`--${name} debe ser on u off.`);
}
