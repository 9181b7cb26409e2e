import { useSignal } from '@preact/signals';
import type { FactorMethod } from '@tabletop-relay/contract';
import { useEffect, useRef } from 'preact/hooks';
import { ProblemNotice } from '../problem.tsx';
import { CodeForm } from './code-form.tsx';
import type { CodeMethod } from './code-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { canUsePasskeys } from './can-use-passkeys.ts';
import { signWithPasskey } from './passkeys.ts';
import type { FactorAction } from './use-factor-action.ts';

/** The look of the button that does it. */
export type Tone = 'primary' | 'bad strong';

export interface FactorStepProps {
  action: FactorAction;
  /** On the button that sends the code. */
  verb: string;
  tone?: Tone;
}

/** Asks for the second factor, in place of the fields of a form that gave the password. */
export function FactorStep({ action, verb, tone = 'primary' }: FactorStepProps) {
  const { isBusy, problem } = action;
  const step = useRef<HTMLDivElement>(null);
  const lastTried = useSignal<FactorMethod | undefined>(undefined);
  const wantsRecovery = useSignal(false);
  const ways = waysOf(action.demand.value?.methods ?? [], wantsRecovery.value);
  const isRefused = problem.value?.code === 'second_factor_invalid';
  const isWrong = (method: FactorMethod) => isRefused && lastTried.value === method;
  const sendCode = (method: CodeMethod) => async (code: string) => {
    lastTried.value = method;
    await action.answer(() => ({ method, code }));
  };
  const sendPasskey = async () => {
    lastTried.value = 'passkey';
    await action.answer(async ({ passkeyOptions = {} }) => ({
      method: 'passkey',
      credential: await signWithPasskey(passkeyOptions),
    }));
  };
  useEffect(() => step.current?.querySelector<HTMLElement>('input, button')?.focus(), [ways.code]);
  useEffect(() => focusFormAfterwards(step.current?.parentElement), []);
  return (
    <div class="factor-step" ref={step}>
      <p>{lead(ways)}</p>
      {ways.passkey && (
        <PasskeyButton isBusy={isBusy.value} isWrong={isWrong('passkey')} send={sendPasskey} />
      )}
      {ways.code && (
        <CodeForm
          key={ways.code}
          method={ways.code}
          verb={verb}
          tone={ways.passkey ? '' : tone}
          isBusy={isBusy.value}
          isWrong={isWrong(ways.code)}
          send={sendCode(ways.code)}
        />
      )}
      <ProblemNotice problem={isRefused ? undefined : problem.value} />
      <div class="buttons">
        {ways.other && (
          <button type="button" class="quiet" onClick={() => (wantsRecovery.value = !wantsRecovery.value)}>
            {ways.other}
          </button>
        )}
        <button type="button" class="quiet" onClick={action.goBack}>
          Back to the password
        </button>
      </div>
    </div>
  );
}

/** When the form comes back in place of this step, the focus goes on in it. */
function focusFormAfterwards(home: HTMLElement | null | undefined): () => void {
  return () =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        home?.querySelector<HTMLElement>('input[type=password]')?.focus();
    });
}

interface Ways {
  passkey: boolean;
  code: CodeMethod | undefined;
  /** The button that leads to what is not shown. */
  other: string | undefined;
}

/** Methods to show, of those that the relay takes. */
function waysOf(methods: readonly FactorMethod[], wantsRecovery: boolean): Ways {
  const passkey = methods.includes('passkey') && canUsePasskeys();
  const totp = methods.includes('totp');
  const hasFactor = passkey || totp;
  const recovery = methods.includes('recovery');
  if (recovery && (wantsRecovery || !hasFactor)) {
    const factor = totp ? 'Use the authenticator app' : 'Use a passkey';
    return { passkey: false, code: 'recovery', other: hasFactor ? factor : undefined };
  }
  return { passkey, code: totp ? 'totp' : undefined, other: recovery ? 'Use a recovery code' : undefined };
}

function lead({ passkey, code }: Ways): string {
  const asks = 'Your account has a second factor.';
  if (code === 'recovery') return 'A recovery code stands in for your second factor. Each works once.';
  if (passkey && code) return `${asks} Use your passkey, or type the code of your authenticator app.`;
  if (passkey) return `${asks} Use your passkey.`;
  if (code) return `${asks} Open your authenticator app and type its code.`;
  return `${asks} It does not work in this browser at this address. Use the browser and the address where you set it up, or ask the operator of this relay.`;
}
