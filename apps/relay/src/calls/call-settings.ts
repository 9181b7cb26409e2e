import { milliseconds } from '@tabletop-relay/process';

/** The settings of relayed calls. */
export const callSettings = {
  callTimeoutMs: milliseconds(
    10_000,
    'Time for a world’s answer; rests and the use of abilities, spells and items get twice as long.',
    1,
  ),
};
