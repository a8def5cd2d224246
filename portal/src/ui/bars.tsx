/** One column of the chart: a value, and what it is compared with. */
export interface Bar {
  key: string;
  label: string;
  value: number;
  before?: number;
}

/** Columns over a line of time, drawn with plain elements: no library, and every value above zero can be seen. */
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
  const most = Math.max(...bars.map(({ value, before = 0 }) => Math.max(value, before)), 0);
  if (most === 0) return null;
  const ticks = ticksUpTo(most);
  const top = ticks.at(-1) ?? most;
  const every = Math.ceil(bars.length / 8);
  const height = (value: number) => ({ height: `${Math.max(0, value / top) * 100}%` });
  return (
    <div className="chart">
      <div role="img" aria-label={summary}>
        <div className="chart-field">
          {ticks.map((tick) => (
            <div key={tick} className="chart-tick" style={{ bottom: `${(tick / top) * 100}%` }}>
              <span>{axis(tick)}</span>
            </div>
          ))}
          <div className={`chart-bars ${densityOf(bars.length)}`}>
            {bars.map(({ key, label, value, before }) => (
              <div
                key={key}
                className="chart-bar"
                title={`${label}: ${format(value)}${before === undefined ? "" : ` · antes ${format(before)}`}`}
              >
                {before !== undefined && <i className={before > 0 ? "before some" : "before"} style={height(before)} />}
                <i className={value > 0 ? "now some" : "now"} style={height(value)} />
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

/** Three to five whole, round steps from zero to at least `most`. */
export function ticksUpTo(most: number): number[] {
  const rough = most / 4;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5].map((n) => n * size).find((n) => n >= rough) ?? 10 * size);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

/** A part of a whole as a line under its name and value. */
export function Share({ of, part }: { of: number; part: number }) {
  return (
    <span className="share" aria-hidden="true">
      <i className="share-part" style={{ width: `${of > 0 ? Math.max(0, Math.min(1, part / of)) * 100 : 0}%` }} />
    </span>
  );
}
