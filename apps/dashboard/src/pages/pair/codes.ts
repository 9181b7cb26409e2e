import { signal } from '@preact/signals';
import { noTerms } from '../../parts/browser-terms.tsx';
import type { BrowserTerms } from '../../parts/browser-terms.tsx';
import { api, readAll } from '../../request.ts';

/** A browser that shall pair soon: one of this world, or of any. */
export interface AwaitedBrowser {
  clientId: string | undefined;
  /** Browsers that were paired when the page opened. Any other one is new. */
  pairedBefore: ReadonlySet<string>;
}

export interface LiveCode extends AwaitedBrowser {
  code: string;
  expiresAt: number;
}

/** To be called before the new browser may pair. */
export async function readPaired(): Promise<ReadonlySet<string>> {
  return new Set((await readAll(api.listConnectionTokens)).map(({ id }) => id));
}

/** Codes outlive the page that shows them: who leaves and comes back finds the same one. */
const live = signal<readonly LiveCode[]>([]);

/** The code shown for a world, or for a new one; undefined when there is none that still works. */
export const codeFor = (clientId: string | undefined): LiveCode | undefined =>
  live.value.find((code) => code.clientId === clientId && code.expiresAt > Date.now());

/** Makes a code, in place of the one that was shown. */
export async function makeCode(clientId: string | undefined, terms: BrowserTerms = noTerms): Promise<void> {
  // Read for this code alone: a shared reading may be overtaken, and an old browser would pass for the new one.
  const pairedBefore = await readPaired();
  const made = await api.createPairingCode({ clientId, ...terms });
  const code = { code: made.code, expiresAt: Date.now() + made.expiresIn * 1000, clientId, pairedBefore };
  live.value = [...live.peek().filter((other) => other.clientId !== clientId), code];
}

/** To be called when somebody signed out: who types their code pairs a world into their account. */
export function forgetCodes(): void {
  live.value = [];
}

export function dropCode(code: LiveCode): void {
  live.value = live.peek().filter((other) => other !== code);
}
