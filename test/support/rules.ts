import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { type ErrorCode, errorCatalogue } from "../../src/lib/errors.ts";
import { projectDir } from "./process.ts";

export type Api = "public" | "portal" | "sync";

/** "GET /customers/:id" of an API, or "/ventas/:id" for a page that is opened. */
export interface Address {
  name: string;
  /** Undefined where the test's text does not tell: it may be any. */
  of?: Api;
}

/** A test as its text tells it: what it says, and which addresses, statuses and errors it names. */
export interface Rule {
  path: string;
  line: number;
  /** The describes around it and its own name. */
  sentence: string;
  addresses: Address[];
  statuses: number[];
  codes: ErrorCode[];
}

const folders = ["src", "test", "simulator", "register", "caja"];
const declaration = /^([ \t]*)(test|describe)(\.\w+)*\(/gm;
const call = /(?:\b(\w+)\.)?\b(get|post|put|patch|delete|download|confirmed)\(\s*["`](\/[^"`\s]*)/g;
const requested = /["'](GET|POST|PUT|PATCH|DELETE)["'],\s*["`](\/[^"`\s]*)/g;
const opened = /\b(?:goto|expectSoundPage|open)\((?:\w+,\s*)?["`](\/[^"`\s]*)/g;
/** What a register's own words send. `put` with a path is the portal's, and an array's `push` is never awaited. */
const spoken: [words: RegExp, name: string][] = [
  [/(?:await|return|=>)\s+\w+\.push\(|\b\w+\.put\(\s*["'][a-z]/, "POST /push"],
  [/\b\w+\.pull\(/, "GET /changes"],
  [/\benrol(?:led)?\(\w/, "POST /enrol"],
];
const prefix = /^\/(public\/v1|portal\/api|sync\/v1)(?=\/)/;

/** All tests of the project, read from their files: nothing of it is written down anywhere. */
export async function allRules(): Promise<Rule[]> {
  const found: Rule[] = [];
  for (const folder of folders)
    for await (const path of glob(`${folder}/**/*.ts`, { cwd: projectDir, exclude: ["**/node_modules/**"] }))
      found.push(...rulesOf(path, readFileSync(join(projectDir, path), "utf8")));
  return found.toSorted((a, b) => a.path.localeCompare(b.path, "en") || a.line - b.line);
}

/** The addresses that each file of tests names, those of its own helpers included. */
export async function allFiles(): Promise<{ path: string; addresses: Address[] }[]> {
  const found: { path: string; addresses: Address[] }[] = [];
  for (const folder of folders)
    for await (const path of glob(`${folder}/**/*.test.ts`, { cwd: projectDir, exclude: ["**/node_modules/**"] }))
      found.push({ path, ...namedIn(readFileSync(join(projectDir, path), "utf8"), path) });
  return found.toSorted((a, b) => a.path.localeCompare(b.path, "en"));
}

function rulesOf(path: string, text: string): Rule[] {
  const starts = [...text.matchAll(declaration)];
  const around: { indent: number; title: string }[] = [];
  return starts.flatMap((start, i) => {
    const indent = start[1]!.length;
    const body = text.slice(start.index, starts[i + 1]?.index);
    const title = titleOf(body, start[3]);
    while (around.length > 0 && around.at(-1)!.indent >= indent) around.pop();
    if (start[2] === "describe") around.push({ indent, title });
    if (start[2] === "describe" || title === "") return [];
    const line = text.slice(0, start.index).split("\n").length;
    const sentence = [...around.map((outer) => outer.title), title].filter((words) => words !== "").join(": ");
    return [{ path, line, sentence, ...namedIn(body, path) }];
  });
}

/** A table or a condition stands in parentheses of its own before the title. */
function titleOf(body: string, modifier: string | undefined): string {
  const isSecond = modifier !== undefined && [".each", ".for", ".skipIf", ".runIf"].includes(modifier);
  const from = isSecond ? body.search(/\)\(\s*["'`]/) + 1 : 0;
  return /^[^(]*\(\s*(["'`])((?:\\.|(?!\1).)*)\1/s.exec(body.slice(from))?.[2] ?? "";
}

function namedIn(body: string, file: string): Pick<Rule, "addresses" | "statuses" | "codes"> {
  const codes = [...body.matchAll(/"([A-Z][A-Z_]+)"/g)].map(([, code]) => code!);
  const known = codes.filter((code): code is ErrorCode => code in errorCatalogue);
  const statuses = [...body.matchAll(/(?<![\w.-])([2-5]\d\d)(?![\w.-])/g)].map(([, status]) => Number(status));
  const addresses: Address[] = [
    ...[...body.matchAll(call)].map(([, caller, verb, path]) => addressOf(methodOf(verb!), path!, file, caller)),
    ...[...body.matchAll(requested)].map(([, method, path]) => addressOf(method!, path!, file)),
    ...[...body.matchAll(opened)].map(([, path]) => ({ name: plain(path!) })),
    ...spoken.filter(([words]) => words.test(body)).map(([, name]) => ({ name, of: "sync" as const })),
  ];
  return {
    addresses: [...new Map(addresses.map((address) => [`${address.of} ${address.name}`, address])).values()],
    statuses: unique([...statuses, ...known.map((code) => errorCatalogue[code].status)]),
    codes: unique(known),
  };
}

const methodOf = (verb: string) => ({ download: "GET", confirmed: "POST" })[verb] ?? verb.toUpperCase();

function addressOf(method: string, path: string, file: string, caller?: string): Address {
  const of = apiOf(path, file, caller);
  return { name: `${method} ${plain(path)}`, ...(of && { of }) };
}

function apiOf(path: string, file: string, caller?: string): Api | undefined {
  const said = prefix.exec(path)?.[1]?.split("/")[0];
  if (said) return said as Api;
  if (caller === "api") return "public";
  const [, folder] = /^test\/(api|portal|sync)\//.exec(file) ?? [];
  return folder === "api" ? "public" : (folder as Api | undefined);
}

/** Without its query and with ":id" for what the test puts in. */
export const plain = (path: string) =>
  path
    .replace(prefix, "")
    .replace(/\$\{[^}]*\}?|\{\w+\}|:\w+/g, ":id")
    .replace(/[?#].*$/, "");

const unique = <T>(values: T[]): T[] => [...new Set(values)];

/** Whether a rule is about every word asked for: a method, an address, a status, an error, or a part of what it says. */
export function isAbout({ path, sentence, addresses, statuses, codes }: Rule, words: readonly string[]): boolean {
  const prose = `${path} ${sentence}`.toLowerCase();
  const method = words.find((word) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(word));
  const ofMethod = method === undefined ? addresses : addresses.filter((address) => isOf(address, method));
  return words.every((word) => {
    if (word === method) return ofMethod.length > 0;
    if (word.startsWith("/")) return ofMethod.some((address) => isAt(address, word));
    if (/^[2-5]\d\d$/.test(word)) return statuses.includes(Number(word));
    if (/^[A-Z_]+$/.test(word)) return codes.some((code) => code === word);
    return prose.includes(word.toLowerCase());
  });
}

export const isOf = ({ name }: Address, method: string) => name.startsWith(`${method} `);

/** An address that was asked for with its prefix is that API's alone. */
export function isAt({ name, of }: Address, asked: string): boolean {
  const api = prefix.exec(asked)?.[1]?.split("/")[0];
  if (api !== undefined && of !== undefined && of !== api) return false;
  return covers(name.replace(/^[A-Z]+ /, ""), plain(asked));
}

/** A table of resources calls `/${resource}/${id}` or `/tables/${name}.csv`: what the test puts in may be any name there. */
function covers(pattern: string, path: string): boolean {
  const [patterns, parts] = [pattern.split("/").slice(1), path.split("/").slice(1)];
  if (patterns.length !== parts.length) return false;
  const isSameRoot = patterns[0] === parts[0];
  const areIds = parts.slice(1).every((part) => part === ":id");
  return parts.every((part, i) => {
    const asked = patterns[i]!;
    if (asked === part) return true;
    return asked.includes(":id") && fills(asked, part) && (i === 0 ? areIds : isSameRoot);
  });
}

const fills = (pattern: string, part: string) => {
  const [before = "", after = ""] = pattern.split(":id");
  return part.startsWith(before) && part.endsWith(after);
};
