/** What somebody may show beside the password: the one table, for the routes, the pages and the words of a refusal. */
const table = {
  totp: "el código de su aplicación",
  passkey: "su llave de acceso",
  recovery_code: "un código de recuperación",
  mailed_code: "el código que le enviamos al correo",
} as const;

export type StepKind = keyof typeof table;
export const stepKinds = Object.keys(table) as StepKind[];
export const stepWords: Readonly<Record<StepKind, string>> = table;

export function knownKinds(stored: readonly string[]): StepKind[] {
  return stepKinds.filter((kind) => stored.includes(kind));
}
