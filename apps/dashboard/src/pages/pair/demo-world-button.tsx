import { ProblemNotice } from '../../parts/problem.tsx';
import { navigate } from '../../router.ts';
import { useRelayStatus } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { codeFor, makeCode } from './codes.ts';
import { demoWorldAddress } from './demo-world-address.ts';
import { relayAddress } from './relay-address.ts';

const addressIn = (demoWorld: string | null | undefined, code: string) =>
  demoWorldAddress({
    demoWorld,
    here: new URL(location.href),
    relay: relayAddress,
    code,
  });

/** Whether this relay has a demo world to offer to this browser. */
export const useHasDemoWorld = (): boolean => addressIn(useRelayStatus()?.demoWorld, '') !== undefined;

/** Opens a world of the browser's own in another tab, ready to pair, while the pairing page waits for it. */
export function DemoWorldButton() {
  const demoWorld = useRelayStatus()?.demoWorld;
  const { run, isBusy, problem } = useAction(async (tab: Window | null) => {
    try {
      if (!codeFor(undefined)) await makeCode(undefined);
    } catch (error) {
      tab?.close();
      throw error;
    }
    const address = addressIn(demoWorld, codeFor(undefined)?.code ?? '');
    if (tab && address) tab.location.replace(address);
    navigate('/dashboard/pair');
  });
  // Opened at the press itself: browsers keep pages from opening tabs later on.
  const open = () => {
    const tab = window.open('about:blank', '_blank');
    if (tab) tab.opener = null;
    void run(tab);
  };
  if (!addressIn(demoWorld, '')) return null;
  return (
    <>
      <button type="button" disabled={isBusy.value} onClick={open}>
        Use the demo world
      </button>
      <ProblemNotice problem={problem.value} />
    </>
  );
}
