import type { ReadonlySignal } from '@preact/signals';
import { effect, signal } from '@preact/signals';
import type { ChatMessage, WorldState } from '../world/state.ts';

/** The roll that was just made, for as long as it deserves attention; null otherwise. */
export interface FreshRolls {
  latest: ReadonlySignal<ChatMessage | null>;
  /** Whether a message came while the page was open, and not with the first state. */
  isFresh(message: ChatMessage): boolean;
  end: () => void;
}

const attentionMs = 4_000;

/** Watches the chat for rolls; those that were there at the first look are old. */
export function watchFreshRolls(state: ReadonlySignal<WorldState>): FreshRolls {
  const old = new Set(state.peek().chat.map((message) => message.id));
  const latest = signal<ChatMessage | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seen = state.peek().chat.at(-1)?.id;

  const end = effect(() => {
    const newest = state.value.chat.at(-1);
    if (!newest || newest.id === seen) return;
    seen = newest.id;
    const roll = state.value.chat.findLast((message) => message.roll && !old.has(message.id));
    if (!roll || roll === latest.peek()) return;
    latest.value = roll;
    clearTimeout(timer);
    timer = setTimeout(() => (latest.value = null), attentionMs);
  });

  return {
    latest,
    isFresh: (message) => !old.has(message.id),
    end() {
      clearTimeout(timer);
      end();
    },
  };
}
