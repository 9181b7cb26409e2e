import { signal } from '@preact/signals';
import { Snippet } from '../../../parts/copy.tsx';
import { asCurl, asPython, asTypeScript } from './code.ts';
import type { CodeCall } from './code.ts';

const languages = { curl: asCurl, TypeScript: asTypeScript, Python: asPython };
type Language = keyof typeof languages;

const language = signal<Language>('curl');

interface SameCallProps {
  title: string;
  call: CodeCall;
  /** The key itself, or the placeholder for it. */
  apiKey: string;
}

/** A call as code, in the language that the person chose last on this page. */
export function SameCall({ title, call, apiKey }: SameCallProps) {
  const text = languages[language.value](call, { origin: location.origin, apiKey });
  return (
    <section aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        <div class="segments" role="group" aria-label="Language">
          {(Object.keys(languages) as Language[]).map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={language.value === name}
              onClick={() => (language.value = name)}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      <Snippet text={text} what={`${language.value} code`} />
    </section>
  );
}
