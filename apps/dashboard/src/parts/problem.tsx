import type { RelayError } from '@tabletop-relay/sdk';
import { Fragment } from 'preact';
import { worldLabel, worlds } from '../store.ts';
import { faultInWords } from '../words/field-faults.ts';
import { duration } from '../words/relative-time.ts';

interface ProblemProps {
  problem: RelayError | undefined;
  /** The fields at which the page shows what is wrong with them: it is not said twice. */
  saidAt?: ReadonlySet<string> | undefined;
  /** Doing it twice is the same as once, as with a sign-in. */
  mayRepeat?: boolean;
}

/** Says what went wrong and what to do. It takes no room while there is nothing to say. */
export function ProblemNotice({ problem, saidAt, mayRepeat = false }: ProblemProps) {
  const [title, sentence] = problem ? wordsOf(problem, { saidAt, mayRepeat }) : [];
  return (
    <div role="alert">
      {(title || sentence) && (
        <p class="notice bad">
          {title && <strong>{title}.</strong>} <WithWorlds text={sentence ?? ''} />
        </p>
      )}
    </div>
  );
}

/** What the relay says, with worlds by name and not by id, and a way to them. */
function WithWorlds({ text }: { text: string }) {
  const named = (worlds.data.value ?? []).filter(({ clientId }) => text.includes(clientId));
  const inWords = named.reduce(
    (said, world) =>
      said
        .replaceAll(`The world ${world.clientId}`, `“${worldLabel(world)}”`)
        .replaceAll(world.clientId, `“${worldLabel(world)}”`),
    text,
  );
  return (
    <>
      {inWords}
      {named.map((world) => (
        <Fragment key={world.clientId}>
          {' '}
          <a href={`/dashboard/worlds/${world.clientId}`}>See {worldLabel(world)}</a>
        </Fragment>
      ))}
    </>
  );
}

type Words = [title: string | undefined, sentence: string];

function wordsOf(error: RelayError, { saidAt, mayRepeat }: Omit<ProblemProps, 'problem'>): Words {
  const { problem, retryAfterMs = 0, detail, code, traceId } = error;
  if (!problem)
    return [
      'The relay does not answer',
      mayBeDone(error) && !mayRepeat ? lookFirst : 'Check your connection and try again.',
    ];
  const faults = problem.errors ?? [];
  if (faults.length > 0)
    return [
      undefined,
      faults
        .filter(({ field }) => !saidAt?.has(field))
        .map(faultInWords)
        .join(' '),
    ];
  const wait = retryAfterMs > 1_000 ? ` Try again in ${duration(retryAfterMs / 1_000)}.` : '';
  const report = code === 'internal' ? ` Report it with the number ${traceId}.` : '';
  if (saysAll.has(code)) return [undefined, `${detail}${wait}`];
  // Where the detail says no more than the title, it is left out.
  return isSame(problem.title, detail)
    ? [problem.title, `${wait}${report}`]
    : [problem.title, `${detail}${wait}${report}`];
}

/** Their details are whole, and more to the point than their titles. */
const saysAll: ReadonlySet<string> = new Set(['credentials_invalid', 'conflict']);

const lookFirst = 'Check your connection. It may have been carried out: look before you repeat it.';

/** Whether what got no answer of the relay's may have changed something. What only reads may be repeated. */
const mayBeDone = ({ outcome, retryable, status }: RelayError) =>
  outcome === 'unknown' && !retryable && (status === 0 || status >= 500);

const bare = (text: string) => text.toLowerCase().replaceAll(/\b(the|is|was)\b|[^\p{L}]/gu, '');

const isSame = (title: string, detail: string) =>
  bare(detail).startsWith(bare(title)) && detail.length < title.length + 16;

/** Fault of one field, shown beside it. */
export function messageAt(problem: RelayError | undefined, field: string): string | undefined {
  const fault = problem?.problem?.errors?.find((error) => error.field === field);
  return fault && faultInWords(fault);
}
