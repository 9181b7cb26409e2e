import { signal } from '@preact/signals';

const said = signal('');

/** Tells people who don't see the page what changed on it, when they have a moment. */
export function announce(text: string): void {
  said.value = text;
}

export function Announcer() {
  return (
    <p class="visually-hidden" role="status">
      {said}
    </p>
  );
}
