import { Counter } from 'prom-client';
import type { LabelValues, Metric, Registry } from 'prom-client';

/**
 * A counter for what happens at every call. prom-client looks a set of labels up at each count, which takes half a microsecond.
 * A tally is a plain number, which is added when the metrics are read.
 */
export class TalliedCounter<Label extends string> extends Counter<Label> {
  readonly #tallies: { labels: LabelValues<Label>; count: number }[] = [];

  /** Whoever counts adds to the `count` of this. To be called once for each set of labels. */
  tally(labels: LabelValues<Label>): { count: number } {
    const tally = { labels, count: 0 };
    this.#tallies.push(tally);
    return tally;
  }

  /** Called by prom-client before it reads the counter. */
  collect(): void {
    for (const tally of this.#tallies) {
      if (tally.count > 0) this.inc(tally.labels, tally.count);
      tally.count = 0;
    }
  }
}

export interface TalliedHistogramConfig<Label extends string> {
  name: string;
  help: string;
  labelNames: readonly Label[];
  /** The upper bounds of the buckets, ascending. */
  buckets: readonly number[];
  registers: readonly Registry[];
}

/** A histogram for what is measured at every call. prom-client takes a microsecond to observe a value, and a tally a twentieth of it. */
export class TalliedHistogram<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #bounds: readonly number[];
  readonly #tallies: { labels: LabelValues<Label>; tally: Tally }[] = [];

  constructor({ name, help, labelNames, buckets, registers }: TalliedHistogramConfig<Label>) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.#bounds = buckets;
    // A registry asks a metric for these properties and for `get` alone.
    for (const registry of registers) registry.registerMetric(this as unknown as Metric<Label>);
  }

  /** To be called once for each set of labels. The histogram names those only for which a value was observed. */
  tally(labels: LabelValues<Label>): Tally {
    const tally = new Tally(this.#bounds);
    this.#tallies.push({ labels, tally });
    return tally;
  }

  /** Called by the registry when the metrics are read. */
  get() {
    const { name, help, type, aggregator } = this;
    const values = this.#tallies.flatMap(({ labels, tally }) => tally.read(name, labels));
    return Promise.resolve({ name, help, type, aggregator, values });
  }
}

/** How many values fell into each bucket, for one set of labels. */
class Tally {
  readonly #bounds: readonly number[];
  /** One for each bound, and the last for the values above all of them. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = [...bounds, Infinity].map(() => 0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (value > (this.#bounds[bucket] ?? Infinity)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** The lines of this histogram. Those of the buckets count the values up to their bounds, as Prometheus wants them. */
  read<Label extends string>(name: string, labels: LabelValues<Label>) {
    let count = 0;
    const buckets = this.#counts.map((inBucket, index) => {
      count += inBucket;
      const bound = { le: this.#bounds[index] ?? '+Inf' };
      return { metricName: `${name}_bucket`, labels: { ...bound, ...labels }, value: count };
    });
    if (count === 0) return [];
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
