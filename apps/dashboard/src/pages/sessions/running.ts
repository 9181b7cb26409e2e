import type { HeadlessSession } from '@tabletop-relay/contract';

/** Whether a session has a browser, or waits for one, and nobody has asked for its end yet. */
export const isRunning = ({ state }: HeadlessSession): boolean => state === 'starting' || state === 'active';

/** The world of a session as people know it; before it is known, where it was asked for. */
export const sessionName = ({ worldTitle, worldName, tabletopUrl }: HeadlessSession): string =>
  worldTitle || worldName || new URL(tabletopUrl).host;
