import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Scope } from "../../src/engine/resources/scopes.ts";
import { must } from "../../src/lib/must.ts";
import { type Fault, type Front, openFront, type Seen } from "./faulty-front.ts";
import { shared } from "./fixtures.ts";
import { openAgain } from "./portal.ts";
import { projectDir } from "./process.ts";
import type { Service } from "./service.ts";

/** The owner does what the API cannot. */
interface Given {
  post: string;
  body: object;
  by?: "owner";
}

interface Case {
  name: string;
  given?: Given[];
  front?: Fault[];
  api_key?: string;
  scopes?: Scope[];
  client?: { timeout_ms?: number; max_retries?: number };
  steps: { do: string }[];
  expect: unknown[];
  seen?: { requests?: number; posts?: number; keys?: number; waited_ms?: number };
}

interface Signature {
  name: string;
  header: string | null;
  secret: string | string[];
  shift?: number;
  tolerance?: number;
  append?: string;
  valid: boolean;
}

/** How a language's client takes part: its runner, and whether its errors have a class for each code. */
export interface Language {
  command: readonly string[];
  env?: Record<string, string>;
  hasErrorTypes: boolean;
}

type Outcome = { value: unknown } | { error: { type?: string | null } & Record<string, unknown> };

const read = <T>(name: string): T => JSON.parse(readFileSync(`${projectDir}test/conformance/${name}`, "utf8")) as T;
export const cases = read<Case[]>("cases.json");
const webhooks = read<{ body: string; now: number; new: string; old: string; cases: Signature[] }>("webhooks.json");

/** Every case over one client, in one process of its language. */
export function conformance(service: Service, language: Language): void {
  const front = shared(() => openFront(service));
  const ran = shared(async () => {
    const prepared = [];
    for (const one of cases) prepared.push(await prepare(service, front, one));
    const outcomes = await runIn(language, [
      ...prepared.map(({ asked }) => asked),
      ...webhooks.cases.map((one) => ({ base_url: service.baseUrl, api_key: "x", steps: signatureSteps(one) })),
    ]);
    return { prepared, outcomes };
  });

  test.each(cases.map(({ name, seen }, i) => ({ name, seen, i })))("$name", ({ seen, i }) => {
    const { given, faulty } = ran.prepared[i]!;
    const { expect: wanted } = filled(cases[i]!, given);
    expect(ran.outcomes[i]).toEqual(wanted.map((one) => matching(withoutTypes(one, language))));
    if (seen) expect(seen).toEqual(seenBy(faulty.seen, seen));
  });

  test.each(webhooks.cases.map((one, i) => ({ ...one, i })))("a webhook with $name", ({ valid, i }) => {
    const [verified, received] = ran.outcomes[cases.length + i]!;
    expect(verified).toEqual({ value: valid });
    if (valid) expect(received).toMatchObject({ value: { type: "sale.completed", data: { object: { total: 6400 } } } });
    else expect(received).toMatchObject({ error: { kind: "signature" } });
  });
}

async function prepare(service: Service, front: Front, one: Case) {
  const shop = await service.business();
  const given: object[] = [];
  const made = one.given ?? [];
  const owner = made.some(({ by }) => by) ? await openAgain(service, shop, `${shop.accountId}@example.com`) : undefined;
  for (let i = 0; i < made.length; i++) {
    // What was made before may be named by what comes after it.
    const { post, body, by }: Given = must(filled(one, given).given?.[i], "It has as many as before");
    const answer =
      by === "owner" ? await must(owner, "Somebody asked for her").post(post, body) : await shop.api.post(post, body);
    given.push(answer.body as object);
  }
  const { front: faults = [], steps, client } = filled(one, given);
  const faulty = front.open(shop, faults);
  const key = one.scopes ? (await service.key(shop.accountId, { scopes: one.scopes })).key : shop.key;
  return { given, faulty, asked: { base_url: faulty.url, api_key: one.api_key ?? key, client, steps } };
}

/** The case with what was made before it in the place of `{given.0.id}`. */
function filled(one: Case, given: readonly object[]): Case {
  const text = JSON.stringify(one).replaceAll(/\{given\.(\d+)\.(\w+)\}/g, (_all, i: string, field: string) =>
    String((given[Number(i)] as Record<string, unknown> | undefined)?.[field]),
  );
  return JSON.parse(text) as Case;
}

function signatureSteps({ header, secret, shift = 0, tolerance, append = "" }: Signature): object[] {
  const signed = (key: string) => createHmac("sha256", key).update(`${webhooks.now}.${webhooks.body}`).digest("hex");
  const values: Record<string, string> = {
    now: String(webhooks.now),
    new: signed(webhooks.new),
    old: signed(webhooks.old),
    NEW: signed(webhooks.new).toUpperCase(),
    half: signed(webhooks.new).slice(0, 32),
    empty: signed(""),
  };
  const step = {
    body: webhooks.body + append,
    header: header?.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name]!) ?? null,
    secret,
    now: webhooks.now + shift,
    ...(tolerance !== undefined && { tolerance }),
  };
  return [
    { do: "verify", ...step },
    { do: "receive", ...step },
  ];
}

async function runIn({ command, env = {} }: Language, asked: readonly object[]): Promise<Outcome[][]> {
  const [program, ...args] = command;
  const { PATH, HOME } = process.env;
  const child: ChildProcess = spawn(program!, args, { cwd: projectDir, env: { PATH, HOME, ...env } });
  let said = "";
  let complained = "";
  child.stdout!.on("data", (chunk: Buffer) => (said += chunk));
  child.stderr!.on("data", (chunk: Buffer) => (complained += chunk));
  child.stdin!.end(JSON.stringify(asked));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${complained}`);
  return JSON.parse(said) as Outcome[][];
}

/** Parts of objects, whole arrays. */
function matching(wanted: unknown): unknown {
  if (wanted === "<text>") return expect.stringMatching(/./);
  if (wanted === "<any>") return expect.anything();
  if (Array.isArray(wanted)) return wanted.map(matching);
  if (wanted === null || typeof wanted !== "object") return wanted;
  const parts = Object.entries(wanted).map(([name, value]) => [name, matching(value)]);
  return expect.objectContaining(Object.fromEntries(parts));
}

function withoutTypes(wanted: unknown, { hasErrorTypes }: Language): unknown {
  const { error } = wanted as { error?: Record<string, unknown> };
  if (!error || hasErrorTypes) return wanted;
  const { type: _type, ...rest } = error;
  return { error: rest };
}

function seenBy(all: readonly Seen[], wanted: NonNullable<Case["seen"]>): Case["seen"] {
  const posts = all.filter(({ method }) => method === "POST");
  const waited = all.length > 1 ? all[1]!.at - all[0]!.at : 0;
  return {
    ...(wanted.requests !== undefined && { requests: all.length }),
    ...(wanted.posts !== undefined && { posts: posts.length }),
    ...(wanted.keys !== undefined && { keys: new Set(posts.map(({ key }) => key)).size }),
    ...(wanted.waited_ms !== undefined && { waited_ms: Math.min(waited, wanted.waited_ms) }),
  };
}
