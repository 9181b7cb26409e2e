import { tabletop } from '../../tabletop/foundry.ts';
import type { Compendium, FoundryDocument, IndexEntry } from '../../tabletop/documents.ts';
import { findUser } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { imageOf, may, typeOf, valueOf } from '../permissions.ts';

/** Kinds that are found by a name. */
export const namedKinds = [
  'Actor',
  'Item',
  'Scene',
  'JournalEntry',
  'RollTable',
  'Playlist',
  'Macro',
  'Cards',
] as const;

export const search = {
  search({ query, filter, excludeCompendiums, minified, limit = 200, ownedByUserId }, { user }) {
    const owner = ownedByUserId === undefined ? undefined : findUser(ownedByUserId);
    const wanted = query?.toLowerCase() ?? '';
    const isWanted = readFilter(filter);
    const results = [];
    for (const found of everything(user, excludeCompendiums === true)) {
      if (!found.name.toLowerCase().includes(wanted) || !isWanted(found)) continue;
      if (owner && !(found.document?.testUserPermission(owner, 'OWNER') ?? false)) continue;
      const isWhole = minified !== true && (!found.document || may(user, found.document, 'OBSERVER'));
      results.push(isWhole ? fullHit(found) : shortHit(found));
      if (results.length >= limit) break;
    }
    return { ...(query !== undefined && { query }), ...(filter !== undefined && { filter }), results };
  },
} satisfies SomeHandlers;

interface Found {
  uuid: string;
  id: string;
  name: string;
  img: string | null;
  kind: string;
  type: string | null;
  folder: string | null;
  /** Of the world; what lies in a compendium is found by its index alone. */
  document?: FoundryDocument;
  entry?: IndexEntry;
  pack?: Compendium;
}

/** Everything that has a name, one after the other, as far as the user may know of it. */
function* everything(user: ActingUser, isWorldAlone: boolean): Generator<Found> {
  for (const kind of namedKinds) {
    for (const document of tabletop.game.collections.get(kind) ?? []) {
      if (may(user, document, 'LIMITED')) yield ofWorld(kind, document);
    }
  }
  if (isWorldAlone) return;
  for (const pack of tabletop.game.packs) {
    if (user && !user.isGM && !pack.testUserPermission(user, 'OBSERVER')) continue;
    for (const entry of pack.index) yield ofPack(pack, entry);
  }
}

const ofWorld = (kind: string, document: FoundryDocument): Found => ({
  uuid: document.uuid,
  id: document.id,
  name: document.name,
  img: imageOf(document),
  kind,
  type: subTypeOf(document),
  folder: document.folder?.id ?? null,
  document,
});

const ofPack = (pack: Compendium, entry: IndexEntry): Found => ({
  uuid: entry.uuid,
  id: entry._id,
  name: entry.name,
  img: entry.img || null,
  kind: pack.documentName,
  type: entry.type ?? null,
  folder: entry.folder ?? null,
  entry,
  pack,
});

function subTypeOf(document: FoundryDocument): string | null {
  return valueOf(document, 'type') === undefined ? null : typeOf(document);
}

const shortHit = ({ uuid, id, name, img, kind }: Found) => ({ uuid, id, name, img, documentType: kind });

function fullHit({ uuid, id, name, img, kind, type, folder, pack }: Found) {
  return {
    uuid,
    id,
    name,
    documentType: kind,
    subType: type,
    icon: img,
    folder,
    package: pack?.collection ?? null,
    packageName: pack?.title ?? null,
    journalLink: `@UUID[${uuid}]{${name}}`,
    tagline: pack?.title ?? kind,
    formattedMatch: name,
    resultType: pack ? 'CompendiumEntity' : 'WorldEntity',
  };
}

/** A kind alone, or fields and their values: all must agree. */
function readFilter(filter: string | Record<string, unknown> | undefined): (found: Found) => boolean {
  const fields: [string, unknown][] =
    typeof filter === 'string'
      ? filter.split(',').map((part) => {
          const [key = '', ...value] = part.split(':');
          return value.length > 0 ? [key.trim(), value.join(':').trim()] : ['documentType', part.trim()];
        })
      : Object.entries(filter ?? {});
  return (found) => {
    if (fields.length === 0) return true;
    const hit: Record<string, unknown> = fullHit(found);
    const data = () => found.document?.toObject() ?? found.entry ?? {};
    const { getProperty } = tabletop.foundry.utils;
    return fields.every(([key, value]) =>
      sameText(Object.hasOwn(hit, key) ? hit[key] : getProperty(data(), key), value),
    );
  };
}

const sameText = (one: unknown, other: unknown): boolean => plain(one) === plain(other);

const plain = (value: unknown): string | undefined =>
  JSON.stringify(value)?.replaceAll('"', '').toLowerCase();
