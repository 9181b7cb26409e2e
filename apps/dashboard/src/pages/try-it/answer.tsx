import { errors } from '@tabletop-relay/contract';
import type { Problem } from '@tabletop-relay/contract';
import { Copy } from '../../parts/copy.tsx';
import { State } from '../../parts/state.tsx';
import { jsonTokens } from './json-tokens.ts';

/** The answer, and how long the way to the world and back took. */
export interface CallAnswer {
  status: number;
  /** Whether the call changes the world. */
  isCommand: boolean;
  tookMs: number;
  bytes: number;
  body: unknown;
}

/** Above this, colour would cost more than it helps. */
const maxColoured = 60_000;

export function Answer({ answer }: { answer: CallAnswer }) {
  const { status, tookMs, bytes, body } = answer;
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const isGood = status >= 200 && status < 300;
  return (
    <section aria-label="Answer" class="answer">
      <div class="section-head">
        <p>
          <State tone={isGood ? 'good' : 'bad'} word={isGood ? `${status} answered` : `${status} refused`} />{' '}
          <span class="muted number">
            {Math.round(tookMs)} ms there and back, {bytes.toLocaleString('en')} bytes
          </span>
        </p>
        <Copy text={text} what="answer" />
      </div>
      {!isGood && <Advice answer={answer} />}
      <pre tabIndex={0} class="json">
        <code>
          {text.length > maxColoured
            ? text
            : jsonTokens(text).map(({ kind, text: piece }) =>
                kind === 'other' ? piece : <span class={`json-${kind}`}>{piece}</span>,
              )}
        </code>
      </pre>
    </section>
  );
}

const outcomeNotKnown = ' Whether the world carried it out is not known: look before you repeat it.';

/** Meaning and cure of a refusal, from the catalogue of errors. */
function Advice({ answer: { status, isCommand, body } }: { answer: CallAnswer }) {
  const { code, detail, outcome } = (body ?? {}) as Partial<Problem>;
  if (!code || !Object.hasOwn(errors, code)) {
    if (!isCommand || status < 500) return null;
    return (
      <p class="notice bad">
        <strong>This answer is not the relay’s.</strong>
        {outcomeNotKnown}
      </p>
    );
  }
  const known = errors[code];
  return (
    <p class="notice bad">
      <strong>{known.title}.</strong> {detail}
      {outcome === 'not_sent' && ' Nothing reached the world.'}
      {outcome === 'unknown' && outcomeNotKnown}{' '}
      <a href={`/errors/${code}`} target="_blank">
        What it means
      </a>
    </p>
  );
}
