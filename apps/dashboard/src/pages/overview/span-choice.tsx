import type { InputOf, callEndpoints } from '@tabletop-relay/contract';

/** Times of which figures are shown: in the address bar, on their buttons, as the relay is asked for them, and in a sentence. */
export const spans = {
  hour: { button: 'Last hour', asked: { by: 'minute' }, words: 'in the last hour', bar: 'minute' },
  day: { button: '24 hours', asked: { days: 1 }, words: 'in the last 24 hours', bar: 'hour' },
  week: { button: '7 days', asked: { days: 7 }, words: 'in the last 7 days', bar: 'hour' },
} as const satisfies Record<
  string,
  {
    button: string;
    asked: InputOf<(typeof callEndpoints)['getOverview']>['query'];
    words: string;
    bar: string;
  }
>;

export type Span = keyof typeof spans;

export const spanOf = (text: string | null): Span =>
  text !== null && Object.hasOwn(spans, text) ? (text as Span) : 'hour';

export function SpanChoice({ span, choose }: { span: Span; choose: (span: Span) => void }) {
  return (
    <div class="segments" role="group" aria-label="Time">
      {Object.entries(spans).map(([name, { button }]) => (
        <button type="button" key={name} aria-pressed={name === span} onClick={() => choose(name as Span)}>
          {button}
        </button>
      ))}
    </div>
  );
}
