import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Compendium, Data, Folder, FoundryDocument, IndexEntry } from '../../tabletop/documents.ts';
import { assertMaster, isMaster, isName, notFound } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import { vetoed } from '../call.ts';
import type { SomeHandlers } from '../call.ts';
import { imageOf, may, tell, typeOf } from '../permissions.ts';
import { namedKinds } from './search.ts';

/** Folders, and what lies in them. */
export const structure = {
  async structure({ path, types, recursive, recursiveDepth = 5, includeEntityData }, { user }) {
    const list = lister(user, includeEntityData === true);
    const depth = recursive === true ? recursiveDepth : 1;
    if (path?.startsWith('Compendium.')) {
      return { data: { compendium: await tellPack(user, path, includeEntityData === true) } };
    }
    if (path !== undefined) {
      const folder = folderBy(path);
      return { data: { folders: { [folder.name]: treeOf(user, folder, { depth, list }) } } };
    }
    const kinds = namedKinds.filter((kind) => types?.includes(kind) ?? true);
    const top = tabletop.game.folders.filter(
      ({ type, folder }) => !folder && (kinds as readonly string[]).includes(type),
    );
    const loose = kinds.flatMap((kind) => {
      const documents = seen(user, kind).filter(({ folder }) => !folder);
      return documents.length > 0 ? [[collectionNames[kind], list(documents)] as const] : [];
    });
    const packs = packsSeen(user).filter(({ documentName }) =>
      (kinds as readonly string[]).includes(documentName),
    );
    return {
      data: {
        folders: Object.fromEntries(top.map((one) => [one.name, treeOf(user, one, { depth, list })])),
        entities: Object.fromEntries(loose),
        compendiumPacks: Object.fromEntries(packs.map((pack) => [pack.title, aboutPack(pack)])),
      },
    };
  },

  'get-folder'({ name }, { user }) {
    const folder = tabletop.game.folders.find((one) => isName(one, name));
    if (!folder) throw notFound('folder', name);
    return { data: { ...tellFolder(folder), contents: contentsOf(user, folder).map(brief) } };
  },

  async 'create-folder'({ name, folderType, parentFolderId, folderId }, { user }) {
    assertMaster(user, 'create folders');
    const { folders } = tabletop.game;
    const known = folderId === undefined ? undefined : folders.get(folderId);
    if (known) return { data: tellFolder(known) };
    if (!(namedKinds as readonly string[]).includes(folderType)) {
      throw new OperationRefused(`${folderType} is not a kind that has folders`, 'invalid_data');
    }
    if (parentFolderId !== undefined && folderBy(`Folder.${parentFolderId}`).type !== folderType) {
      const message = `The folder ${parentFolderId} is not for documents of the kind ${folderType}`;
      throw new OperationRefused(message, 'invalid_data');
    }
    if (folderId !== undefined && !/^[A-Za-z0-9]{16}$/.test(folderId)) {
      throw new OperationRefused('An id has sixteen letters and digits', 'invalid_data');
    }
    const data = {
      name,
      type: folderType,
      folder: parentFolderId ?? null,
      ...(folderId !== undefined && { _id: folderId }),
    };
    const made = await folders.documentClass.create(data, { keepId: folderId !== undefined });
    if (!made) throw vetoed('The folder');
    return { data: tellFolder(made) };
  },

  async 'delete-folder'({ folderId, deleteAll = false }, { user }) {
    assertMaster(user, 'delete folders');
    const folder = folderBy(`Folder.${folderId}`);
    const all = withInner(folder);
    const contents = all.flatMap((one) => contentsOf(null, one));
    if (!deleteAll && (contents.length > 0 || all.length > 1)) {
      throw new OperationRefused(
        'The folder is not empty: say deleteAll to delete what is in it',
        'not_empty',
      );
    }
    const { game } = tabletop;
    const ids = contents.map(({ id }) => id);
    if (ids.length > 0) await game.collections.get(folder.type)?.documentClass.deleteDocuments(ids);
    // The innermost first, so that none is deleted with the one that holds it.
    await game.folders.documentClass.deleteDocuments(all.map(({ id }) => id).toReversed());
    return {
      data: { deleted: true, folderId, entitiesDeleted: ids.length, foldersDeleted: all.length },
    };
  },
} satisfies SomeHandlers;

/** The names under which `game` has them. */
const collectionNames: Readonly<Record<(typeof namedKinds)[number], string>> = {
  Actor: 'actors',
  Item: 'items',
  Scene: 'scenes',
  JournalEntry: 'journal',
  RollTable: 'tables',
  Playlist: 'playlists',
  Macro: 'macros',
  Cards: 'cards',
};

type List = (documents: readonly FoundryDocument[]) => Data[];

const lister =
  (user: ActingUser, isWhole: boolean): List =>
  (documents) =>
    documents.map((document) =>
      isWhole ? { ...tell(user, document), uuid: document.uuid } : brief(document),
    );

const brief = (document: FoundryDocument) => ({
  uuid: document.uuid,
  id: document.id,
  name: document.name,
  type: typeOf(document),
  img: imageOf(document),
});

const briefEntry = ({ uuid, _id, name, type, img }: IndexEntry, kind: string) => ({
  uuid,
  id: _id,
  name,
  type: type ?? kind,
  img: img || null,
});

const seen = (user: ActingUser, kind: string): FoundryDocument[] =>
  tabletop.game.collections.get(kind)?.filter((document) => may(user, document, 'LIMITED')) ?? [];

const contentsOf = (user: ActingUser, { contents }: Folder): FoundryDocument[] =>
  contents.filter((document) => may(user, document, 'LIMITED'));

function treeOf(user: ActingUser, folder: Folder, how: { depth: number; list: List }): Data {
  const { depth, list } = how;
  const inner = depth > 1 ? innerFolders(folder) : [];
  return {
    id: folder.id,
    uuid: folder.uuid,
    type: folder.type,
    folders: Object.fromEntries(
      inner.map((one) => [one.name, treeOf(user, one, { depth: depth - 1, list })]),
    ),
    entities: list(contentsOf(user, folder)),
  };
}

const innerFolders = ({ id }: Folder): Folder[] =>
  tabletop.game.folders.filter((one) => one.folder?.id === id);

/** A folder and those within it, each once even where somebody made a ring of them. */
function withInner(folder: Folder): Folder[] {
  const found = new Map([[folder.id, folder]]);
  for (const one of found.values()) for (const inner of innerFolders(one)) found.set(inner.id, inner);
  return [...found.values()];
}

/** A folder, and with `isDeep` the folders and documents in it: what deleting it takes away. */
export function everythingIn(folderId: string, isDeep: boolean): FoundryDocument[] {
  const folder = folderBy(`Folder.${folderId}`);
  if (!isDeep) return [folder];
  const all = withInner(folder);
  return [...all, ...all.flatMap((one) => contentsOf(null, one))];
}

function folderBy(path: string): Folder {
  const folder = path.startsWith('Folder.')
    ? tabletop.game.folders.get(path.slice('Folder.'.length))
    : undefined;
  if (!folder) throw notFound('folder', path);
  return folder;
}

const tellFolder = ({ id, uuid, name, type, folder }: Folder) => ({
  id,
  uuid,
  name,
  type,
  parentFolder: folder?.id ?? null,
});

const packsSeen = (user: ActingUser): Compendium[] =>
  tabletop.game.packs.filter((pack) => isMaster(user) || pack.testUserPermission(user!, 'OBSERVER'));

const aboutPack = ({ collection, title, documentName, index }: Compendium) => ({
  id: collection,
  name: title,
  type: documentName,
  count: index.size,
});

async function tellPack(user: ActingUser, path: string, isWhole: boolean): Promise<Data> {
  const pack = packsSeen(user).find(({ collection }) => path === `Compendium.${collection}`);
  if (!pack) throw notFound('compendium', path);
  const documents = isWhole ? await pack.getDocuments() : [];
  const entities = isWhole
    ? documents.map((document) => ({ ...tell(user, document), uuid: document.uuid }))
    : pack.index.map((entry) => briefEntry(entry, pack.documentName));
  return { ...aboutPack(pack), entities };
}
