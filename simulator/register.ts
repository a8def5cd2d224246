import { cpSync, rmSync } from "node:fs";
import type { Entry } from "../register/protocol.ts";
import { type Register as CoreRegister, openRegister as openCore } from "../register/register.ts";
import { journalsOf, openFileStore, readJournal } from "../register/stores/file-store.ts";
import type { SyncClient } from "../register/sync-client.ts";

export type { Draft } from "../register/protocol.ts";

export interface RegisterOptions {
  /** Where its journals are. A register opened on the same folder continues where it stopped. */
  folder: string;
  name: string;
  client: SyncClient;
  /** Returns an enrolment code: for the first enrolment, and again after a fork. */
  newCode: () => Promise<string>;
  /** The register's own clock, right or wrong. */
  now: () => Date;
}

/** A register over files: the same core as in the browser, with nobody at it who could type a code. */
export interface Register extends CoreRegister<void> {
  name: string;
  /** Everything this register ever recorded, in all its journals. */
  allEntries(): Entry[];
  backUp(folder: string): void;
  close(): void;
}

export async function openRegister({ folder, name, client, newCode, now }: RegisterOptions): Promise<Register> {
  const enrol = async () => client.enrol(await newCode(), name);
  const isKnown = journalsOf(folder).length > 0;
  const store = openFileStore(folder, isKnown ? undefined : await enrol());
  const register = await openCore({ store, client, now, enrolAgain: enrol });
  return {
    ...register,
    name,
    allEntries: () => readEntries(folder),
    backUp(target) {
      rmSync(target, { recursive: true, force: true });
      cpSync(folder, target, { recursive: true });
    },
    close: () => store.close(),
  };
}

export function readEntries(folder: string): Entry[] {
  return journalsOf(folder).flatMap((file) => readJournal(file).entries);
}
