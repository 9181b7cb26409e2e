const spans = [
  [1, '24 hours'],
  [7, '7 days'],
] as const;

/** Of how many days figures are shown. */
export function SpanChoice({ days, choose }: { days: number; choose: (days: number) => void }) {
  return (
    <div class="segments" role="group" aria-label="Time">
      {spans.map(([value, words]) => (
        <button type="button" key={value} aria-pressed={value === days} onClick={() => choose(value)}>
          {words}
        </button>
      ))}
    </div>
  );
}
