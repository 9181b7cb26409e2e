const width = 96;
const height = 24;

/** A row of figures as a small line; `words` say the same to who cannot see it. */
export function Spark({ values, words }: { values: readonly number[]; words: string }) {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) =>
      `${(index * step).toFixed(1)},${(height - 1 - (value / most) * (height - 2)).toFixed(1)}`,
  );
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={words}
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
