import type { Document } from '../../document.ts';
import { idOf } from '../../documents.ts';
import { Refusal } from '../../refusal.ts';
import { compendiums } from '../../store/compendium.ts';
import type { Compendium } from '../../store/compendium.ts';
import { documentsOf, knownDocument } from '../../store/find-documents.ts';
import { documentKinds, isFoldered } from '../../store/kinds.ts';
import { toldDocument } from '../../store/permissions.ts';
import { textAt } from '../../store/rooms/fields.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import type { OperationHandlers } from '../handler.ts';
import { briefDocument, contentsOf, visible } from './contents.ts';

export const structure: OperationHandlers<'structure'> = {
  structure(tx, { path, types, recursive, recursiveDepth = 5, includeEntityData }) {
    const list = listerOf(tx, includeEntityData === true);
    const depth = recursive === true ? recursiveDepth : 1;
    if (path?.startsWith('Compendium.')) return { data: { compendium: packOf(path, list) } };
    if (path !== undefined) {
      const folder = knownDocument(tx.state, path);
      if (folder.kind !== 'Folder') throw new Refusal('entity_not_found', `${path} is not a folder`);
      const name = textAt(folder.data, 'name', '');
      return { data: { folders: { [name]: treeOf(tx, folder, { depth, list }) } } };
    }
    const kinds = kindsOf(types);
    const top = documentsOf(tx.state, 'Folder').filter(
      ({ data }) => kinds.some((kind) => kind === data['type']) && !data['folder'],
    );
    const loose = kinds.map((kind) => {
      const documents = visible(tx, kind).filter(({ data }) => !data['folder']);
      return [documentKinds[kind]!.collection, list(documents)] as const;
    });
    return {
      data: {
        folders: named(top.map((folder) => [folder, treeOf(tx, folder, { depth, list })])),
        entities: Object.fromEntries(loose.filter(([, documents]) => documents.length > 0)),
        compendiumPacks: packsOf(kinds),
      },
    };
  },
};

type List = (documents: readonly FoundDocument[]) => Document[];

function listerOf(tx: Transaction, isWhole: boolean): List {
  return (documents) =>
    documents.map((document) => (isWhole ? toldDocument(tx, document) : briefDocument(document)));
}

function treeOf(tx: Transaction, folder: FoundDocument, how: { depth: number; list: List }): Document {
  const { depth, list } = how;
  const id = idOf(folder.uuid);
  const inner = documentsOf(tx.state, 'Folder').filter(({ data }) => data['folder'] === id);
  const folders =
    depth > 1
      ? inner.map((one): [FoundDocument, Document] => [one, treeOf(tx, one, { depth: depth - 1, list })])
      : [];
  return {
    id,
    uuid: folder.uuid,
    type: textAt(folder.data, 'type', ''),
    folders: named(folders),
    entities: list(contentsOf(tx, folder)),
  };
}

/** Folders by name, as today's modules have them: of equal names the later stays. */
function named(folders: readonly (readonly [FoundDocument, Document])[]): Document {
  return Object.fromEntries(folders.map(([{ data }, tree]) => [textAt(data, 'name', ''), tree]));
}

function kindsOf(wanted: readonly string[] | undefined): string[] {
  const all = Object.keys(documentKinds).filter(isFoldered);
  return wanted ? all.filter((kind) => wanted.includes(kind)) : all;
}

function packsOf(kinds: readonly string[]): Document {
  const packs = compendiums.filter(({ kind }) => kinds.includes(kind));
  return Object.fromEntries(packs.map((pack) => [pack.label, aboutPack(pack)]));
}

function packOf(path: string, list: List): Document {
  const pack = compendiums.find(({ id }) => path === `Compendium.${id}`);
  if (!pack) throw new Refusal('entity_not_found', `There is no compendium ${path}`);
  return { ...aboutPack(pack), entities: list(pack.documents) };
}

const aboutPack = ({ id, label, kind, documents }: Compendium): Document => ({
  id,
  name: label,
  type: kind,
  count: documents.length,
});
