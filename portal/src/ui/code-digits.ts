/** The digits of a mailed code, however it was typed or pasted: "853 735" and "853-735" are the same code. */
export function digitsOf(typed: string): string {
  return typed.replace(/\D/g, "").slice(0, 6);
}
