import { useSignal } from '@preact/signals';
import { announce } from './announcer.tsx';

/** Puts text on the clipboard, on plain http as well; false where the browser refuses. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The clipboard's interface is there on https and loopback only. */
function copyBySelection(text: string): boolean {
  const holder = document.createElement('textarea');
  holder.value = text;
  holder.readOnly = true;
  holder.className = 'visually-hidden';
  const focused = document.activeElement;
  // Within a modal dialog nothing outside it can be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(holder);
  holder.select();
  const isCopied = document.execCommand('copy');
  holder.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

/** A button that copies and says so. `what` names the thing for those who hear the page. */
export function Copy({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) {
  const state = useSignal<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    state.value = (await copyText(text)) ? 'copied' : 'failed';
    announce(state.value === 'copied' ? `${what} copied.` : 'The browser did not allow copying.');
    setTimeout(() => (state.value = 'idle'), 2_000);
  };
  const words = { idle: label, copied: 'Copied', failed: 'Not allowed' };
  return (
    <button
      type="button"
      class="copy"
      aria-label={label === 'Copy' ? `Copy ${what}` : label}
      onClick={() => void copy()}
    >
      {words[state.value]}
    </button>
  );
}

/** An id or key in mono, with its copy button. */
export function Id({ value, what }: { value: string; what: string }) {
  return (
    <span class="id">
      <code>{value}</code>
      <Copy text={value} what={what} />
    </span>
  );
}

/** Lines to paste, with their copy button. */
export function Snippet({ text, what }: { text: string; what: string }) {
  return (
    <div class="snippet">
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <Copy text={text} what={what} />
    </div>
  );
}
