import type { Attention } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';
import { State } from '../../parts/state.tsx';
import { attention } from '../../store.ts';

const keyPage = ({ subjectId }: Attention) => `/dashboard/keys/${subjectId}`;

/** How bad it is in a word, and the page where it is mended. */
const kinds: Record<
  Attention['kind'],
  { tone: 'warn' | 'bad'; word: string; mend: string; href: (item: Attention) => string }
> = {
  rotation: { tone: 'bad', word: 'Blocked', mend: 'Regenerate it', href: () => '/dashboard/account#rotate' },
  keyLimit: { tone: 'bad', word: 'Limit', mend: 'See the key', href: keyPage },
  expiredKey: { tone: 'warn', word: 'Expired', mend: 'See the key', href: keyPage },
  webhook: {
    tone: 'warn',
    word: 'Webhook',
    mend: 'See notifications',
    href: () => '/dashboard/notifications',
  },
  browser: {
    tone: 'warn',
    word: 'Waits',
    mend: 'See the world',
    href: ({ subjectId }) => `/dashboard/worlds/${subjectId}`,
  },
};

/** Current troubles. Each goes away once it is mended; nothing is shown where all is well. */
export function NeedsAttention() {
  const items = attention.data.value ?? [];
  if (items.length === 0) return null;
  return (
    <section>
      <h2>Needs attention</h2>
      <ul class="rows">
        {items.map((item) => {
          const { tone, word, mend, href } = kinds[item.kind];
          return (
            <li class="row" key={`${item.kind} ${item.subjectId}`}>
              <State tone={tone} word={word} />
              <span class="grow">
                {item.sentence}
                {item.since && (
                  <span class="muted">
                    {' '}
                    <Ago at={item.since} />
                  </span>
                )}
              </span>
              <a href={href(item)} aria-label={`${mend}: ${item.sentence}`}>
                {mend}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
