import { errors } from '@tabletop-relay/contract';
import type { Operation, Problem } from '@tabletop-relay/contract';
import { Copy } from '../../parts/copy.tsx';
import { State } from '../../parts/state.tsx';
import { AnswerTimes } from './answer-times.tsx';
import { jsonTokens } from './json-tokens.ts';
import { pictureIn, withoutBytes } from './picture-in.ts';

/** The answer, and how long the way to the world and back took. */
export interface CallAnswer {
  status: number;
  operation: Pick<Operation, 'kind' | 'resultBytes'>;
  requestId: string;
  tookMs: number;
  bytes: number;
  body: unknown;
}

/** Above this, colour would cost more than it helps. */
const maxColoured = 60_000;

export function Answer({ answer }: { answer: CallAnswer }) {
  const { status, operation, bytes, body } = answer;
  const whole = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const picture = pictureIn(body, operation.resultBytes);
  const text = operation.resultBytes ? withoutBytes(whole) : whole;
  const isGood = status >= 200 && status < 300;
  return (
    <section aria-label="Answer" class="answer">
      <div class="section-head">
        <p>
          <State tone={isGood ? 'good' : 'bad'} word={isGood ? `${status} answered` : `${status} refused`} />{' '}
          <span class="muted number">
            <AnswerTimes requestId={answer.requestId} tookMs={answer.tookMs} key={answer.requestId} />,{' '}
            {bytes.toLocaleString('en')} bytes
          </span>
        </p>
        <Copy text={whole} what="answer" />
      </div>
      {!isGood && <Advice answer={answer} />}
      {picture && <img class="answer-picture" src={picture} alt="What the world drew" />}
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
function Advice({ answer: { status, operation, body } }: { answer: CallAnswer }) {
  const { code, detail, outcome } = (body ?? {}) as Partial<Problem>;
  if (!code || !Object.hasOwn(errors, code)) {
    if (operation.kind !== 'command' || status < 500) return null;
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
