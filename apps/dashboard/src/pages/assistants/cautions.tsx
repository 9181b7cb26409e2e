import type { Scope } from '@tabletop-relay/contract';

interface CautionsProps {
  preset: string;
  scopes: readonly Scope[];
}

const hears: readonly Scope[] = ['events:subscribe', 'chat:read'];

/** What a choice means for secrets of the table. */
export function Cautions({ preset, scopes }: CautionsProps) {
  return (
    <>
      {scopes.some((scope) => hears.includes(scope)) && (
        <p class="notice warn">
          <strong>It hears whispers and hidden rolls too.</strong> What it is told goes to the company that
          runs the assistant.
        </p>
      )}
      {(preset === 'Run the table' || scopes.includes('chat:write')) && (
        <p class="notice">
          It reads what players wrote on their sheets, knows what is hidden, and speaks in the chat. A text on
          a sheet could talk it into telling a secret. Bind it to a user of the world if that matters.
        </p>
      )}
      <p class="hint">
        It can never run scripts or macros, change files or users, see your account, its logs, or any key.
      </p>
    </>
  );
}
