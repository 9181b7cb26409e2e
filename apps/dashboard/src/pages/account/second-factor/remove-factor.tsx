import type { SecondFactor, SecondFactors } from '@tabletop-relay/contract';
import { announce } from '../../../parts/announcer.tsx';
import type { Proof } from '../../../parts/second-factor/password-form.tsx';
import { api } from '../../../request.ts';
import { readAccount, secondFactors } from '../../../store.ts';
import { PasswordDialog } from '../password-dialog.tsx';

interface RemoveFactorProps {
  factor: SecondFactor;
  known: SecondFactors;
  close: () => void;
}

export function RemoveFactor({ factor: { id, name }, known, close }: RemoveFactorProps) {
  const act = async (proof: Proof) => {
    await api.removeSecondFactor({ id, ...proof });
    close();
    announce(`${name} is removed.`);
    await Promise.all([secondFactors.reload(), readAccount()]);
  };
  return (
    <PasswordDialog id="removal" title={`Remove ${name}?`} verb="Remove" act={act} close={close}>
      {known.items.length > 1 ? (
        <p>From then on it opens nothing. Your other second factors stay as they are.</p>
      ) : (
        <>
          <p>
            It is your only second factor: from then on your password alone opens your account, and your
            recovery codes are gone.
          </p>
          {known.required && (
            <p>You are an administrator: you must set up another one before you can do anything else.</p>
          )}
        </>
      )}
    </PasswordDialog>
  );
}
