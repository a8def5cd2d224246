import { isScope } from "../../engine/resources/scopes.ts";
import { ApiError } from "../../lib/errors.ts";
import { rights } from "./rights.ts";
import { rightOfScope } from "./scope-rights.ts";
import type { Session } from "./session.ts";

/** A key is neither made nor handed out anew by somebody who may do less. Whoever has some sedes makes none: it reaches all of them. */
export function requireOwnScopes({ rights: held }: Session, granted: readonly string[]): void {
  const beyond = granted.filter(isScope).find((scope) => !held.has(rightOfScope[scope]));
  if (beyond === undefined) return;
  const needed = rightOfScope[beyond];
  throw new ApiError("INSUFFICIENT_RIGHTS", {
    param: "scopes",
    message: `La clave podría ${rights[needed].words} (${beyond}), y su rol no lo permite. Quite ese permiso, o pídale la clave al dueño.`,
    extra: { required_right: needed },
  });
}
