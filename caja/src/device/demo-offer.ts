/** The shop that this installation offers to whoever wants to try a register; undefined for none. */
export async function askForDemo(): Promise<string | undefined> {
  const response = await fetch("/caja/demo");
  if (!response.ok) return undefined;
  const { name } = (await response.json()) as { name: string | null };
  return name ?? undefined;
}

/** A code that links a register to that shop. */
export async function demoCode(): Promise<string> {
  const response = await fetch("/caja/demo", { method: "POST" });
  if (!response.ok) throw new Error("the demo shop is not offered");
  return ((await response.json()) as { code: string }).code;
}
