import type { ComponentChildren } from 'preact';
import { Copy } from './copy.tsx';

interface SecretOnceProps {
  /** What it is, for example "Master key". */
  what: string;
  value: string;
  children?: ComponentChildren;
  onStored: () => void;
}

/** A secret that is shown this once; it leaves when the person says that it is stored. */
export function SecretOnce({ what, value, children, onStored }: SecretOnceProps) {
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
