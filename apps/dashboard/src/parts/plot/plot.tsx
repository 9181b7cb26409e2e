import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import './valid-language.ts';
import uPlot from 'uplot';
import { colours } from './colours.ts';
import type { PlotProps, PlotSeries } from './plot-props.ts';
import { PlotTable } from './plot-table.tsx';
import { hourWords } from './hour-words.ts';

const height = 176;

/** A plot over hours or minutes, with a legend, the figures under the pointer, and the same as a table. */
export function Plot({ title, hours, series, kind, print }: PlotProps) {
  const holder = useRef<HTMLDivElement>(null);
  const pointed = useSignal<number | null>(null);
  const shown = colours.value;
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const starts = hours.map((hour) => Date.parse(hour) / 1_000);
    const data = [starts, ...dataOf(series, kind)] as uPlot.AlignedData;
    // So that the bars at the ends are whole.
    const half = ((starts[1] ?? 0) - (starts[0] ?? 0)) / 2;
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'lines' } },
        scales: {
          x: { range: (_plot, min, max) => [min - half, max + half] },
          y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.05)] },
        },
        axes: axesOf(shown, kind),
        series: [{}, ...seriesOf(series, kind)],
        hooks: { setCursor: [({ cursor }) => (pointed.value = cursor.idx ?? null)] },
      },
      data,
      element,
    );
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [hours, series, shown]);
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>
        <Legend series={series} kind={kind} />
      </figcaption>
      <div ref={holder} aria-hidden="true" />
      <p class="muted number pointed" aria-hidden="true">
        {pointed.value === null ? ' ' : wordsAt({ hours, series, print }, pointed.value)}
      </p>
      <PlotTable title={title} hours={hours} series={series} print={print} />
    </figure>
  );
}

function wordsAt(
  { hours, series, print }: Pick<PlotProps, 'hours' | 'series' | 'print'>,
  index: number,
): string {
  const values = series.flatMap(({ name, values: all }) => {
    const value = all[index];
    return value === null || value === undefined ? [] : [`${name} ${print(value)}`];
  });
  return `${hourWords(hours[index] ?? '')}: ${values.join(', ') || 'nothing'}`;
}

function Legend({ series, kind }: Pick<PlotProps, 'series' | 'kind'>) {
  return (
    <span class="legend" aria-hidden="true">
      {series.map(({ name, colour, isDashed }) => (
        <span key={name} class={`${kind === 'bars' ? 'bar' : isDashed ? 'dashed' : 'line'} plot-${colour}`}>
          {name}
        </span>
      ))}
    </span>
  );
}

/** Of bars the sums up to each series, the highest first: it is drawn first, and the lower ones over it. */
function dataOf(series: readonly PlotSeries[], kind: PlotProps['kind']): (number | null)[][] {
  if (kind === 'lines') return series.map(({ values }) => [...values]);
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return sums.toReversed();
}

function seriesOf(series: readonly PlotSeries[], kind: PlotProps['kind']): uPlot.Series[] {
  const shown = colours.peek();
  if (kind === 'lines') {
    return series.map(({ colour, isDashed }) => ({
      stroke: shown[colour],
      width: 2,
      spanGaps: false,
      points: { show: true, size: 4, fill: shown[colour] },
      ...(isDashed ? { dash: [5, 4] } : {}),
    }));
  }
  const bars = uPlot.paths.bars?.({ size: [0.7, 24] });
  return series.toReversed().map(({ colour }) => ({
    stroke: shown[colour],
    fill: shown[colour],
    width: 0,
    ...(bars ? { paths: bars } : {}),
    points: { show: false },
  }));
}

const wholeNumbers = [1, 2, 5].flatMap((one) => [1, 10, 100, 1e3, 1e4, 1e5, 1e6].map((ten) => one * ten));

function axesOf({ muted, line }: { muted: string; line: string }, kind: PlotProps['kind']): uPlot.Axis[] {
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const common = { stroke: muted, font, ticks: { stroke: line, width: 1 }, grid: { stroke: line, width: 1 } };
  return [
    { ...common, grid: { show: false }, values: (_plot, splits) => splits.map(timeWords) },
    {
      ...common,
      size: 48,
      // There is no half call.
      ...(kind === 'bars' ? { incrs: wholeNumbers.toSorted((one, other) => one - other) } : {}),
      values: (_plot, splits) => splits.map((value) => value.toLocaleString('en')),
    },
  ];
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric' });

/** Midnight is labelled with its day. */
function timeWords(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return date.getHours() === 0 && date.getMinutes() === 0 ? day.format(date) : clock.format(date);
}
