import { signal } from '@preact/signals';
import type { ComponentChild, ComponentType, FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { isFirstPage } from '../router.ts';
import { Page, focusTitle } from './page.tsx';

type Load<P> = () => Promise<ComponentType<P>>;

/** Its code can be asked for before it is shown, by a page that waits for something else first. */
type LazyPart<P> = FunctionComponent<P> & { preload(): void };

/** A part whose code comes when it is wanted: who never needs it never loads it. `waiting` holds its room. */
export function lazy<P extends object>(
  load: Load<P>,
  waiting: ComponentChild,
  Missing: ComponentType<{ again: () => void }> = NotLoaded,
): LazyPart<P> {
  const part = signal<ComponentType<P> | undefined>(undefined);
  const isMissing = signal(false);
  const preload = () => {
    if (part.peek()) return;
    load().then(
      (loaded) => {
        isMissing.value = false;
        part.value = loaded;
      },
      () => (isMissing.value = true),
    );
  };
  function Lazy(props: P) {
    useEffect(preload, []);
    const isHere = !isMissing.value;
    // It comes by itself once the line is back.
    useEffect(() => {
      if (isHere) return undefined;
      addEventListener('online', preload);
      const timer = setInterval(preload, againMs);
      return () => {
        removeEventListener('online', preload);
        clearInterval(timer);
      };
    }, [isHere]);
    const Part = part.value;
    if (Part) return <Part {...props} />;
    return isHere ? <>{waiting}</> : <Missing again={preload} />;
  }
  return Object.assign(Lazy, { preload });
}

/** Lazy loading of a whole page. If it comes late, its title takes the focus. */
export function lazyPage<P extends object>(load: Load<P>): ComponentType<P> {
  return lazy(
    async () => {
      const Shown = await load();
      return (props: P) => {
        useLayoutEffect(() => {
          if (!isFirstPage()) focusTitle();
        }, []);
        return <Shown {...props} />;
      };
    },
    <main class="loading" aria-busy="true" />,
    PageNotLoaded,
  );
}

/** How often what did not come is asked for again. */
const againMs = 5_000;

const notLoaded = 'Check your connection: it comes by itself once the relay answers.';

function NotLoaded({ again }: { again: () => void }) {
  return (
    <div role="alert">
      <p class="notice bad">
        <strong>This part did not load.</strong> {notLoaded}
      </p>
      <TryAgain again={again} />
    </div>
  );
}

function PageNotLoaded({ again }: { again: () => void }) {
  return (
    <Page title="This page did not load">
      <p role="alert">{notLoaded}</p>
      <TryAgain again={again} />
    </Page>
  );
}

/** A relay that was updated meanwhile has other files, so the way out that always works stands beside it. */
const TryAgain = ({ again }: { again: () => void }) => (
  <div class="buttons">
    <button type="button" onClick={again}>
      Try again
    </button>
    <button type="button" class="quiet" onClick={() => location.reload()}>
      Load the page anew
    </button>
  </div>
);
