/**
 * The metrics of one process, in Prometheus' text format. Callers look up a series once and keep it: counting is then one
 * addition, without joining or hashing labels on every request as prom-client does.
 */
export interface Metrics {
  /** The same labels give the same series. */
  counter(name: string, help: string, labels?: Labels): Series;
  histogram(name: string, help: string, boundsSeconds: readonly number[], labels?: Labels): Histogram;
  /** Called at every scrape; one that fails is left out. Returns a function that removes it. */
  collect(read: () => Reading[] | Promise<Reading[]>): () => void;
  render(): Promise<string>;
}

export type Labels = Readonly<Record<string, string>>;

export interface Series {
  value: number;
}

export interface Histogram {
  observe(seconds: number): void;
}

/** A value at the time of the scrape. */
export interface Reading {
  name: string;
  help: string;
  type?: "gauge" | "counter";
  labels?: Labels;
  value: number;
}

interface Family {
  help: string;
  type: "counter" | "gauge" | "histogram";
  /** By label text. */
  lines: Map<string, () => string[]>;
  series: Map<string, Series | Histogram>;
}

export function newMetrics(): Metrics {
  const families = new Map<string, Family>();
  const collectors = new Set<() => Reading[] | Promise<Reading[]>>();

  function familyOf(name: string, help: string, type: Family["type"]): Family {
    const family = families.get(name) ?? { help, type, lines: new Map(), series: new Map() };
    families.set(name, family);
    return family;
  }

  return {
    counter(name, help, labels = {}) {
      const family = familyOf(name, help, "counter");
      const text = labelText(labels);
      const known = family.series.get(text);
      if (known) return known as Series;
      const series = { value: 0 };
      family.series.set(text, series);
      family.lines.set(text, () => [`${name}${text} ${series.value}`]);
      return series;
    },
    histogram(name, help, bounds, labels = {}) {
      const family = familyOf(name, help, "histogram");
      const text = labelText(labels);
      const known = family.series.get(text);
      if (known) return known as Histogram;
      const counts = new Float64Array(bounds.length + 1);
      let sum = 0;
      const histogram: Histogram = {
        observe(seconds) {
          let place = 0;
          while (place < bounds.length && seconds > bounds[place]!) place++;
          counts[place]! += 1;
          sum += seconds;
        },
      };
      family.series.set(text, histogram);
      family.lines.set(text, () => histogramLines(name, labels, bounds, counts, sum));
      return histogram;
    },
    collect(read) {
      collectors.add(read);
      return () => collectors.delete(read);
    },
    async render() {
      const readings = await Promise.all(
        Array.from(collectors, async (read) => read()).map((read) => read.catch(() => [])),
      );
      const collected = Map.groupBy(readings.flat(), ({ name }) => name);
      const blocks = [
        ...Array.from(families, ([name, { help, type, lines }]) => {
          return block(
            name,
            help,
            type,
            [...lines.values()].flatMap((line) => line()),
          );
        }),
        ...Array.from(collected, ([name, some]) => {
          const lines = some.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`);
          return block(name, some[0]?.help ?? "", some[0]?.type ?? "gauge", lines);
        }),
      ];
      return `${blocks.join("\n")}\n`;
    },
  };
}

export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

function block(name: string, help: string, type: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
}

function histogramLines(
  name: string,
  labels: Labels,
  bounds: readonly number[],
  counts: Float64Array,
  sum: number,
): string[] {
  let below = 0;
  const buckets = Array.from(counts, (count, i) => {
    below += count;
    const le = i < bounds.length ? String(bounds[i]) : "+Inf";
    return `${name}_bucket${labelText({ ...labels, le })} ${below}`;
  });
  const text = labelText(labels);
  return [...buckets, `${name}_sum${text} ${sum}`, `${name}_count${text} ${below}`];
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
