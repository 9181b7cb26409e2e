import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { KeyLink } from '../../parts/key-link.tsx';
import { State } from '../../parts/state.tsx';
import { findWorld, nameOf, now } from '../../store.ts';
import { dayTime, exactClock, exactTime } from '../../words/relative-time.ts';
import type { Entry } from './entries.tsx';

/** An entry that opens; `children` are buttons beside it. */
export function EntryRow({ entry, children }: { entry: Entry; children?: ComponentChildren }) {
  const isOpen = useSignal(false);
  return (
    <li class={children ? 'entry with-button' : 'entry'}>
      <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>
          <State tone={entry.tone} word={entry.word} />
          <span class="grow">
            {entry.sentence}
            {entry.aside && <span class="muted number aside">{entry.aside()}</span>}
          </span>
          <span class="muted when">
            <time dateTime={entry.at} title={exactTime(Date.parse(entry.at))}>
              {isToday(entry.at, now.value) ? exactClock(entry.at) : dayTime(entry.at)}
            </time>
          </span>
        </summary>
        {isOpen.value && (entry.open?.() ?? <Facts entry={entry} />)}
      </details>
      <About entry={entry} />
      {children}
    </li>
  );
}

const About = ({ entry }: { entry: Entry }) => {
  const about = entry.about?.();
  return about ? <p class="about">{about}</p> : null;
};

const isToday = (at: string, time: number): boolean =>
  new Date(at).toDateString() === new Date(time).toDateString();

function Facts({ entry }: { entry: Entry }) {
  const world = entry.clientId ? findWorld(entry.clientId) : undefined;
  return (
    <dl>
      {world && (
        <>
          <dt>World</dt>
          <dd>
            <a href={`/dashboard/worlds/${world.clientId}`}>{nameOf(world)}</a>
          </dd>
        </>
      )}
      {entry.keyId && (
        <>
          <dt>Key</dt>
          <dd>
            <KeyLink id={entry.keyId} name="One that is gone" />
          </dd>
        </>
      )}
      {entry.facts.map(([name, value]) => (
        <div class="fact" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
