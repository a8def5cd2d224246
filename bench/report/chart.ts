/** Measured curves over the same x axis, drawn as one small panel each. */
export interface Chart {
  /** The file name without its extension. */
  file: string;
  title: string;
  unit: string;
  /** What the x axis counts: "rows", "accounts". */
  along: string;
  at: number[];
  series: { name: string; values: number[] }[];
}

const panel = { width: 270, height: 150 };
const plot = { left: 24, right: 24, top: 46, bottom: 26 };
const maxColumns = 3;
const heading = 34;

/** An SVG without scripts or fonts. It draws its own background, so that it is legible in light and dark themes. */
export function drawChart(chart: Chart): string {
  const columns = Math.min(maxColumns, chart.series.length);
  const width = Math.max(2, columns) * panel.width;
  const height = heading + Math.ceil(chart.series.length / columns) * panel.height;
  const panels = chart.series.map((series, i) => {
    const x = (i % columns) * panel.width;
    const y = heading + Math.floor(i / columns) * panel.height;
    return `<g transform="translate(${x} ${y})">\n${drawPanel(chart, series)}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${asXml(chart.title)}</title>
<style>${style}</style>
<rect class="ground" width="${width}" height="${height}"/>
<text class="heading" x="${plot.left}" y="22">${asXml(`${chart.title} (${chart.unit})`)}</text>
${panels.join("\n")}
</svg>
`;
}

const style = `
text { font: 10px system-ui, sans-serif; fill: #57606a; }
.heading { font-size: 13px; font-weight: 600; fill: #1f2328; }
.name { font-size: 11px; fill: #1f2328; }
.middle { text-anchor: middle; }
.ground { fill: #ffffff; }
.axis { stroke: #d0d7de; }
.curve { fill: none; stroke: #0969da; stroke-width: 2; }
.point { fill: #0969da; }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1; }
  .heading, .name { fill: #f0f6fc; }
  .ground { fill: #0d1117; }
  .axis { stroke: #3d444d; }
  .curve { stroke: #4493f8; }
  .point { fill: #4493f8; }
}
`;

/** The heading already names the list, and a panel is narrow. */
function shortName(name: string): string {
  return name.replace(/^GET \/[\w-]+, /, "");
}

/** The y axis starts at zero, so that a doubled value is twice as high. */
function drawPanel({ at, along, unit }: Chart, { name, values }: Chart["series"][number]): string {
  const bottom = panel.height - plot.bottom;
  const step = (panel.width - plot.left - plot.right) / Math.max(1, at.length - 1);
  const top = Math.max(...values) || 1;
  const points = values.map((value, i) => ({
    x: tenth(plot.left + i * step),
    y: tenth(bottom - (value / top) * (bottom - plot.top)),
    value: shortNumber(value),
    place: shortNumber(at[i]!),
  }));
  return [
    `<text class="name" x="${plot.left - 8}" y="18">${asXml(shortName(name))}</text>`,
    `<line class="axis" x1="${plot.left}" y1="${bottom}" x2="${panel.width - plot.right}" y2="${bottom}"/>`,
    `<polyline class="curve" points="${points.map(({ x, y }) => `${x},${y}`).join(" ")}"/>`,
    ...points.map(
      ({ x, y, value, place }) =>
        `<circle class="point" cx="${x}" cy="${y}" r="3"><title>${asXml(`${place} ${along}: ${value} ${unit}`)}</title></circle>` +
        `<text class="middle" x="${x}" y="${tenth(y - 8)}">${value}</text>` +
        `<text class="middle" x="${x}" y="${bottom + 15}">${place}</text>`,
    ),
  ].join("\n");
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** 10 000 000 → 10 M; 0.5167 → 0.52. */
export function shortNumber(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toPrecision(3))} M`;
  if (value >= 10_000) return `${Number((value / 1_000).toPrecision(3))} k`;
  return String(value >= 100 ? Math.round(value) : Number(value.toPrecision(2)));
}

function asXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
