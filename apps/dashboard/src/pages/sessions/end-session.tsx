import type { HeadlessSession } from '@tabletop-relay/contract';
import { announce } from '../../parts/announcer.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { api } from '../../request.ts';
import { headlessSessions } from '../../store.ts';
import { sessionName } from './running.ts';

export function EndSession({ session, quiet = false }: { session: HeadlessSession; quiet?: boolean }) {
  const name = sessionName(session);
  const end = async () => {
    await api.stopHeadlessSession({ id: session.id });
    await headlessSessions.reload();
    announce(`${name} is not hosted any more.`);
  };
  return (
    <ConfirmButton label="Stop hosting" title={`Stop hosting ${name}?`} action={end} quiet={quiet}>
      <p>
        Its browser closes, and the world is offline until somebody opens it. A game master’s browser that
        waits for it connects within a minute. Hosting it again needs the tabletop’s password.
      </p>
    </ConfirmButton>
  );
}
