import type { MovedClock } from "../access/accounts/test-clock.ts";
import type { Config } from "../config.ts";

/** A user error: one line on stderr, exit code 1. */
export class UsageError extends Error {}

export interface Invocation {
  /** Read on first use: a command for a remote service needs no installation here. */
  readonly config: Config;
  /** What a command for integrators may ask of the installation on this machine; undefined where it is installed without one. */
  readonly here: Here | undefined;
  /** Positional arguments after the command's name. */
  words: string[];
  options: Record<string, string | boolean | undefined>;
  out: Output;
  env: NodeJS.ProcessEnv;
}

/** The installation on this machine, for those commands that also reach any other over HTTP. */
export interface Here {
  readonly url: string;
  /** Undefined in production. */
  demoKey(): string | undefined;
  /** Undefined when the key is not of this installation. */
  enrolmentCode(key: string, name: string): Promise<string | undefined>;
  showClock(): Promise<ShownClock>;
  advanceClock(duration: string): Promise<MovedClock>;
}

export interface ShownClock {
  now: string;
  offset_ms: number;
}

/** A command's output: text for people, or one JSON document for scripts. */
export interface Output {
  json: boolean;
  /** Prints the value as JSON with --json, otherwise the given text. */
  result(value: object, text: string): void;
  /** Progress and remarks, printed for people only. */
  note(text: string): void;
}

export interface Command {
  /** The words that invoke it: "account create". */
  name: string;
  summary: string;
  /** What follows the name in the help: "<id> --plan basic|pro". */
  usage?: string;
  /** The help text of each option that takes a value. */
  options?: Record<string, string>;
  /** The help text of each option without a value. */
  flags?: Record<string, string>;
  /** How many positional arguments follow the name; none by default. */
  takes?: number;
  /** Possible positional arguments, for shell completion. */
  words?: readonly string[];
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
