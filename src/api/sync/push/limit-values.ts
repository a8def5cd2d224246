import { maxPesos } from "../../../engine/resources/fields.ts";
import { type Fields, type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { bogotaIso } from "../../../taxes/bogota-time.ts";
import { grouped } from "../../../taxes/words.ts";
import { type RecordType, recordTypes } from "../protocol.ts";
import { amountTitle, shapes } from "./shapes.ts";

interface Schema {
  title?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Where a record has amounts and instants. */
interface Limited {
  kind?: "amount" | "instant";
  fields?: (readonly [name: string, limited: Limited])[];
  items?: Limited;
}

function limitedIn({ title, format, properties, items }: Schema): Limited | undefined {
  if (properties) {
    const fields = Object.entries(properties).flatMap(([name, inner]) => {
      const limited = limitedIn(inner);
      return limited ? [[name, limited] as const] : [];
    });
    return fields.length > 0 ? { fields } : undefined;
  }
  if (items) {
    const limited = limitedIn(items);
    return limited && { items: limited };
  }
  if (title === amountTitle) return { kind: "amount" };
  return format === "date-time" ? { kind: "instant" } : undefined;
}

const limits = Object.fromEntries(
  recordTypes.map((type) => [type, limitedIn(shapes[type] as Schema) ?? { fields: [] }]),
) as Record<RecordType, Limited>;

/**
 * An amount above the API's limit becomes that limit, and an instant in no year of the calendar is left out, so that its default
 * counts: a register's mistake is told to the owner, and neither keeps the record out nor the day's report from being read.
 */
export function readWithinLimits(type: RecordType, data: Fields): { data: Fields; findings: Finding[] } {
  const findings: Finding[] = [];
  const isWithin = fits(data, limits[type]);
  const limited = isWithin ? data : (limit(data, limits[type], "", findings) as Fields);
  const isTold = ({ field }: Finding) => type === "sale" && field === "total";
  return { data: limited, findings: findings.map((one) => (isTold(one) ? { ...one, kind: "huge_total" } : one)) };
}

/** Nearly every record does. */
function fits(value: unknown, { kind, fields, items }: Limited): boolean {
  if (typeof value === "number") return kind !== "amount" || Math.abs(value) <= maxPesos;
  if (typeof value === "string") return kind !== "instant" || isInCalendar(value);
  if (value === null || typeof value !== "object") return true;
  if (items) return (value as unknown[]).every((item) => fits(item, items));
  return fields?.every(([name, inner]) => fits((value as Fields)[name], inner)) ?? true;
}

function limit(value: unknown, { kind, fields, items }: Limited, path: string, findings: Finding[]): unknown {
  if (kind && !fits(value, { kind })) {
    const isAmount = kind === "amount";
    const message = isAmount ? `Pasa del máximo: se guardó ${grouped(maxPesos)}.` : "La fecha no existe: no se guardó.";
    findings.push(finding(path, isAmount ? maxPesos : null, value, message));
    return isAmount ? Math.sign(value as number) * maxPesos : undefined;
  }
  if (value === null || typeof value !== "object") return value;
  if (items)
    return (value as (Fields | null)[]).map((item, i) => limit(item, items, `${path}.${item?.id ?? i}`, findings));
  const read: Fields = { ...value };
  for (const [name, inner] of fields ?? [])
    if (name in read) read[name] = limit(read[name], inner, path === "" ? name : `${path}.${name}`, findings);
  return read;
}

/** PostgreSQL knows no year 0, and a day has four digits of the year. */
function isInCalendar(instant: string): boolean {
  return /^\d{4}-/.test(bogotaIso(new Date(instant))) && !bogotaIso(new Date(instant)).startsWith("0000-");
}
