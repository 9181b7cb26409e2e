import { signal } from '@preact/signals';
import type { ComponentChild, ComponentType, FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { isFirstPage } from '../router.ts';
import { focusTitle } from './page.tsx';

type Load<P> = () => Promise<ComponentType<P>>;

/** Its code can be asked for before it is shown, by a page that waits for something else first. */
type LazyPart<P> = FunctionComponent<P> & { preload(): void };

/** A part whose code comes when it is wanted: who never needs it never loads it. `waiting` holds its room. */
export function lazy<P extends object>(load: Load<P>, waiting: ComponentChild): LazyPart<P> {
  const part = signal<ComponentType<P> | undefined>(undefined);
  const isMissing = signal(false);
  const preload = () => {
    if (part.peek()) return;
    isMissing.value = false;
    load().then(
      (loaded) => (part.value = loaded),
      () => (isMissing.value = true),
    );
  };
  function Lazy(props: P) {
    useEffect(preload, []);
    const Part = part.value;
    if (Part) return <Part {...props} />;
    return isMissing.value ? <NotLoaded /> : <>{waiting}</>;
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
  );
}

/** A relay that was updated meanwhile has other files. */
function NotLoaded() {
  return (
    <div role="alert">
      <p class="notice bad">
        <strong>This part did not load.</strong> Check your connection and load the page again.
      </p>
    </div>
  );
}
