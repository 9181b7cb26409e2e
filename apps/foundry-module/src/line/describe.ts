import { PairingError } from '@tabletop-relay/module-sdk';
import { parseAddress } from './relay-address.ts';
import type { LineState } from './line.ts';
import type { OtherModule } from './other-module.ts';

/** What a press on the one button of a state does. */
export type Action =
  'pair' | 'give-up' | 'retry' | 'serve' | 'open-relay' | 'change-address' | 'test' | 'resume' | 'none';

export type Tone = 'good' | 'busy' | 'bad' | 'off';

/** The states that a person is told apart; each has a title, a text and one action among the words. */
export type Standing =
  | 'off'
  | 'unpaired'
  | 'refused'
  | 'pairing'
  | 'connecting'
  | 'connected'
  | 'paused'
  | 'paused-here'
  | 'other-tab'
  | 'standby'
  | 'other-browser'
  | 'other-module'
  | 'address-refused'
  | 'unreachable'
  | 'trouble'
  | 'mixed'
  | 'closed';

export interface Description {
  standing: Standing;
  tone: Tone;
  action: Action;
  /** For the places in the texts. */
  data: { relay: string; module: string; code: string; reason: string; user: string };
}

const kinds: Record<Standing, { tone: Tone; action: Action }> = {
  off: { tone: 'off', action: 'none' },
  unpaired: { tone: 'off', action: 'pair' },
  refused: { tone: 'bad', action: 'pair' },
  pairing: { tone: 'busy', action: 'give-up' },
  connecting: { tone: 'busy', action: 'retry' },
  connected: { tone: 'good', action: 'open-relay' },
  paused: { tone: 'busy', action: 'open-relay' },
  'paused-here': { tone: 'busy', action: 'resume' },
  'other-tab': { tone: 'good', action: 'test' },
  standby: { tone: 'good', action: 'serve' },
  'other-browser': { tone: 'good', action: 'retry' },
  'other-module': { tone: 'bad', action: 'retry' },
  'address-refused': { tone: 'bad', action: 'open-relay' },
  unreachable: { tone: 'bad', action: 'open-relay' },
  trouble: { tone: 'busy', action: 'retry' },
  mixed: { tone: 'bad', action: 'change-address' },
  closed: { tone: 'bad', action: 'retry' },
};

/** Close codes of the relay that say more than trouble: `docs/module-protocol.md`. */
const standings: Readonly<Record<number, Standing>> = {
  4003: 'address-refused',
  4004: 'other-browser',
  1006: 'unreachable',
};

/** What a person is told of a state. `relayUrl` is the address that would be or was paired with. */
export function describe(
  state: LineState,
  {
    relayUrl,
    other,
    isGameMaster,
    pausedBy,
  }: {
    relayUrl: string;
    other: OtherModule | undefined;
    isGameMaster: boolean;
    /** Who paused the world in the tabletop; empty where nobody did. */
    pausedBy: string;
  },
): Description {
  const { status } = state;
  const standing = isGameMaster ? standingOf(state, { other, isPaused: pausedBy !== '' }) : 'off';
  return {
    standing,
    ...kinds[standing],
    data: {
      relay: parseAddress(relayUrl)?.host ?? relayUrl,
      module: other?.title ?? '',
      code: status.state === 'waiting' ? String(status.closeCode ?? '') : '',
      reason: 'reason' in status ? status.reason : '',
      user: pausedBy,
    },
  };
}

/** A pause of the tabletop is told before which browser serves: it holds in all of them. */
function standingOf(
  state: LineState,
  { other, isPaused }: { other: OtherModule | undefined; isPaused: boolean },
): Standing {
  const { status, pairing, problem, pauses, isOtherTab, wasRefused } = state;
  if (pairing) return 'pairing';
  if (problem instanceof PairingError && problem.code === 'insecure_url') return 'mixed';
  if (isPaused && (isOtherTab || status.state === 'standby' || status.state === 'connected'))
    return 'paused-here';
  if (isOtherTab) return 'other-tab';
  switch (status.state) {
    case 'unpaired':
      return wasRefused ? 'refused' : 'unpaired';
    case 'connecting':
      return 'connecting';
    case 'standby':
      return other?.isSameWorld ? 'other-module' : 'standby';
    case 'connected':
      return pausedStanding(pauses) ?? 'connected';
    case 'closed':
      return status.code === 'insecure_url' ? 'mixed' : 'closed';
    default: {
      const standing = standings[status.closeCode ?? 0] ?? 'trouble';
      return standing === 'other-browser' && other?.isSameWorld ? 'other-module' : standing;
    }
  }
}

/** One that the relay alone still has for the tabletop's own is lifted here too. */
function pausedStanding(pauses: LineState['pauses']): Standing | undefined {
  if (pauses.length === 0) return undefined;
  return pauses.some(({ setIn }) => setIn === 'relay') ? 'paused' : 'paused-here';
}
