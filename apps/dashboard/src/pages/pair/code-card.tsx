import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Copy } from '../../parts/copy.tsx';
import { countdown } from '../../words/relative-time.ts';
import type { LiveCode } from './codes.ts';

interface CodeCardProps {
  code: LiveCode | undefined;
  isBusy: boolean;
  make: () => Promise<boolean>;
}

/** The six characters, to be read across a table, and how long they live. A code is made when it is asked for. */
export function CodeCard({ code, isBusy, make }: CodeCardProps) {
  const left = useTimeLeft(code?.expiresAt);
  if (!code || left <= 0) {
    return (
      <section class="code-card" aria-label="Pairing code" aria-busy={isBusy}>
        <p class="code-value muted" aria-hidden="true">
          ··· ···
        </p>
        <p>{code ? 'This code has expired.' : 'A code has six characters and works for ten minutes.'}</p>
        <button type="button" class="primary" disabled={isBusy} onClick={() => void make()}>
          {code ? 'Make a new code' : 'Make a code'}
        </button>
      </section>
    );
  }
  const spelled = code.code.split('').join(' ');
  return (
    <section class="code-card" aria-label="Pairing code">
      <p class="code-value">
        <span class="visually-hidden">{spelled}</span>
        <span aria-hidden="true">{code.code.slice(0, 3)}</span>{' '}
        <span aria-hidden="true">{code.code.slice(3)}</span>
      </p>
      <p>
        Works once, within <span class="number">{countdown(left)}</span>
      </p>
      <div class="buttons">
        <Copy text={code.code} what="code" label="Copy code" />
        <button type="button" disabled={isBusy} onClick={() => void make()}>
          Make a new code
        </button>
      </div>
    </section>
  );
}

/** Milliseconds until then, by the second. */
function useTimeLeft(until: number | undefined): number {
  const left = useSignal(0);
  useEffect(() => {
    const tick = () => (left.value = until === undefined ? 0 : until - Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined ? 0 : left.value || until - Date.now();
}
