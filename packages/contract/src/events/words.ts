/** The attention that an event asks for. */
export type Tone = 'good' | 'warn' | 'bad' | 'off';

/** An event as a person reads it. */
export interface EventWords {
  tone: Tone;
  /** One word for the tone. */
  word: string;
  sentence: string;
}
