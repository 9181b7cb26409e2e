import { place } from '../router.ts';
import type { Entry } from './document.ts';
import { sections } from './loaded.ts';

/** Every call by its subject. */
export function Contents() {
  return (
    <nav class="contents" aria-label="Calls">
      {sections.value.map(({ name, groups }) => (
        <div key={name}>
          <h2>{name}</h2>
          {groups.map(({ tag, title, entries }) => (
            <details key={tag} open={entries.some(isHere)}>
              <summary>{title}</summary>
              <ul>{entries.map(line)}</ul>
            </details>
          ))}
        </div>
      ))}
    </nav>
  );
}

function line(entry: Entry) {
  return (
    <li key={entry.operationId}>
      <a href={`/docs/${entry.operationId}`} aria-current={isHere(entry) ? 'page' : undefined}>
        {entry.summary}
      </a>
    </li>
  );
}

const isHere = ({ operationId }: Entry): boolean => place.value.path === `/docs/${operationId}`;
