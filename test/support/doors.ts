import { totpCode } from "../../src/access/people/second-step/totp.ts";
import { sql } from "../../src/db/sql.ts";
import { minute, second } from "../../src/lib/clock.ts";
import { startMailWorker } from "../../src/mail/worker.ts";
import type { Answer } from "./client.ts";
import { eventually } from "./eventually.ts";
import { call, from, password } from "./portal.ts";
import type { Service } from "./service.ts";
import type { SmtpReceiver } from "./smtp.ts";

/** A browser that keeps its cookies, at an address of its own; the service is started with `TRUST_PROXY: "1"`. */
export interface Door {
  cookies: Map<string, string>;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
  signIn(email: string, typed?: string): Promise<Answer>;
  /** The second half of a sign-in. */
  show(kind: string, code: string): Promise<Answer>;
}

let addresses = 0;

export function openDoor(service: Service, { address, agent }: { address?: string; agent?: string } = {}): Door {
  addresses += 1;
  const own = address ?? `198.51.${100 + Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
  const cookies = new Map<string, string>();
  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...from(own), ...(cookie && { cookie }), ...(agent && { "user-agent": agent }) };
    const answer = await call(service, method, path, body, headers);
    for (const one of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }
  return {
    cookies,
    send,
    post: (path, body) => send("POST", path, body),
    get: (path) => send("GET", path),
    signIn: (email, typed = password) => send("POST", "/session", { email, password: typed }),
    show: (kind, code) => send("POST", "/session/second-step", { kind, code }),
  };
}

/** What an application on a telephone shows. A code is taken once: each next one waits for its step. */
export function telephone(service: Service, secret: string): { code(): string; next(): string } {
  const code = () => totpCode(secret, service.deps.clock.now());
  return {
    code,
    next() {
      service.deps.clock.shiftTo(service.deps.clock.offsetMs() + minute + second);
      return code();
    },
  };
}

export interface Enrolled {
  secret: string;
  factorId: string;
  recoveryCodes: string[];
  phone: ReturnType<typeof telephone>;
}

/** Adds an application to somebody who is signed in and has no factor. */
export async function enrolTotp(service: Service, door: Pick<Door, "post">): Promise<Enrolled> {
  const begun = await door.post("/factors/totp", { name: "Teléfono", current_password: password });
  if (begun.status !== 201) throw new Error(begun.text);
  const { id, secret } = begun.body;
  const phone = telephone(service, secret);
  const confirmed = await door.post(`/factors/totp/${id}/confirm`, { code: phone.code() });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  return { secret, factorId: id, recoveryCodes: confirmed.body.recovery_codes, phone };
}

/** Sends all that is due, and resolves with what arrived at an address, the newest last. */
export async function mailsAt(service: Service, smtp: SmtpReceiver, address: string): Promise<string[]> {
  const worker = startMailWorker(service.deps);
  await eventually(async () => {
    const { rowCount } = await service.deps.pool.query(sql`select 1 from mails where next_attempt_at is not null`);
    return rowCount === 0;
  });
  await worker.stop();
  return smtp.received.filter(({ to }) => to === address).map(({ raw }) => raw);
}

/** The newest code that arrived at an address. */
export async function codeAt(service: Service, smtp: SmtpReceiver, address: string): Promise<string> {
  const codes = (await mailsAt(service, smtp, address)).flatMap((raw) => /^(\d{6})\r?$/m.exec(raw)?.[1] ?? []);
  const code = codes.at(-1);
  if (code === undefined) throw new Error(`no code was mailed to ${address}`);
  return code;
}
