import { scopeNames, scopes } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';

export const dangerOf = (scope: string): string | undefined =>
  (scopes as Record<string, { title: string; dangerous?: string }>)[scope]?.dangerous;

export const titleOf = (scope: string): string =>
  (scopes as Record<string, { title: string }>)[scope]?.title ?? scope;

interface ScopePickerProps {
  legend: string;
  /** Offered scopes; all by default. */
  offered?: readonly Scope[];
  chosen: readonly Scope[];
  onChange: (chosen: Scope[]) => void;
}

/** Subjects by the first part of a scope's name. A part that is not listed is its own subject. */
const subjects: Readonly<Record<string, string>> = {
  clients: 'Worlds and hosting',
  world: 'Worlds and hosting',
  session: 'Worlds and hosting',
  encounter: 'Combat',
  sys5e: 'Characters and dice',
  roll: 'Characters and dice',
  effects: 'Characters and dice',
  sheet: 'Characters and dice',
  entity: 'What is in the world',
  search: 'What is in the world',
  structure: 'What is in the world',
  file: 'What is in the world',
  chat: 'Chat and events',
  events: 'Chat and events',
  playlist: 'Scenes and the table',
  scene: 'Scenes and the table',
  canvas: 'Scenes and the table',
  macro: 'Macros and scripts',
  script: 'Macros and scripts',
  user: 'Players',
};

function subjectOf(scope: string): string {
  const [part = ''] = scope.split(':', 1);
  return subjects[part] ?? part.charAt(0).toUpperCase() + part.slice(1);
}

/** Permissions as sentences to tick, by what they are about. */
export function ScopePicker({ legend, offered = scopeNames, chosen, onChange }: ScopePickerProps) {
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(offered.filter((one) => (one === scope ? isOn : chosen.includes(one))));
  return (
    <fieldset class="scopes">
      <legend>{legend}</legend>
      {[...Map.groupBy(offered, subjectOf)].map(([subject, ofSubject]) => (
        <div class="scope-group" role="group" aria-label={subject} key={subject}>
          <p class="subject" aria-hidden="true">
            {subject}
          </p>
          {ofSubject.map((scope) => (
            <label class="scope" key={scope}>
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={(event) => toggle(scope, event.currentTarget.checked)}
              />
              <span>
                {titleOf(scope)} <code>{scope}</code>
                <Danger scope={scope} />
              </span>
            </label>
          ))}
        </div>
      ))}
    </fieldset>
  );
}

/** Why a permission deserves a second look. */
function Danger({ scope }: { scope: string }) {
  const why = dangerOf(scope);
  return why ? (
    <small class="danger">
      <strong>Careful:</strong> {why}
    </small>
  ) : null;
}
