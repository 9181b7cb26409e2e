import { signal } from '@preact/signals';
import { Snippet } from '../../../parts/copy.tsx';
import { asCurl, asPython, asShell, asTypeScript } from './code.ts';
import type { CodeCall } from './code.ts';

const languages = { curl: asCurl, TypeScript: asTypeScript, Python: asPython, Shell: asShell };
export type Language = keyof typeof languages;

const storedAs = 'language';

function storedLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(storedAs) ?? '';
    return Object.hasOwn(languages, stored) ? (stored as Language) : undefined;
  } catch {
    return undefined;
  }
}

/** The language that the person chose last, on any page; undefined: none yet. */
const language = signal<Language | undefined>(storedLanguage());

function choose(name: Language): void {
  language.value = name;
  try {
    localStorage.setItem(storedAs, name);
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
}

interface SameCallProps {
  title: string;
  call: CodeCall;
  /** The key itself, or the placeholder for it. */
  apiKey: string;
  /** The language to begin with, for who has chosen none. */
  first?: Language;
}

/** A call as code, in the language that the person chose last. */
export function SameCall({ title, call, apiKey, first = 'curl' }: SameCallProps) {
  const wished = language.value ?? first;
  const shown = wished === 'Shell' && !call.command ? 'curl' : wished;
  const text = languages[shown](call, { origin: location.origin, apiKey });
  return (
    <section aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        <div class="segments" role="group" aria-label="Language">
          {(Object.keys(languages) as Language[])
            .filter((name) => name !== 'Shell' || call.command)
            .map((name) => (
              <button type="button" key={name} aria-pressed={shown === name} onClick={() => choose(name)}>
                {name}
              </button>
            ))}
        </div>
      </div>
      {shown === 'Shell' && (
        <p class="hint">
          With{' '}
          <a href="/guides/from-a-shell" target="_blank">
            tabletop
          </a>
          , the command line of this relay.
        </p>
      )}
      <Snippet text={text} what={`${shown} code`} />
    </section>
  );
}
