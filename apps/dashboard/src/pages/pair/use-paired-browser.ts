import { useComputed, useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { ConnectionToken } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { announce } from '../../parts/announcer.tsx';
import { browsers, worlds } from '../../store.ts';
import { dropCode } from './codes.ts';
import type { LiveCode } from './codes.ts';

const pollMs = 1_500;

/** The browser that paired by the code that is shown, once it has; it goes on to follow whether it connects. */
export function usePairedBrowser(
  code: ReadonlySignal<LiveCode | undefined>,
): ReadonlySignal<ConnectionToken | undefined> {
  const pairedId = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const look = async () => {
      await browsers.reload();
      const shown = code.peek();
      const came = shown && browsers.data.peek()?.find((browser) => isNew(browser, shown));
      if (!came || pairedId.peek() !== undefined) return;
      pairedId.value = came.id;
      dropCode(shown);
      announce('Paired. Waiting for the world to connect.');
      await worlds.reload();
    };
    const timer = setInterval(() => document.visibilityState === 'visible' && void look(), pollMs);
    return () => clearInterval(timer);
  }, []);
  const browser = useComputed(() => browsers.data.value?.find(({ id }) => id === pairedId.value));
  const isConnected = browser.value?.isConnected === true;
  useEffect(() => {
    if (!isConnected) return;
    announce('Connected.');
    void worlds.reload();
  }, [isConnected]);
  return browser;
}

const isNew = (browser: ConnectionToken, code: LiveCode): boolean =>
  !code.pairedBefore.has(browser.id) && (code.clientId === undefined || browser.clientId === code.clientId);
