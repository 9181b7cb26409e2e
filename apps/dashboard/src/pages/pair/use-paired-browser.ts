import { useComputed, useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { ConnectionToken } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { announce } from '../../parts/announcer.tsx';
import { browsers, worlds } from '../../store.ts';
import type { AwaitedBrowser } from './codes.ts';

const pollMs = 1_500;

/** The browser that is awaited, once it has paired; it goes on to follow whether it connects. */
export function usePairedBrowser<A extends AwaitedBrowser>(
  awaited: ReadonlySignal<A | undefined>,
  onPaired: (awaited: A) => void = () => {},
): ReadonlySignal<ConnectionToken | undefined> {
  const pairedId = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const look = async () => {
      const wanted = awaited.peek();
      if (!wanted && pairedId.peek() === undefined) return;
      await browsers.reload();
      const came = wanted && browsers.data.peek()?.find((browser) => isNew(browser, wanted));
      if (!came || pairedId.peek() !== undefined) return;
      pairedId.value = came.id;
      onPaired(wanted);
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

const isNew = (browser: ConnectionToken, { pairedBefore, clientId }: AwaitedBrowser): boolean =>
  !pairedBefore.has(browser.id) && (clientId === undefined || browser.clientId === clientId);
