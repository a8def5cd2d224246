import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { type ErrorCode, errorCatalogue } from "../../src/lib/errors.ts";
import { projectDir } from "./process.ts";

/** A test as its text tells it: what it says, and which addresses, statuses and errors it names. */
export interface Rule {
  place: string;
  /** The describes around it and its own name. */
  sentence: string;
  /** "GET /customers/:id" of the API or the portal's own API, and "/ventas/:id" for a page that it opens. */
  addresses: string[];
  statuses: number[];
  codes: ErrorCode[];
}

const folders = ["src", "test", "simulator", "register", "caja"];
const declaration = /^([ \t]*)(test|describe)(\.\w+)*\(/gm;
const call = /\b(get|post|put|patch|delete)\(\s*["`](\/[^"`\s]*)/g;
const requested = /["'](GET|POST|PUT|PATCH|DELETE)["'],\s*["`](\/[^"`\s]*)/g;
const opened = /\b(?:goto|expectSoundPage)\((?:\w+,\s*)?["`](\/[^"`\s]*)/g;

/** All tests of the project, read from their files: nothing of it is written down anywhere. */
export async function allRules(): Promise<Rule[]> {
  const found: Rule[] = [];
  for (const folder of folders)
    for await (const path of glob(`${folder}/**/*.ts`, { cwd: projectDir, exclude: ["**/node_modules/**"] }))
      found.push(...rulesOf(path, readFileSync(join(projectDir, path), "utf8")));
  return found.toSorted((a, b) => a.place.localeCompare(b.place, "en", { numeric: true }));
}

function rulesOf(path: string, text: string): Rule[] {
  const starts = [...text.matchAll(declaration)];
  const around: { indent: number; title: string }[] = [];
  return starts.flatMap((start, i) => {
    const indent = start[1]!.length;
    const body = text.slice(start.index, starts[i + 1]?.index);
    const title = titleOf(body, start[3] === ".each" || start[3] === ".for");
    while (around.length > 0 && around.at(-1)!.indent >= indent) around.pop();
    if (start[2] === "describe") around.push({ indent, title });
    if (start[2] === "describe" || title === "") return [];
    const line = text.slice(0, start.index).split("\n").length;
    const sentence = [...around.map((outer) => outer.title), title].join(": ");
    return [{ place: `${path}:${line}`, sentence, ...namedIn(body) }];
  });
}

function titleOf(body: string, isTable: boolean): string {
  const from = isTable ? body.search(/\)\(\s*["'`]/) + 1 : 0;
  return /^[^(]*\(\s*(["'`])((?:\\.|(?!\1).)*)\1/s.exec(body.slice(from))?.[2] ?? "";
}

function namedIn(body: string): Pick<Rule, "addresses" | "statuses" | "codes"> {
  const calls = [...body.matchAll(call), ...body.matchAll(requested)];
  const codes = [...body.matchAll(/"([A-Z][A-Z_]+)"/g)].map(([, code]) => code!);
  const known = codes.filter((code): code is ErrorCode => code in errorCatalogue);
  const statuses = [...body.matchAll(/(?<![\w.-])([2-5]\d\d)(?![\w.-])/g)].map(([, status]) => Number(status));
  return {
    addresses: unique([
      ...calls.map(([, method, path]) => `${method!.toUpperCase()} ${plain(path!)}`),
      ...[...body.matchAll(opened)].map(([, path]) => plain(path!)),
    ]),
    statuses: unique([...statuses, ...known.map((code) => errorCatalogue[code].status)]),
    codes: unique(known),
  };
}

/** Without its query and with ":id" for what the test puts in. */
export const plain = (path: string) =>
  path
    .replace(/^\/(public|portal)\/(v1|api)(?=\/)/, "")
    .replace(/\$\{[^}]*\}?|\{\w+\}|:\w+/g, ":id")
    .replace(/[?#].*$/, "");

const unique = <T>(values: T[]): T[] => [...new Set(values)];

/** Whether a rule is about every word asked for: a method, an address, a status, an error, or a part of what it says. */
export function isAbout({ place, sentence, addresses, statuses, codes }: Rule, words: readonly string[]): boolean {
  const prose = `${place} ${sentence}`.toLowerCase();
  const method = words.find((word) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(word));
  const ofMethod = addresses.filter((at) => method === undefined || at.startsWith(`${method} `));
  return words.every((word) => {
    if (word === method) return ofMethod.length > 0;
    if (word.startsWith("/")) return ofMethod.some((at) => covers(at.replace(/^[A-Z]+ /, ""), plain(word)));
    if (/^[2-5]\d\d$/.test(word)) return statuses.includes(Number(word));
    if (/^[A-Z_]+$/.test(word)) return codes.some((code) => code === word);
    return prose.includes(word.toLowerCase());
  });
}

/** A table of resources calls `/${resource}/${id}` or `/exports/${resource}`: what the test puts in may be any name there. */
function covers(pattern: string, path: string): boolean {
  const [patterns, parts] = [pattern.split("/").slice(1), path.split("/").slice(1)];
  if (patterns.length !== parts.length) return false;
  const isSameRoot = patterns[0] === parts[0];
  const areIds = parts.slice(1).every((part) => part === ":id");
  return parts.every((part, i) => patterns[i] === part || (patterns[i] === ":id" && (i === 0 ? areIds : isSameRoot)));
}
