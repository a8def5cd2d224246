import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { UsageError } from "./command.ts";

/** Where a listener is in the log. Everything before `cursor`, and what `done` names after it, has been forwarded. */
export interface ListenState {
  /** Null until the first page is behind us: then the place is `created_since` and `skip_to`. */
  cursor: string | null;
  created_since: string | null;
  /** The newest event when the listener began: it and what stands before it are not its affair. */
  skip_to: string | null;
  done: string[];
  types: string[];
  forward_to: string | null;
  secret: string;
}

export interface StateFile {
  path?: string;
  read(): ListenState | undefined;
  /** On the disk as a whole, or as it was before: a kill leaves no half of it. */
  write(state: ListenState): void;
}

export const noPlace: StateFile = { read: () => undefined, write: () => {} };

export function stateFile(path: string): StateFile {
  return {
    path,
    read() {
      if (!existsSync(path)) return undefined;
      try {
        return JSON.parse(readFileSync(path, "utf8")) as ListenState;
      } catch {
        throw new UsageError(`${path} no es un estado de listen. Bórrelo para empezar de nuevo.`);
      }
    },
    write(state) {
      mkdirSync(dirname(path), { recursive: true });
      // Two listeners on one place must not take each other's half-written file.
      const draft = `${path}.${process.pid}.new`;
      writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}

/** A place that nobody asked for must not stop anybody: what cannot be written is said once. */
export function unlessBroken(place: StateFile, complain: (problem: string) => void): StateFile {
  let isBroken = false;
  return {
    ...place,
    write(state) {
      if (isBroken) return;
      try {
        place.write(state);
      } catch (error) {
        isBroken = true;
        complain((error as Error).message);
      }
    },
  };
}

/** Where programs keep what should outlive them and is not worth a backup: the XDG base directories' word for it. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const { MOSTRADOR_HOME, XDG_STATE_HOME } = env;
  if (MOSTRADOR_HOME !== undefined) return MOSTRADOR_HOME;
  const states = XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), ".local", "state");
  return join(states, "mostrador");
}

/** The key does not stand in a file's name: its hash does. */
export function ownPlace(parts: readonly string[]): string {
  return `listen-${createHash("sha256").update(parts.join(" ")).digest("hex").slice(0, 16)}.json`;
}
