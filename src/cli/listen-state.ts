import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
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
  read(): ListenState | undefined;
  /** On the disk as a whole, or as it was before: a kill leaves no half of it. */
  write(state: ListenState): void;
}

export function stateFile(path: string | undefined): StateFile {
  if (path === undefined) return { read: () => undefined, write: () => {} };
  return {
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
      writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}
