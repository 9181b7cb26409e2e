/** How much an event asks to be looked at. */
export type Tone = 'good' | 'warn' | 'bad' | 'off';

/** An event as a person reads it. */
export interface EventWords {
  tone: Tone;
  /** One word for the tone. */
  word: string;
  sentence: string;
}
