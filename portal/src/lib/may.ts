import { mayDo, type NeededRight } from "../../../src/access/people/needed-right.ts";
import type { Session } from "./answers.ts";

/** Whether whoever is signed in may do something. The service decides it again; pages leave out what it would refuse. */
export function may(session: Pick<Session, "rights">, needed: NeededRight): boolean {
  return mayDo(new Set(session.rights), needed);
}
