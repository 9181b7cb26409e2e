import { isPlaying } from '../../played-sound.ts';
import { assertGm } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';

/** The world remembers so many sounds that play by themselves; the oldest gives way. */
const soundsKept = 20;

export const sounds: OperationHandlers<'play-sound' | 'stop-sound'> = {
  'play-sound'(tx, { src, volume = 0.5, loop = false }) {
    assertGm(tx, 'play sounds');
    const { now, state } = tx;
    const playing = state.sounds.filter((sound) => isPlaying(sound, now));
    tx.state = { ...state, sounds: [...playing, { src, volume, loop, at: now }].slice(-soundsKept) };
    return { data: { src, volume, loop } };
  },

  'stop-sound'(tx, { src }) {
    assertGm(tx, 'stop sounds');
    const { now, state } = tx;
    const playing = state.sounds.filter((sound) => isPlaying(sound, now));
    const left = src === undefined ? [] : playing.filter((sound) => sound.src !== src);
    if (state.sounds.length > left.length) tx.state = { ...state, sounds: left };
    return { data: { stopped: playing.length - left.length, src: src ?? null } };
  },
};
