import { regimeNames } from "../../fiscal/content/document-words.ts";
import type { ShownLook } from "../../fiscal/profile/look.ts";
import type { IssuerProfile } from "../../fiscal/profile/profile.ts";
import type { Letterhead } from "../paper.ts";

/** The business at the head of each of its papers. */
export function letterhead(
  look: ShownLook,
  profile: Pick<IssuerProfile, "nit" | "regime"> | undefined,
  title: string,
  number: string | null,
): Letterhead {
  const { printed_name, address, city, phone, email } = look;
  const place = [address, city].filter(Boolean).join(", ");
  const reach = [phone && `Tel. ${phone}`, email].filter(Boolean).join(" · ");
  const sedes = look.establishments ?? [];
  const sede = sedes.length > 0 && `${sedes.length === 1 ? "Sede" : "Sedes"} ${sedes.join(", ")}`;
  const lines = [sede, profile && `NIT ${profile.nit}`, profile && regimeNames[profile.regime], place, reach];
  return { kind: "letterhead", name: printed_name, lines: lines.filter((line) => !!line) as string[], title, number };
}
