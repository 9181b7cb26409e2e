import type { ReadonlySignal } from '@preact/signals';
import type { RelayError } from '@tabletop-relay/sdk';
import { createContext } from 'preact';

/** What a field must know of the form that it stands in. */
export interface FormState {
  /** What the relay refused when the form was sent last. */
  problem: RelayError | undefined;
  /** What the page itself found wrong before sending, by the id of the input. */
  faults: ReadonlySignal<Readonly<Record<string, string>>>;
  /** The inputs, by their ids, that were changed since it was sent: what the relay said of them is of what stood there before. */
  changed: ReadonlySignal<ReadonlySet<string>>;
  /** The names of the fields that show what the relay says of them. */
  names: Set<string>;
}

export const FormContext = createContext<FormState | undefined>(undefined);
