import { addDays, type Period } from "./period.ts";

/** A period as the stretches that it is read in. */
export interface Parts {
  /** Whole months, and whole thirds of the months that the period cuts: what they add up to is kept. */
  spans: Period[];
  /** What is left at both ends, at most ten days each. */
  days: Period[];
}

export function partsOf({ from, to }: Period): Parts {
  const parts: Parts = { spans: [], days: [] };
  let day = from;
  // The day after the last may have no name: it ends with the year 9999.
  for (let isLast = false; !isLast; ) {
    const third = thirdOf(day);
    const span = [monthOf(day), third].find((one) => one.from === day && one.to <= to);
    const part = span ?? { from: day, to: third.to < to ? third.to : to };
    (span ? parts.spans : parts.days).push(part);
    isLast = part.to === to;
    if (!isLast) day = addDays(part.to, 1);
  }
  return parts;
}

function monthOf(day: string): Period {
  const month = day.slice(0, 8);
  const from = `${month}01`;
  return {
    from,
    to: [30, 29, 28].map((days) => addDays(from, days)).find((one) => one.startsWith(month)) ?? `${month}28`,
  };
}

/** From the 1st, the 11th and the 21st. */
function thirdOf(day: string): Period {
  const month = monthOf(day);
  const from = addDays(month.from, Math.min(20, 10 * Math.floor((Number(day.slice(8)) - 1) / 10)));
  return { from, to: from.endsWith("21") ? month.to : addDays(from, 9) };
}
