import { deprecated, facts } from './strict.js';

/** Who sees a message, by the modes of the version; and the questions that only a person answers. */

/** A dialog that only a person answers. */
export async function askPerson(title) {
  const button = { action: 'ok', label: 'OK', callback: () => true };
  return foundry.applications.api.DialogV2.wait({
    window: { title },
    content: '',
    buttons: [button],
    rejectClose: false,
  });
}

export const modeOption = () => (facts.generation >= 14 ? 'messageMode' : 'rollMode');
const currentMode = () => game.settings.get('core', modeOption());

export function withMode(data, options) {
  const given = options.rollMode ?? options.messageMode;
  if (options.rollMode !== undefined && facts.generation >= 14) deprecated('Roll#toMessage rollMode');
  return applyMode(data, given ?? currentMode());
}

/** Who a message of that mode is for. 14 reads the names of its modes only; those of a roll mode before it are mapped with a warning. */
export function applyMode(data, mode) {
  const gms = () => game.users.filter((user) => user.isGM).map(({ id }) => id);
  const short = { publicroll: 'public', gmroll: 'gm', blindroll: 'blind', selfroll: 'self', roll: 'public' }[
    mode
  ];
  if (short && facts.generation >= 14 && mode !== 'roll') deprecated(`message mode ${mode}`);
  const kind = short ?? mode;
  if (!['public', 'gm', 'blind', 'self', 'ic'].includes(kind))
    throw new Error(`${mode} is no mode of messages in Foundry ${facts.generation}`);
  if (facts.generation < 14 && short === undefined)
    throw new Error(`${mode} is no roll mode in Foundry ${facts.generation}`);
  const whisper = { gm: gms, blind: gms, self: () => [game.user.id] }[kind]?.() ?? [];
  return Object.assign(data, { whisper, blind: kind === 'blind' });
}

export function tellResults(table, { roll, results }, { rollMode, messageMode } = {}) {
  const text = results
    .map((result) => (facts.generation >= 13 ? result.description || result.name : result.text))
    .join(', ');
  const data = {
    flavor: `Draws from the ${table.name} table`,
    content: text,
    rolls: roll ? [roll] : [],
    flags: { core: { RollTable: table.id } },
  };
  return ChatMessage.create(applyMode(data, rollMode ?? messageMode ?? currentMode()));
}
