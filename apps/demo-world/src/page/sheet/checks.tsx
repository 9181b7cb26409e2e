import {
  abilityModifier,
  abilityNames,
  saveModifier,
  skillModifier,
  skillNames,
} from '../../world/rules/abilities.ts';
import type { Actor, Skill } from '../../world/state.ts';
import type { Ability } from '../../world/ability.ts';
import { useTable } from '../table.ts';
import type { RollMode } from './roll-mode.tsx';
import { parametersOf } from './roll-mode.tsx';
import { signed } from './words.ts';

interface Checks {
  actor: Actor;
  mode: RollMode;
}

/** The six abilities, each with its check and its save. */
export function Abilities({ actor, mode }: Checks) {
  return (
    <ul class="abilities">
      {(Object.keys(abilityNames) as Ability[]).map((ability) => (
        <li key={ability}>
          <abbr title={abilityNames[ability]}>{ability}</abbr>
          <Check
            actor={actor}
            mode={mode}
            of={{ name: 'ability-check', ability }}
            label={`${abilityNames[ability]} check`}
          >
            {signed(abilityModifier(actor, ability))}
          </Check>
          <Check
            actor={actor}
            mode={mode}
            of={{ name: 'ability-save', ability }}
            label={`${abilityNames[ability]} save`}
          >
            <small>save</small> {signed(saveModifier(actor, ability))}
            {actor.abilities[ability].saveProficient && <span class="proficient" title="Proficient" />}
          </Check>
        </li>
      ))}
    </ul>
  );
}

/** All skills; those that somebody is proficient in are marked. */
export function Skills({ actor, mode }: Checks) {
  return (
    <>
      <h3>Skills</h3>
      <ul class="skills">
        {(Object.keys(skillNames) as Skill[]).map((skill) => (
          <li key={skill}>
            <Check
              actor={actor}
              mode={mode}
              of={{ name: 'skill-check', skill }}
              label={`${skillNames[skill]} check`}
            >
              <span class={actor.skills[skill] ? 'name is-proficient' : 'name'}>{skillNames[skill]}</span>
              <span class="number">{signed(skillModifier(actor, skill))}</span>
            </Check>
          </li>
        ))}
      </ul>
    </>
  );
}

type Kind =
  { name: 'ability-check' | 'ability-save'; ability: Ability } | { name: 'skill-check'; skill: Skill };

function Check({
  actor,
  mode,
  of,
  label,
  children,
}: Checks & { of: Kind; label: string; children: unknown }) {
  const { isLive, perform } = useTable();
  const { name, ...what } = of;
  return (
    <button
      class="check"
      title={`Roll ${label}`}
      disabled={!isLive.value}
      onClick={() =>
        perform({
          kind: 'operation',
          name,
          parameters: { actorUuid: actor.uuid, ...what, ...parametersOf(mode) },
        })
      }
    >
      {children}
      <span class="visually-hidden"> {label}</span>
    </button>
  );
}
