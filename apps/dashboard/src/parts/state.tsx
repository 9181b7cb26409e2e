import { isAway } from '../store.ts';

/** Online, offline or not known: a colour, a shape and a word. While the relay does not answer, nothing is known. */
export function OnlineState({ isOnline }: { isOnline: boolean | null }) {
  if (isOnline === null || isAway.value) return <State tone="warn" word="Not known" />;
  return isOnline ? <State tone="good" word="Online" /> : <State tone="off" word="Offline" />;
}

export function State({ tone, word }: { tone: 'good' | 'warn' | 'bad' | 'off'; word: string }) {
  return (
    <span class={`state ${tone}`}>
      <span class="dot" aria-hidden="true" />
      {word}
    </span>
  );
}
