import { ProblemNotice } from '../../parts/problem.tsx';
import { navigate } from '../../router.ts';
import { relayStatus } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { codeFor, makeCode } from './codes.ts';
import { demoWorldAddress } from './demo-world-address.ts';
import { relayAddress } from './relay-address.ts';

const addressWith = (code: string) =>
  demoWorldAddress({
    demoWorld: relayStatus.data.value?.demoWorld,
    here: new URL(location.href),
    relay: relayAddress,
    code,
  });

/** Whether this relay has a demo world to offer to this browser. */
export const hasDemoWorld = (): boolean => addressWith('') !== undefined;

/** Opens a world of the browser's own in another tab, ready to pair, while the pairing page waits for it. */
export function DemoWorldButton() {
  const { run, isBusy, problem } = useAction(async (tab: Window | null) => {
    try {
      if (!codeFor(undefined)) await makeCode(undefined);
    } catch (error) {
      tab?.close();
      throw error;
    }
    const address = addressWith(codeFor(undefined)?.code ?? '');
    if (tab && address) tab.location.replace(address);
    navigate('/dashboard/pair');
  });
  // Opened at the press itself: browsers keep pages from opening tabs later on.
  const open = () => {
    const tab = window.open('about:blank', '_blank');
    if (tab) tab.opener = null;
    void run(tab);
  };
  if (!hasDemoWorld()) return null;
  return (
    <>
      <button type="button" disabled={isBusy.value} onClick={open}>
        Use the demo world
      </button>
      <ProblemNotice problem={problem.value} />
    </>
  );
}
