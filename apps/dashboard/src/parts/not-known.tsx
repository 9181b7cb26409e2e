import { accountProblem, readAccount } from '../store.ts';
import { useAction } from '../use-action.ts';
import { NotRead } from './not-read.tsx';

/** In place of a page, as long as it is not known who is signed in: where the relay could not say it, it is asked again. */
export function NotKnown() {
  const { run, isBusy } = useAction(readAccount);
  return (
    <NotRead title="Your account could not be read" problem={accountProblem.value} narrow>
      <button type="button" class="primary" disabled={isBusy.value} onClick={() => void run()}>
        Ask again
      </button>
    </NotRead>
  );
}
