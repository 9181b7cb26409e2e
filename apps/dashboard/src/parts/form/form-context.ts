import type { ReadonlySignal } from '@preact/signals';
import type { RelayError } from '@tabletop-relay/sdk';
import { createContext } from 'preact';

/** Context of a form for its fields. */
export interface FormState {
  /** Refusal of the last submit. */
  problem: RelayError | undefined;
  /** Faults found before sending, by the id of the input. */
  faults: ReadonlySignal<Readonly<Record<string, string>>>;
  /** The inputs, by their ids, that were changed since it was sent: what the relay said of them is of what stood there before. */
  changed: ReadonlySignal<ReadonlySet<string>>;
  /** The names of the fields that show what the relay says of them. */
  names: Set<string>;
}

export const FormContext = createContext<FormState | undefined>(undefined);
