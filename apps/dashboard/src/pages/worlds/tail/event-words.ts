type Fields = Readonly<Record<string, unknown>>;

/** An event of a world as a game master would say it; undefined for what has no words, which is shown as it came. */
export function eventWords(event: string, data: unknown): string | undefined {
  const fields = (data ?? {}) as Fields;
  const said = relaysWords[event];
  if (said !== undefined) return said;
  if (event.startsWith('combat-')) return fightWords(fields);
  if (event.startsWith('chat-')) return chatWords(fields);
  if (event === 'roll') return rollWords(fields);
  return documentWords(event, fields);
}

const relaysWords: Readonly<Record<string, string>> = {
  connected: 'Following.',
  gap: 'Some events were missed.',
  'client-offline': 'The world went away.',
  'client-online': 'The world is back.',
};

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

interface Combatant {
  name?: unknown;
  initiative?: number | null;
}

function fightWords({ eventType, round, turn, combatants, combatant }: Fields): string | undefined {
  const all = (Array.isArray(combatants) ? combatants : []) as Combatant[];
  const place = ({ initiative }: Combatant) => initiative ?? Number.NEGATIVE_INFINITY;
  const ordered = all.toSorted((one, other) => (place(one) === place(other) ? 0 : place(other) - place(one)));
  const whose = text(ordered[Number(turn ?? -1)]?.name);
  const where = `Round ${text(round) || '?'}${whose && `, ${whose}’s turn`}`;
  const who = text((combatant as Combatant | undefined)?.name);
  if (eventType === 'start') return `The fight begins. ${where}.`;
  if (eventType === 'end') return 'The fight ends.';
  if (who)
    return `${who} ${eventType === 'remove' || eventType === 'delete' ? 'leaves' : 'is in'} the fight. ${where}.`;
  return round === undefined ? undefined : `${where}.`;
}

const longestSaid = 160;

function chatWords({ eventType, data }: Fields): string | undefined {
  if (eventType === 'delete') return 'A message was deleted.';
  const { speaker, author, flavor, content, rolls, whisper } = (data ?? {}) as Fields;
  const who =
    text((speaker as Fields | undefined)?.['alias']) || text((author as Fields | undefined)?.['name']);
  const begin = `${who || 'Somebody'}${Array.isArray(whisper) && whisper.length > 0 ? ', whispering' : ''}`;
  const [roll] = (Array.isArray(rolls) ? rolls : []) as Fields[];
  if (roll)
    return `${begin}: ${[text(flavor) || 'rolls', text(roll['total'])].join(' ').trim()}, ${text(roll['formula'])}.`;
  const said = plain(text(content)) || plain(text(flavor));
  return said ? `${begin}: ${said}` : undefined;
}

/** Messages are HTML. Nothing of it is drawn: this is read for its words alone. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longestSaid);

function rollWords({ speaker, flavor, rollTotal, total, formula }: Fields): string | undefined {
  const result = text(rollTotal) || text(total);
  if (!result) return undefined;
  const alias = typeof speaker === 'string' ? speaker : text((speaker as Fields | undefined)?.['alias']);
  return `${alias || 'Somebody'}: ${text(flavor) || 'rolls'} ${result}${text(formula) && `, ${text(formula)}`}.`;
}

const did: Readonly<Record<string, string>> = {
  create: 'was made',
  update: 'was changed',
  delete: 'was deleted',
};

/** Hooks tell the document first: `updateActor` of Mira. */
function documentWords(event: string, { args }: Fields): string | undefined {
  const [, verb = '', kind = ''] = /^(create|update|delete)([A-Z]\w+)$/.exec(event) ?? [];
  if (!kind) return undefined;
  const [first] = Array.isArray(args) ? (args as unknown[]) : [];
  const name = text((first as Fields | null | undefined)?.['name']);
  return `${kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')}${name && ` ${name}`} ${did[verb] ?? verb}.`;
}
