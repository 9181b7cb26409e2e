/** A sound that was played by itself. */
export interface PlayedSound {
  /** Path or address of its file. */
  src: string;
  /** 0 to 1. */
  volume: number;
  loop: boolean;
  /** Epoch milliseconds when it began. */
  at: number;
}

/** This world has no files to hear: each sound that does not loop counts as half a minute long. */
const lengthMs = 30_000;

/** Epoch milliseconds when it ends by itself. */
export const playedUntil = ({ loop, at }: PlayedSound): number => (loop ? Infinity : at + lengthMs);

export const isPlaying = (sound: PlayedSound, now: number): boolean => now < playedUntil(sound);
