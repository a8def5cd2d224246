import type { ParseArgsOptionsConfig } from "node:util";
import type { Config } from "../config.ts";

/** A mistake of the person at the keyboard: one line on stderr, exit code 1. */
export class UsageError extends Error {}

export interface Invocation {
  /** Read when it is first asked for: a command that speaks to a distant service needs no installation here. */
  readonly config: Config;
  /** Positional arguments after the command's own words. */
  words: string[];
  options: Record<string, string | boolean | undefined>;
  out: Output;
  env: NodeJS.ProcessEnv;
}

/** What a command says: prose for a person, or one JSON document for a script. */
export interface Output {
  json: boolean;
  /** The result: its fields as JSON with --json, otherwise the given sentence. */
  result(value: object, sentence: string): void;
  /** Progress and remarks: for people only. */
  note(sentence: string): void;
}

export interface Command {
  /** The words that call it: "account create". */
  name: string;
  summary: string;
  /** What follows the name in the help: "<id> --plan basic|pro". */
  usage?: string;
  options?: ParseArgsOptionsConfig;
  /** How many words follow the name; none unless told. */
  takes?: number;
  /** What may stand after the name, for the shell's completion. */
  words?: readonly string[];
  /** One help line per option. */
  help?: Record<string, string>;
  run(invocation: Invocation): Promise<void>;
}

export function required(invocation: Invocation, name: string): string {
  const value = invocation.options[name];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new UsageError(`Falta --${name}.`);
}

export function word(invocation: Invocation, position: number, what: string): string {
  const value = invocation.words[position];
  if (value === undefined) throw new UsageError(`Falta ${what}.`);
  return value;
}
