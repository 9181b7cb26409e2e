import type { Document } from '../../document.ts';
import { idOf } from '../../documents.ts';
import { Refusal } from '../../refusal.ts';
import { createDocument, deleteDocument } from '../../store/change-documents.ts';
import { documentsOf, findDocument, knownDocument } from '../../store/find-documents.ts';
import { documentKinds } from '../../store/kinds.ts';
import { textAt } from '../../store/rooms/fields.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import { assertGm } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { briefDocument, contentsOf } from './contents.ts';

export const folders: OperationHandlers<'get-folder' | 'create-folder' | 'delete-folder'> = {
  'get-folder'(tx, { name }) {
    const folder = documentsOf(tx.state, 'Folder').find(
      ({ data }) => textAt(data, 'name', '').toLowerCase() === name.toLowerCase(),
    );
    if (!folder) throw new Refusal('entity_not_found', `There is no folder ${name}`);
    return { data: { ...told(folder), contents: contentsOf(tx, folder).map(briefDocument) } };
  },

  'create-folder'(tx, { name, folderType, parentFolderId, folderId }) {
    assertGm(tx, 'create folders');
    const known = folderId === undefined ? undefined : findDocument(tx.state, `Folder.${folderId}`);
    if (known) return { data: told(known) };
    if (documentKinds[folderType]?.inWorld !== 'folders')
      throw new Refusal('invalid_data', `${folderType} is not a kind that has folders`);
    if (parentFolderId !== undefined) assertFolder(tx, parentFolderId, folderType);
    const data: Document = {
      name,
      type: folderType,
      folder: parentFolderId ?? null,
      ...(folderId !== undefined && { _id: folderId }),
    };
    const uuid = createDocument(tx, { kind: 'Folder', data, keepId: folderId !== undefined });
    return { data: told(knownDocument(tx.state, uuid)) };
  },

  'delete-folder'(tx, { folderId, deleteAll = false }) {
    assertGm(tx, 'delete folders');
    const all = withInner(tx, knownDocument(tx.state, `Folder.${folderId}`));
    const contents = all.flatMap((folder) => contentsOf(tx, folder));
    if (!deleteAll && (contents.length > 0 || all.length > 1))
      throw new Refusal('not_empty', 'The folder is not empty: say deleteAll to delete what is in it');
    for (const document of contents) deleteDocument(tx, document);
    for (const folder of all) deleteDocument(tx, folder);
    return {
      data: {
        deleted: true,
        folderId,
        entitiesDeleted: contents.length,
        foldersDeleted: all.length,
      },
    };
  },
};

function told({ uuid, data }: FoundDocument) {
  return {
    id: idOf(uuid),
    uuid,
    name: textAt(data, 'name', ''),
    type: textAt(data, 'type', ''),
    parentFolder: textAt(data, 'folder', '') || null,
  };
}

function assertFolder({ state }: Transaction, id: string, type: string): void {
  const parent = knownDocument(state, `Folder.${id}`);
  if (parent.data['type'] !== type)
    throw new Refusal('invalid_data', `The folder ${id} is not for documents of the kind ${type}`);
}

/** A folder and those within it, each once even where somebody made a ring of them. */
function withInner({ state }: Transaction, folder: FoundDocument): FoundDocument[] {
  const folders = documentsOf(state, 'Folder');
  const found = new Map([[folder.uuid, folder]]);
  for (const { uuid } of found.values())
    for (const one of folders) if (one.data['folder'] === idOf(uuid)) found.set(one.uuid, one);
  return [...found.values()];
}
