import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { UsageError } from "./command.ts";

/** A listener's position: everything before `cursor`, and the events in `done` after it, has been forwarded. */
export interface ListenState {
  /** Null until the first page is done; until then `created_since` and `skip_to` define the position. */
  cursor: string | null;
  created_since: string | null;
  /** The newest event when the listener started: it and older ones are skipped. */
  skip_to: string | null;
  done: string[];
  types: string[];
  forward_to: string | null;
  secret: string;
}

export interface StateFile {
  path?: string;
  read(): ListenState | undefined;
  /** Atomic: a kill leaves either the new state or the old one. */
  write(state: ListenState): void;
}

export const noStateFile: StateFile = { read: () => undefined, write: () => {} };

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
      // Two listeners with one file must not rename each other's half-written draft.
      const draft = `${path}.${process.pid}.new`;
      writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}

/** For the default file, which must not stop the listener: a write failure is reported once and then ignored. */
export function ignoringWriteFailures(file: StateFile, report: (problem: string) => void): StateFile {
  let hasFailed = false;
  return {
    ...file,
    write(state) {
      if (hasFailed) return;
      try {
        file.write(state);
      } catch (error) {
        hasFailed = true;
        report((error as Error).message);
      }
    },
  };
}

/** The XDG state directory: data that should survive a restart but is not worth a backup. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const { MOSTRADOR_HOME, XDG_STATE_HOME } = env;
  if (MOSTRADOR_HOME !== undefined) return MOSTRADOR_HOME;
  const states = XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), ".local", "state");
  return join(states, "mostrador");
}

/** A hash, so that the API key does not appear in the name. */
export function stateFileName(parts: readonly string[]): string {
  return `listen-${createHash("sha256").update(parts.join(" ")).digest("hex").slice(0, 16)}.json`;
}
