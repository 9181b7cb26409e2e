import { useSignal } from '@preact/signals';
import { Snippet } from '../../../parts/copy.tsx';
import type { ApiCall } from './api-call.ts';
import { asCurl, asPython, asTypeScript } from './code.ts';

const languages = { curl: asCurl, TypeScript: asTypeScript, Python: asPython };
type Language = keyof typeof languages;

/** The call of the form as code; it follows each key that is pressed. */
export function SameCall({ call, apiKey }: { call: ApiCall; apiKey: string }) {
  const language = useSignal<Language>('curl');
  const text = languages[language.value](call, { origin: location.origin, apiKey: apiKey || 'YOUR_KEY' });
  return (
    <section aria-label="The same call as code">
      <div class="section-head">
        <h2>The same call</h2>
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
