import { useSignal } from '@preact/signals';
import { Ago } from '../../parts/ago.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';

/** Picture of a session’s page. It is made on demand, because it takes the host a moment and is large. */
export function SessionPicture({ id, isLive, name }: { id: string; isLive: boolean; name: string }) {
  const picture = useSignal<{ at: string | null; image: string } | undefined>(undefined);
  const { run, isBusy, problem } = useAction(async () => {
    picture.value = await api.getHeadlessPicture({ id });
  });
  const label = isLive ? 'Picture of the page now' : 'What the page showed';
  return (
    <div class="session-view">
      <button
        type="button"
        class="copy"
        aria-label={`${label}: ${name}`}
        disabled={isBusy.value}
        onClick={() => void run()}
      >
        {isBusy.value ? 'Taking a picture …' : label}
      </button>
      <ProblemNotice problem={problem.value} />
      {picture.value?.image && (
        <figure>
          <img src={picture.value.image} alt={`The page of ${name}`} width={1280} height={720} />
          {picture.value.at && (
            <figcaption class="muted">
              Taken <Ago at={picture.value.at} />
            </figcaption>
          )}
        </figure>
      )}
      {picture.value?.image === '' && (
        <p class="muted" role="status">
          There is no picture yet: no browser has the session.
        </p>
      )}
    </div>
  );
}
