/** What this installation offers to whoever wants to try a register: a shop, one that is being built, or none. */
export type DemoOffer = { kind: "shop"; name: string } | { kind: "coming" | "none" };

export async function askForDemo(): Promise<DemoOffer> {
  const response = await fetch("/caja/demo");
  if (!response.ok) return { kind: "none" };
  const { name, is_coming } = (await response.json()) as { name: string | null; is_coming?: boolean };
  if (name !== null) return { kind: "shop", name };
  return { kind: is_coming ? "coming" : "none" };
}

/** A code that links a register to that shop. */
export async function demoCode(): Promise<string> {
  const response = await fetch("/caja/demo", { method: "POST" });
  if (!response.ok) throw new Error("the demo shop is not offered");
  return ((await response.json()) as { code: string }).code;
}
