import type { Operation } from '@tabletop-relay/contract';

/** Parameters that name what is destroyed, the most exact first. */
const naming = [
  'documentId',
  'itemUuid',
  'itemName',
  'messageId',
  'folderId',
  'sceneId',
  'encounter',
  'uuid',
  'id',
  'filename',
  'name',
] as const;

const longest = 80;

/** What a call that may destroy something does, with the object that it names: "Delete JournalEntry.rumours". */
export function destroyWords(
  { summary }: Pick<Operation, 'summary'>,
  parameters: Readonly<Record<string, unknown>>,
): string {
  const name = naming.find((one) => typeof parameters[one] === 'string' && parameters[one] !== '');
  const object = name === undefined ? undefined : String(parameters[name]).slice(0, longest);
  const [verb = summary] = summary.split(' ', 1);
  if (object !== undefined) return `${verb} ${object}`;
  return parameters['selected'] === true ? `${verb} what is selected` : summary;
}
