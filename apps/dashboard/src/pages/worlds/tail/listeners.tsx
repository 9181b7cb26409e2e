import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../../request.ts';

const everyMs = 5_000;

interface Listened {
  channel: string;
  listeners: number;
}

/** How many programs follow each channel of a world, read again while the page is looked at. */
export function Listeners({ clientId }: { clientId: string }) {
  const items = useSignal<readonly Listened[] | undefined>(undefined);
  useEffect(() => {
    const read = (): void => {
      if (document.hidden) return;
      void api
        .listListeners({ clientId })
        .then((answer) => (items.value = answer.items))
        // A count that is not known now is read again at the next interval.
        .catch(() => (items.value = undefined));
    };
    read();
    const timer = setInterval(read, everyMs);
    return () => clearInterval(timer);
  }, [clientId]);
  const followed = items.value?.filter(({ listeners }) => listeners > 0);
  if (!followed) return null;
  return (
    <p>
      {followed.length === 0 ? (
        'No program follows this world’s events.'
      ) : (
        <>
          Programs follow this world’s events now:{' '}
          {followed.map(({ channel, listeners }, index) => (
            <span key={channel}>
              {index > 0 && ', '}
              <strong>{channel}</strong> by {listeners}
            </span>
          ))}
          .
        </>
      )}
    </p>
  );
}
