import type { ColourName } from './colours.ts';

export interface PlotSeries {
  name: string;
  colour: ColourName;
  values: readonly (number | null)[];
  /** Of lines: a dashed one. */
  isDashed?: boolean;
}

export interface PlotProps {
  title: string;
  /** When each hour, or minute, begins. */
  hours: readonly string[];
  series: readonly PlotSeries[];
  /** Bars stand on each other, in the order of the series; lines do not. */
  kind: 'bars' | 'lines';
  /** Words for a value: "12 calls". */
  print: (value: number) => string;
}
