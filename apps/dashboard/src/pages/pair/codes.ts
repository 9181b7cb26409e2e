import { signal } from '@preact/signals';
import { noTerms } from '../../parts/browser-terms.tsx';
import type { BrowserTerms } from '../../parts/browser-terms.tsx';
import { api, readAll } from '../../request.ts';

export interface LiveCode {
  code: string;
  expiresAt: number;
  clientId: string | undefined;
  /** The browsers that were paired before: one that is not among them came by a code. */
  pairedBefore: ReadonlySet<string>;
}

/** Codes outlive the page that shows them: who leaves and comes back finds the same one. */
const live = signal<readonly LiveCode[]>([]);

/** The code shown for a world, or for a new one; undefined when there is none that still works. */
export const codeFor = (clientId: string | undefined): LiveCode | undefined =>
  live.value.find((code) => code.clientId === clientId && code.expiresAt > Date.now());

/** Makes a code, in place of the one that was shown. */
export async function makeCode(clientId: string | undefined, terms: BrowserTerms = noTerms): Promise<void> {
  // Read for this code alone: a shared reading may be overtaken, and an old browser would pass for the new one.
  const pairedBefore = new Set((await readAll(api.listConnectionTokens)).map(({ id }) => id));
  const made = await api.createPairingCode({ clientId, ...terms });
  const code = { code: made.code, expiresAt: Date.now() + made.expiresIn * 1000, clientId, pairedBefore };
  live.value = [...live.peek().filter((other) => other.clientId !== clientId), code];
}

export function dropCode(code: LiveCode): void {
  live.value = live.peek().filter((other) => other !== code);
}
