import { inner, world } from '../parts.js';
import { RollBase, rollTable } from '../dice.js';
import { deprecated, facts, isPlain } from '../strict.js';
import { mergeObject } from '../utils.js';

/**
 * Rolls of the system in its three families: positional (3.3), objects with the old form kept (4.4), and objects alone (5.3, 6.0).
 * A roll that would open a dialog waits for a person, as in the tabletop; one that a hook vetoes gives nothing.
 */

const isOld = () => facts.dnd5eFamily === '3.3';
const isMixed = () => facts.dnd5eFamily === '4.4';

export class D20Roll extends RollBase {
  static [rollTable] = 'D20Roll';
  static ADV_MODE = { NORMAL: 0, ADVANTAGE: 1, DISADVANTAGE: -1 };
  get d20() {
    return this.dice[0];
  }
  get validD20Roll() {
    return this.dice[0]?.faces === 20;
  }
  get hasAdvantage() {
    return this.options.advantageMode === 1;
  }
  get hasDisadvantage() {
    return this.options.advantageMode === -1;
  }
  get isCritical() {
    return this.validD20Roll && this._evaluated
      ? this.dice[0].total >= (this.options.criticalSuccess ?? this.options.critical ?? 20)
      : false;
  }
  get isFumble() {
    return this.validD20Roll && this._evaluated
      ? this.dice[0].total <= (this.options.criticalFailure ?? this.options.fumble ?? 1)
      : false;
  }
  get isSuccess() {
    return this._evaluated && Number.isFinite(this.options.target)
      ? this.total >= this.options.target
      : undefined;
  }
  get isFailure() {
    return this._evaluated && Number.isFinite(this.options.target)
      ? this.total < this.options.target
      : undefined;
  }
}

export class DamageRoll extends RollBase {
  static [rollTable] = 'DamageRoll';
  get isCritical() {
    return this.options.isCritical === true;
  }
}

/** Waits for the dialog that a person must answer: `null` when it is closed. */
export const waitForPerson = (title) => world.askPerson(title);

/** What is rolled: the parts, and what the message says. */
const kinds = {
  skill: (actor, { skill, ability }) => {
    const data = actor.system.skills[skill];
    const mod =
      ability && ability !== data.ability
        ? actor.system.abilities[ability].mod + data.total - data.mod
        : data.total;
    return {
      bonus: mod,
      title: `${facts.dnd5e.labels?.[skill] ?? skill} Check`,
      flag: { type: 'skill', skillId: skill },
    };
  },
  tool: (actor, { tool, ability = 'int' }) => ({
    bonus: actor.system.abilities[ability].mod,
    title: `${tool} Check`,
    flag: { type: 'tool', toolId: tool },
  }),
  ability: (actor, { ability }) => ({
    bonus: actor.system.abilities[ability]?.mod ?? 0,
    title: `${ability} Check`,
    flag: { type: 'ability', abilityId: ability },
  }),
  save: (actor, { ability }) => {
    const save = actor.system.abilities[ability]?.save ?? 0;
    return {
      bonus: save.value ?? save,
      title: `${ability} Save`,
      flag: { type: 'save', abilityId: ability },
    };
  },
  death: () => ({ bonus: 0, title: 'Death Saving Throw', flag: { type: 'death' } }),
  concentration: (actor) => {
    const save = actor.system.abilities.con.save;
    return { bonus: save.value ?? save, title: 'Concentration', flag: { type: 'save', abilityId: 'con' } };
  },
};

function build({ bonus, advantage, disadvantage, parts = [], target, options = {} }) {
  const mode = Number(advantage === true) - Number(disadvantage === true);
  const dice = { 1: '2d20kh', [-1]: '2d20kl', 0: '1d20' }[mode];
  const formula = [dice, bonus, ...parts]
    .filter((part) => part !== '' && part !== undefined)
    .join(' + ')
    .replaceAll('+ -', '- ');
  return new world.D20Roll(
    formula,
    {},
    { ...options, advantageMode: mode, ...(target === undefined ? {} : { target }) },
  );
}

async function post(actor, roll, { kind, spec, create = true, data = {}, rollMode }) {
  if (!create) return undefined;
  const speaker = ChatMessage.getSpeaker({ actor: actor[inner].proxy });
  const isCheck = facts.dnd5eFamily === '6.0' && ['skill', 'tool', 'ability'].includes(kind);
  const { skillId = null, toolId = null, abilityId } = spec.flag;
  const ability = abilityId ?? (skillId ? actor.system.skills[skillId].ability : 'int');
  const told = isCheck
    ? { type: 'check', system: { ability, skill: skillId, tool: toolId } }
    : { flags: { dnd5e: { messageType: 'roll', roll: spec.flag } } };
  return roll.toMessage(mergeObject({ speaker, flavor: spec.title, ...told }, data), {
    [world.modeOption()]: rollMode,
  });
}

/** The positional form: `options` are those of a single roll; a Roll comes back, or undefined on a veto. */
async function rollOld(actor, kind, subject, options = {}) {
  const hook =
    { skill: 'Skill', tool: 'ToolCheck', ability: 'AbilityTest', save: 'AbilitySave', death: 'DeathSave' }[
      kind
    ] ?? 'Concentration';
  const id = Object.values(subject)[0];
  const rollData = { ...options, parts: [...(options.parts ?? [])] };
  if (!world.hooks.call(`dnd5e.preRoll${hook}`, actor[inner].proxy, rollData, id)) return undefined;
  if (!rollData.fastForward && (await waitForPerson(hook)) === null) return null;
  const spec = kinds[kind](actor, subject);
  const target = rollData.targetValue;
  const roll = build({
    ...spec,
    ...rollData,
    target,
    options: { critical: 20, fumble: 1, targetValue: target },
  });
  await roll.evaluate({ allowInteractive: false });
  const data = rollData.messageData ?? {};
  await post(actor, roll, {
    kind,
    spec,
    create: rollData.chatMessage !== false,
    data,
    rollMode: rollData.rollMode,
  });
  world.hooks.callAll(`dnd5e.roll${hook}`, actor[inner].proxy, roll, id);
  return roll;
}

/** The form with three objects: an array of rolls, or null. */
async function rollNew(actor, { kind, hook, subject }, config = {}, dialog = {}, message = {}) {
  const details = {
    subject: actor[inner].proxy,
    ...config,
    hookNames: [hook, 'd20Test'],
    rolls: [...(config.rolls ?? [])],
  };
  const names = isMixed() ? [`dnd5e.preRoll${hook}V2`] : [`dnd5e.preRoll${hook}V2`, `dnd5e.preRoll${hook}`];
  for (const name of names) if (!world.hooks.call(name, details, dialog, message)) return null;
  if (dialog.configure !== false && (await waitForPerson(hook)) === null) return null;
  const spec = kinds[kind](actor, subject);
  const given = details.rolls[0] ?? {};
  const flags = given.options ?? {};
  const advantage = flags.advantage === true || details.advantage === true;
  const disadvantage = flags.disadvantage === true || details.disadvantage === true;
  const parts = [...(given.parts ?? []), ...(kind === 'skill' && details.bonus ? [details.bonus] : [])];
  const roll = build({
    ...spec,
    advantage,
    disadvantage,
    parts,
    target: details.target ?? flags.target,
    options: flags,
  });
  await roll.evaluate({ allowInteractive: false });
  await post(actor, roll, { kind, spec, ...message });
  const rest = { subject: actor[inner].proxy, ...subject };
  world.hooks.callAll(`dnd5e.roll${hook}V2`, [roll], rest);
  if (!isMixed()) world.hooks.callAll(`dnd5e.roll${hook}`, [roll], rest);
  return [roll];
}

const isPositional = (config) => !isPlain(config);

/** One method of an actor over the families; 4.4 reads what is no plain object in the old form, with a warning. */
function method(kind, key, hook) {
  return async function roll(config = {}, dialog = {}, message = {}) {
    if (isOld()) return rollOld(this, kind, { [key]: checkKnown(this, key, config) }, dialog);
    if (isPositional(config)) {
      if (!isMixed()) throw new Error(`${hook} takes an object: { ${key} }`);
      deprecated(`Actor#roll${hook} with positional parameters`);
      const [roll] =
        (await rollNew(
          this,
          { kind, hook, subject: { [key]: config } },
          oldConfig(dialog),
          oldDialog(dialog),
          {},
        )) ?? [];
      return roll ?? null;
    }
    const subject = { [key]: config[key] };
    if (config.ability !== undefined) subject.ability = config.ability;
    // An unknown skill falls through to a check of the ability.
    if (key === 'skill' && !this.system.skills?.[config.skill]) {
      if (!this.system.skills) return null;
      return rollNew(
        this,
        { kind: 'ability', hook: 'AbilityCheck', subject: { ability: config.ability } },
        config,
        dialog,
        message,
      );
    }
    if (!this.system.abilities) return null;
    return rollNew(this, { kind, hook, subject }, config, dialog, message);
  };
}

function checkKnown(actor, key, id) {
  const place = { skill: actor.system.skills, ability: actor.system.abilities }[key];
  if (place && !(id in place)) throw new TypeError(`${key} ${id} does not exist`);
  return id;
}

const oldConfig = ({ advantage, disadvantage, parts = [], targetValue } = {}) => ({
  target: targetValue,
  rolls: [{ parts, options: { advantage, disadvantage } }],
});
const oldDialog = ({ fastForward } = {}) => ({ configure: fastForward !== true });

export const rolls = {
  rollSkill: method('skill', 'skill', 'Skill'),
  rollToolCheck: method('tool', 'tool', 'ToolCheck'),
  rollAbilityCheck: method('ability', 'ability', 'AbilityCheck'),
  rollAbilityTest: method('ability', 'ability', 'AbilityCheck'),
  rollSavingThrow: method('save', 'ability', 'SavingThrow'),
  rollAbilitySave: method('save', 'ability', 'SavingThrow'),
  rollAbility(id, options) {
    return this.rollAbilityTest(id, options);
  },
  rollDeathSave: special('death', 'DeathSave', afterDeathSave),
  rollConcentration: special('concentration', 'Concentration'),
};

/** Death saves and concentration: in 4.4 their config is read in the old form unless `legacy: false` is passed. */
function special(kind, hook, after) {
  return async function roll(config = {}, dialog = {}, message = {}) {
    const { attributes } = this.system;
    if (kind === 'death' && !attributes?.death)
      throw new Error('Actors of this type have no death saving throws');
    if (kind === 'concentration' && !this.isOwner) return null;
    if (
      kind === 'death' &&
      (attributes.hp.value > 0 || attributes.death.success >= 3 || attributes.death.failure >= 3)
    ) {
      ui.notifications.warn('This actor has no need of a death saving throw');
      return null;
    }
    const isLegacy = isMixed() && config.legacy !== false;
    if (isLegacy) deprecated(`Actor#roll${hook} without legacy: false`);
    const rolled = isOld()
      ? [await rollOld(this, kind, {}, config)].filter((entry) => entry !== undefined)
      : await rollNew(
          this,
          { kind, hook, subject: {} },
          isLegacy ? oldConfig(config) : config,
          isLegacy ? oldDialog(config) : dialog,
          message,
        );
    const [first] = rolled ?? [];
    if (first && after) await after(this, first, config);
    return isOld() || isLegacy ? (first ?? null) : rolled;
  };
}

async function afterDeathSave(actor, roll, { target = 10 }) {
  const { death } = actor.system.attributes;
  const isCritical = roll.isCritical;
  if (isCritical) {
    await actor.update({
      'system.attributes.hp.value': 1,
      'system.attributes.death': { success: 0, failure: 0 },
    });
    return;
  }
  const key = roll.total >= target ? 'success' : 'failure';
  await actor.update({
    [`system.attributes.death.${key}`]: Math.min(3, death[key] + (roll.isFumble ? 2 : 1)),
  });
}
