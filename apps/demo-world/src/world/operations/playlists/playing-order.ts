import { flagAt } from '../../store/rooms/fields.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';

/** How a playlist plays, by the numbers that tabletops have for it. */
export const modes = { onDemand: -1, sequential: 0, shuffled: 1, together: 2 } as const;

export function modeOf({ data }: FoundDocument): number {
  const { mode } = data;
  return typeof mode === 'number' && Number.isInteger(mode) && mode >= -1 && mode <= 2 ? mode : 0;
}

/** Sounds that play once the playlist is started. A playlist whose sounds play on demand starts none. */
export function soundsToPlay(
  tx: Transaction,
  playlist: FoundDocument,
  sounds: readonly FoundDocument[],
): readonly FoundDocument[] {
  const mode = modeOf(playlist);
  if (mode === modes.together) return sounds;
  const playing = sounds.filter(isPlaying);
  if (playing.length > 0 || mode === modes.onDemand) return playing;
  return mode === modes.shuffled ? anyOf(tx, sounds) : sounds.slice(0, 1);
}

/** Next sound; undefined if sounds do not follow each other. */
export function nextSound(
  tx: Transaction,
  playlist: FoundDocument,
  sounds: readonly FoundDocument[],
): FoundDocument | undefined {
  const mode = modeOf(playlist);
  if (mode === modes.onDemand || mode === modes.together) return undefined;
  const current = sounds.findIndex(isPlaying);
  if (mode === modes.sequential) return sounds[(current + 1) % sounds.length];
  const others = sounds.filter((_sound, index) => index !== current);
  return anyOf(tx, others.length > 0 ? others : sounds)[0];
}

const isPlaying = ({ data }: FoundDocument): boolean => flagAt(data, 'playing', false);

function anyOf({ random }: Transaction, sounds: readonly FoundDocument[]): FoundDocument[] {
  const sound = sounds[Math.floor(random() * sounds.length)];
  return sound ? [sound] : [];
}
