/** One column of the chart: a value, and what it is compared with. */
export interface Bar {
  key: string;
  label: string;
  value: number;
  before?: number;
  color?: string | undefined;
}

/** Columns over and under a line of time, drawn with plain elements: no library, and every value but zero can be seen. */
export function Bars({
  bars,
  summary,
  format,
  axis = format,
  legend,
}: {
  bars: readonly Bar[];
  /** The chart in a sentence, for those who do not see it. */
  summary: string;
  format: (value: number) => string;
  /** For the axis, where there is less room. */
  axis?: (value: number) => string;
  legend?: { now: string; before: string };
}) {
  const values = bars.flatMap(({ value, before = 0 }) => [value, before]);
  const [least, most] = [Math.min(...values, 0), Math.max(...values, 0)];
  if (least === most) return <p className="chart-words">{summary}</p>;
  const ticks = ticksBetween(least, most);
  const [bottom = least, top = most] = [ticks[0], ticks.at(-1)];
  const every = Math.ceil(bars.length / 8);
  const share = (value: number) => `${(value / (top - bottom)) * 100}%`;
  const column = (kind: string, value: number, color?: string) => (
    <i
      className={[kind, value !== 0 && "some", value < 0 && "under"].filter(Boolean).join(" ")}
      style={{
        ...(value < 0 ? { height: share(-value), top: share(top) } : { height: share(value), bottom: share(-bottom) }),
        ...(color && { background: color }),
      }}
    />
  );
  return (
    <div className="chart">
      <div role="img" aria-label={summary}>
        <div className="chart-field">
          {ticks.map((tick) => (
            <div key={tick} className="chart-tick" style={{ bottom: share(tick - bottom) }}>
              <span>{axis(tick)}</span>
            </div>
          ))}
          <div className={`chart-bars ${densityOf(bars.length)}`}>
            {bars.map(({ key, label, value, before, color }) => (
              <div
                key={key}
                className="chart-bar"
                title={`${label}: ${format(value)}${before === undefined ? "" : ` · antes ${format(before)}`}`}
              >
                {before !== undefined && column("before", before)}
                {column("now", value, color)}
              </div>
            ))}
          </div>
        </div>
        <div className="chart-labels">
          {bars.map(({ key, label }, i) => (
            <span key={key}>
              {i % every === 0 && <b className={i % (3 * every) === 0 ? undefined : "spare"}>{label}</b>}
            </span>
          ))}
        </div>
      </div>
      {legend && (
        <div className="chart-legend">
          <i className="now" /> {legend.now} <i className="before" /> {legend.before}
        </div>
      )}
    </div>
  );
}

/** The more columns, the less room between them. */
function densityOf(count: number): string {
  return count > 62 ? "dense" : count > 16 ? "close" : "";
}

/** Three to six whole, round steps from at most `least` to at least `most`, through zero. */
function ticksBetween(least: number, most: number): number[] {
  const rough = (most - least) / 4;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5].map((n) => n * size).find((n) => n >= rough) ?? 10 * size);
  const first = Math.floor(least / step);
  return Array.from({ length: Math.ceil(most / step) - first + 1 }, (_, i) => (first + i) * step);
}

/** A part of a whole as a line under its name and value. */
export function Share({ of, part }: { of: number; part: number }) {
  return (
    <span className="share" aria-hidden="true">
      <i className="share-part" style={{ width: `${of > 0 ? Math.max(0, Math.min(1, part / of)) * 100 : 0}%` }} />
    </span>
  );
}
