export type Topic =
  'ways in' | 'habits' | 'scopes' | 'parameters' | 'forms' | 'answers' | 'failures' | 'events' | 'limits';

/** One thing that a program of the other relay finds otherwise here. */
export interface Difference {
  topic: Topic;
  /** What it is about: unique within its topic, and what the list of reasons names it by. */
  subject: string;
  there: string;
  here: string;
}

export const differ = (topic: Topic, subject: string, there: string, here: string): Difference => ({
  topic,
  subject,
  there,
  here,
});
