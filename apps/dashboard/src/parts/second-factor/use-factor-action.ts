import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { SecondFactorAnswer, SecondFactorDemand } from '@tabletop-relay/contract';
import { RelayError } from '@tabletop-relay/sdk';
import { useAction } from '../../use-action.ts';
import type { Action } from '../../use-action.ts';

type WithoutChallenge<A> = A extends unknown ? Omit<A, 'challenge'> : never;

/** Answer of a person. The challenge is added here. */
export type FactorAnswer = WithoutChallenge<SecondFactorAnswer>;

/** Reads the answer to this very demand: a passkey signs its challenge. */
type ReadAnswer = (demand: SecondFactorDemand) => FactorAnswer | Promise<FactorAnswer>;

/** An action that the relay may ask a second factor for, beside the password. */
export interface FactorAction extends Pick<Action<[]>, 'isBusy' | 'problem'> {
  /** Sends it with the password alone. */
  run(): Promise<void>;
  /** Challenge of the relay; undefined while there is none. */
  demand: ReadonlySignal<SecondFactorDemand | undefined>;
  /** Sends it again with the second factor. Rejects with what `read` throws. */
  answer(read: ReadAnswer): Promise<void>;
  /** Goes back to the password. */
  goBack(): void;
}

/**
 * The one place that asks again with a second factor. `work` sends the request. When the relay wants a second factor, `demand` is set
 * and the form shows a `FactorStep` in place of its fields, whose values stay.
 */
export function useFactorAction(
  work: (secondFactor: SecondFactorAnswer | undefined) => Promise<void>,
): FactorAction {
  const demand = useSignal<SecondFactorDemand | undefined>(undefined);

  /** Resolves with the demand if there is one; a wrong factor is thrown, and brings a new demand. */
  async function send(secondFactor?: SecondFactorAnswer): Promise<SecondFactorDemand | undefined> {
    try {
      await work(secondFactor);
      return (demand.value = undefined);
    } catch (error) {
      const asked = demandOf(error);
      if (asked) demand.value = asked;
      else if (!mayBeRepeated(error)) demand.value = undefined;
      if (asked && !secondFactor) return asked;
      throw error;
    }
  }

  const { run, isBusy, problem } = useAction(async (read?: ReadAnswer) => {
    const asked = read && demand.peek();
    // A challenge that ran out while the person was typing is replaced without a word.
    const fresh = asked && !isExpired(asked) ? asked : await send();
    if (read && fresh) await send({ ...(await read(fresh)), challenge: fresh.challenge });
  });

  return {
    demand,
    isBusy,
    problem,
    run: async () => void (await run()),
    answer: async (read) => void (await run(read)),
    goBack: () => (demand.value = undefined),
  };
}

/** The fields that the relay adds to these two problems. */
function demandOf(error: unknown): SecondFactorDemand | undefined {
  if (!(error instanceof RelayError)) return undefined;
  const isDemand = error.code === 'second_factor_required' || error.code === 'second_factor_invalid';
  return isDemand ? (error.problem as SecondFactorDemand | undefined) : undefined;
}

/** Failures that may pass by themselves. After any other the form has to change. */
const mayBeRepeated = (error: unknown) =>
  !(error instanceof RelayError) || error.retryable || error.status === 0;

const isExpired = ({ challengeExpiresAt }: SecondFactorDemand) =>
  Date.parse(challengeExpiresAt) <= Date.now();
