import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { place } from '../router.ts';
import type { Entry } from './document.ts';
import { guideParts, readGuideParts, sections } from './loaded.ts';
import { searchEntries, searchGuides } from './search.ts';

/** Every call by its subject, and a field that narrows the list. */
export function Contents() {
  const query = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => focusOnSlash(input.current), []);
  const found = searchEntries(sections.value, query.value);
  const guides = searchGuides(guideParts.value, query.value);
  return (
    <nav class="contents" aria-label="Calls">
      <label class="visually-hidden" for="search">
        Search calls and guides
      </label>
      <input
        id="search"
        ref={input}
        type="search"
        placeholder="Search calls and guides"
        autoComplete="off"
        value={query.value}
        onFocus={() => void readGuideParts()}
        onInput={(event) => (query.value = event.currentTarget.value)}
      />
      <p class="visually-hidden" role="status">
        {query.value &&
          countText(found.flatMap(({ groups }) => groups.flatMap(({ entries }) => entries)).length)}
      </p>
      {found.map(({ name, groups }) => (
        <div key={name}>
          <h2>{name}</h2>
          {groups.map(({ tag, title, entries }) => (
            <details key={tag} open={query.value !== '' || entries.some(isHere)}>
              <summary>{title}</summary>
              <ul>{entries.map(line)}</ul>
            </details>
          ))}
        </div>
      ))}
      {/* Calls first: who searches here writes a program. */}
      {guides.length > 0 && (
        <>
          <h2>Guides</h2>
          <ul>
            {guides.map(({ title, href }) => (
              <li key={href}>
                <a href={href}>{title}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      {query.value && found.length === 0 && guides.length === 0 && (
        <p class="nothing">
          Nothing has these words. The <a href="/guides">guides</a> have more.
        </p>
      )}
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

const countText = (count: number): string => (count === 1 ? 'One call found.' : `${count} calls found.`);

/** The key that reference pages search with, wherever no text is being written. */
function focusOnSlash(input: HTMLInputElement | null): () => void {
  const listen = (event: KeyboardEvent) => {
    const isWriting = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input?.focus();
  };
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
}
