import type { Overview } from '@tabletop-relay/contract';
import { KeyLink } from '../../parts/key-link.tsx';
import { State } from '../../parts/state.tsx';
import { findKey, now } from '../../store.ts';
import { callCount } from '../../words/counts.ts';
import { PauseKey } from '../keys/pause-key.tsx';
import { spans } from './span-choice.tsx';
import type { Span } from './span-choice.tsx';

const shownCallers = 3;

/** A key that was used so lately is calling now, as a person would say. */
const nowMs = 60_000;

/** Which programs called a world in this time, those with most calls first, each with what stops it. */
export function Callers({ overview, clientId, span }: { overview: Overview; clientId: string; span: Span }) {
  const callers = overview.callers.filter((caller) => caller.clientId === clientId);
  if (callers.length === 0) return <p class="muted">No program called it {spans[span].words}.</p>;
  const more = callers.length - shownCallers;
  return (
    <ul class="callers">
      {callers.slice(0, shownCallers).map(({ keyId, calls }) => (
        <Caller key={keyId} keyId={keyId} words={`${callCount(calls)} ${spans[span].words}`} />
      ))}
      {more > 0 && (
        <li class="muted">
          and {more} more <a href={`/dashboard/activity?show=calls&world=${clientId}`}>See their calls</a>
        </li>
      )}
    </ul>
  );
}

function Caller({ keyId, words }: { keyId: string; words: string }) {
  const key = findKey(keyId);
  const isNow = key?.lastUsedAt != null && now.value - Date.parse(key.lastUsedAt) < nowMs;
  return (
    <li>
      <span class="grow">
        <KeyLink id={keyId} name="A key that is gone" /> <span class="muted number">{words}</span>
      </span>
      {key?.pause ? <State tone="warn" word="Paused" /> : isNow && <State tone="good" word="Calling now" />}
      {key && <PauseKey apiKey={key} />}
    </li>
  );
}
