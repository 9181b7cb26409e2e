import { signal } from '@preact/signals';

const said = signal('');

/** Live region: announces changes of the page to screen readers, politely. */
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
