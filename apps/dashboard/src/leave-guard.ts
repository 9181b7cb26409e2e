import { signal } from '@preact/signals';

/** Something on the page that is lost by leaving it. */
interface Kept {
  /** In words that complete “without storing”. */
  what: string;
  /** To be called when the person leaves all the same. */
  letGo: () => void;
}

const kept = signal<readonly Kept[]>([]);

/** Where the person wants to go, while the page asks whether to lose what it shows. */
export const leaving = signal<{ what: string; go: () => void } | undefined>(undefined);

export const isKept = (): boolean => kept.peek().length > 0;

/** Goes, or asks first where something would be lost. */
export function askToLeave(go: () => void): void {
  const [first] = kept.peek();
  if (!first) return go();
  const letGo = () => {
    const all = kept.peek();
    kept.value = [];
    for (const one of all) one.letGo();
    go();
  };
  leaving.value = { what: first.what, go: letGo };
}

/** Has leaving asked about, by the browser too where the tab is closed. Returns what ends it. */
export function keepOnPage(one: Kept): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  kept.value = [...kept.peek(), one];
  addEventListener('beforeunload', ask);
  return () => {
    removeEventListener('beforeunload', ask);
    kept.value = kept.peek().filter((other) => other !== one);
  };
}
