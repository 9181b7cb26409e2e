import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { keepOnPage } from '../leave-guard.ts';
import { Copy } from './copy.tsx';
import { focusTitle } from './page.tsx';

interface SecretOnceProps {
  /** Name of the secret, for example "Master key". */
  what: string;
  value: string;
  children?: ComponentChildren;
  onStored: () => void;
  /** For who leaves without storing it, where leaving the address is not enough. */
  onLeave?: () => void;
}

/** A secret that is shown this once; it leaves when the person says that it is stored. */
export function SecretOnce({ what, value, children, onStored, onLeave }: SecretOnceProps) {
  useKeepOnPage(`the ${what.toLowerCase().replace('api', 'API')}`, onLeave);
  // What was pressed is gone with its form.
  useLayoutEffect(focusTitle, []);
  return (
    <section class="secret" aria-label={what}>
      <p class="notice warn">
        <strong>This is the only time you see it.</strong> Keep it in your password store; the relay has only
        its hash.
      </p>
      <div class="secret-value">
        <code>{value}</code>
        <Copy text={value} what={what.toLowerCase()} />
      </div>
      {children}
      <button type="button" class="primary" onClick={onStored}>
        I have stored it
      </button>
    </section>
  );
}

/** Has the person asked before the page goes with what it shows. */
export function useKeepOnPage(what: string, letGo: () => void = () => {}): void {
  useEffect(() => keepOnPage({ what, letGo }), []);
}
