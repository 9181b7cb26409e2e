import type { ApiKey } from '@tabletop-relay/contract';
import { announce } from '../../parts/announcer.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { api } from '../../request.ts';
import { keys } from '../../store.ts';

interface RevokeKeyProps {
  apiKey: Pick<ApiKey, 'id' | 'name'>;
  label: string;
  quiet?: boolean;
  isAsked?: boolean;
  /** Called once it is revoked. */
  onRevoked?: () => void;
}

export function RevokeKey({ apiKey: { id, name }, label, onRevoked, ...look }: RevokeKeyProps) {
  const revoke = async () => {
    await api.revokeApiKey({ id });
    onRevoked?.();
    await keys.reload();
    announce(`${name} is revoked.`);
  };
  return (
    <ConfirmButton label={label} title={`Revoke ${name}?`} action={revoke} {...look}>
      <p>
        Programs that use it are refused within a second, and their event streams end. This can’t be undone:
        they need a new key.
      </p>
    </ConfirmButton>
  );
}
