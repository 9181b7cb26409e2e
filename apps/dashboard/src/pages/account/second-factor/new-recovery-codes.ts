import { signal } from '@preact/signals';

/** Recovery codes that were just made; they stay on the screen until the person has stored them. */
export const newRecoveryCodes = signal<readonly string[] | undefined>(undefined);
