import type { Actor } from '../world/state.ts';

/** An actor's state of health: a word to read, and a name that styles use. */
export interface Health {
  tone: 'good' | 'warn' | 'bad';
  word: string;
  /** The fraction of the maximum, from 0 to 1. */
  share: number;
}

/** The state in a game master's words. Below half is bloodied. */
export function healthOf({ hitPoints, life }: Pick<Actor, 'hitPoints' | 'life'>): Health {
  const share = Math.max(0, Math.min(1, hitPoints.value / Math.max(1, hitPoints.max)));
  if (life === 'dead') return { tone: 'bad', word: 'Dead', share: 0 };
  if (life === 'stable') return { tone: 'bad', word: 'Stable at 0', share };
  if (life === 'dying') return { tone: 'bad', word: 'Dying', share };
  if (share === 1) return { tone: 'good', word: 'Unhurt', share };
  if (share > 0.5) return { tone: 'good', word: 'Hurt', share };
  return { tone: share > 0.25 ? 'warn' : 'bad', word: share > 0.25 ? 'Bloodied' : 'Near death', share };
}
