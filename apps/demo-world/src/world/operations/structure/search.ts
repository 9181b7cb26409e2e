import { valueAt } from '../../differences.ts';
import { idOf } from '../../documents.ts';
import type { Transaction } from '../../transaction.ts';
import { compendiums } from '../../store/compendium.ts';
import { documentsOf } from '../../store/find-documents.ts';
import { documentKinds } from '../../store/kinds.ts';
import { levelOf, levels } from '../../store/permissions.ts';
import { textAt } from '../../store/rooms/fields.ts';
import { isDocument } from '../../store/merge.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import { findUser } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';

export const search: OperationHandlers<'search'> = {
  search(tx, { query, filter, excludeCompendiums, minified, limit = 200, ownedByUserId }) {
    const isWanted = readFilter(filter);
    const wanted = query?.toLowerCase() ?? '';
    const owner = ownedByUserId === undefined ? undefined : findUser(tx.state, ownedByUserId);
    const found = everything(tx, excludeCompendiums === true).filter(
      (document) =>
        textAt(document.data, 'name', '').toLowerCase().includes(wanted) &&
        isWanted(document) &&
        levelOf(tx.state, tx.user, document) >= levels.limited &&
        (!owner || levelOf(tx.state, { ...owner, isGM: false }, document) === levels.owner),
    );
    const results = found.slice(0, limit).map((document) => {
      const isWhole = levelOf(tx.state, tx.user, document) >= levels.observer;
      return minified === true || !isWhole ? shortHit(document) : fullHit(document);
    });
    return { ...(query !== undefined && { query }), ...(filter !== undefined && { filter }), results };
  },
};

const searched = Object.keys(documentKinds).filter((kind) => documentKinds[kind]?.inWorld === 'folders');

function everything({ state }: Transaction, excludeCompendiums: boolean): FoundDocument[] {
  const inWorld = searched.flatMap((kind) => documentsOf(state, kind));
  return excludeCompendiums
    ? inWorld
    : [...inWorld, ...compendiums.flatMap(({ documents }) => [...documents])];
}

/** A kind alone, or fields and their values: all must agree. */
function readFilter(filter: string | Record<string, unknown> | undefined) {
  const fields: [string, unknown][] =
    typeof filter === 'string'
      ? filter.split(',').map((part) => {
          const [key, ...value] = part.split(':');
          return value.length > 0 ? [key!.trim(), value.join(':').trim()] : ['documentType', part.trim()];
        })
      : Object.entries(filter ?? {});
  return (document: FoundDocument): boolean => {
    const hit: Record<string, unknown> = fullHit(document);
    return fields.every(([key, value]) => {
      const actual = Object.hasOwn(hit, key) ? hit[key] : valueAt(document.data, key);
      return sameText(actual, value);
    });
  };
}

const sameText = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one)?.replaceAll('"', '').toLowerCase() ===
  JSON.stringify(other)?.replaceAll('"', '').toLowerCase();

function shortHit({ uuid, kind, data }: FoundDocument) {
  return {
    uuid,
    id: idOf(uuid),
    name: textAt(data, 'name', ''),
    img: textAt(data, 'img', '') || null,
    documentType: kind,
  };
}

function fullHit(document: FoundDocument) {
  const { uuid, kind, data } = document;
  const { img, ...hit } = shortHit(document);
  const pack = compendiums.find(({ documents }) => documents.includes(document));
  return {
    ...hit,
    documentType: kind,
    subType: textAt(data, 'type', '') || null,
    icon: img,
    folder: isDocument(data['folder']) ? null : (data['folder'] ?? null),
    package: pack?.id ?? null,
    packageName: pack?.label ?? null,
    journalLink: `@UUID[${uuid}]{${hit.name}}`,
    tagline: pack?.label ?? kind,
    formattedMatch: hit.name,
    resultType: pack ? 'CompendiumEntity' : 'WorldEntity',
  };
}
