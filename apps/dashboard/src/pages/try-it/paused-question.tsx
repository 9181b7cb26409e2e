import { ConfirmButton } from '../../parts/confirm.tsx';
import type { CallAnswer } from './answer.tsx';

/** Whether a call was refused because its world is paused; a paused key is another matter. */
export function isPausedWorld({ status, body }: CallAnswer): boolean {
  const { code, pause } = (body ?? {}) as { code?: unknown; pause?: { of?: unknown } };
  return status === 403 && code === 'paused' && pause?.of === 'world';
}

/** Asks before a call goes through to a paused world. */
export function PausedQuestion({ name, send }: { name: string; send: () => Promise<void> }) {
  return (
    <div class="notice warn held">
      <p>
        <strong>{name} is paused.</strong> Programs are refused. You can still make this one call.
      </p>
      <ConfirmButton label="Send all the same" title={`Call ${name} while it is paused?`} action={send}>
        <p>
          Only this call goes through, because you make it. Programs stay refused until the pause is lifted.
        </p>
      </ConfirmButton>
    </div>
  );
}
