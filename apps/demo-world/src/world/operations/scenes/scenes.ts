import type { Document } from '../../document.ts';
import { changeDocument, createDocument, deleteDocument } from '../../store/change-documents.ts';
import { knownDocument, wholeDocument } from '../../store/find-documents.ts';
import { assertCreator, assertLevel, levels, toldDocument } from '../../store/permissions.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import { showScene } from '../../transaction.ts';
import { assertGm } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { visible } from '../structure/contents.ts';
import { documentOfScene, findScene } from './places.ts';
import type { SceneReference } from './places.ts';

export const scenes: OperationHandlers<
  'get-scene' | 'create-scene' | 'update-scene' | 'delete-scene' | 'switch-scene'
> = {
  'get-scene'(tx, { all, ...reference }) {
    if (all) return { data: visible(tx, 'Scene').map((scene) => toldDocument(tx, scene)) };
    const scene = namedScene(tx, reference);
    assertLevel(tx, scene, levels.limited, 'see');
    return { data: toldDocument(tx, scene) };
  },

  'create-scene'(tx, { data }) {
    assertCreator(tx, 'Scene');
    const { user } = tx;
    const owned = user === null ? data : { ...data, ownership: { default: 0, [user.id]: 3 } };
    return { data: whole(tx, createDocument(tx, { kind: 'Scene', data: owned })) };
  },

  'update-scene'(tx, { data, ...reference }) {
    const scene = namedScene(tx, reference);
    assertLevel(tx, scene, levels.owner, 'change');
    changeDocument(tx, scene, data);
    return { data: whole(tx, scene.uuid) };
  },

  'delete-scene'(tx, reference) {
    const scene = namedScene(tx, reference);
    assertLevel(tx, scene, levels.owner, 'delete');
    deleteDocument(tx, scene);
    return { success: true };
  },

  'switch-scene'(tx, reference) {
    assertGm(tx, 'switch scenes');
    const { id } = findScene(tx.state, reference);
    showScene(tx, id);
    return { success: true, data: whole(tx, `Scene.${id}`) };
  },
};

const namedScene = ({ state }: Transaction, reference: SceneReference): FoundDocument =>
  documentOfScene(state, findScene(state, reference));

const whole = ({ state }: Transaction, uuid: string): Document =>
  wholeDocument(state, knownDocument(state, uuid));
