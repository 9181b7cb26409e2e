import { Ago } from '../../parts/ago.tsx';
import { State } from '../../parts/state.tsx';
import { findWorld, nameOf } from '../../store.ts';
import type { Entry } from './entries.ts';

export function EntryRow({ entry }: { entry: Entry }) {
  const world = entry.clientId ? findWorld(entry.clientId) : undefined;
  return (
    <li class="entry">
      <details>
        <summary>
          <State tone={entry.tone} word={entry.word} />
          <span class="grow">{entry.sentence}</span>
          <span class="muted when">
            <Ago at={entry.at} />
          </span>
        </summary>
        <dl>
          {world && (
            <>
              <dt>World</dt>
              <dd>
                <a href={`/dashboard/worlds/${world.clientId}`}>{nameOf(world)}</a>
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
      </details>
    </li>
  );
}
