import type { ModuleFacts } from './module-fact.ts';

export const canvas = {
  'get-canvas-documents': {
    http: 'GET /canvas/{documentType}',
    timeoutS: 10,
    reads: 'documentType documentId? sceneId?',
    answer: {
      sceneId: 'crypt',
      documentType: 'walls',
      data: [{ _id: 'vault-gate', c: [11, 3, 11, 5], door: 1, ds: 0 }],
    },
    refusal: { data: null },
  },
  'create-canvas-document': {
    http: 'POST /canvas/{documentType}',
    timeoutS: 30,
    reads: 'documentType className data sceneId?',
    answer: {
      sceneId: 'chapel',
      documentType: 'notes',
      data: [{ _id: 'aBcDeFgHiJkLmNoP', x: 12, y: 6, text: 'Wet footprints' }],
    },
  },
  'update-canvas-document': {
    http: 'PUT /canvas/{documentType}',
    timeoutS: 30,
    reads: 'documentType className documentId data sceneId?',
    answer: {
      sceneId: 'crypt',
      documentType: 'walls',
      data: [{ _id: 'vault-gate', c: [11, 3, 11, 5], door: 1, ds: 1 }],
    },
  },
  'delete-canvas-document': {
    http: 'DELETE /canvas/{documentType}',
    timeoutS: 10,
    reads: 'documentType className documentId sceneId?',
    answer: { sceneId: 'crypt', documentType: 'walls', success: true },
    refusal: { success: false },
  },
  'move-token': {
    http: 'POST /move-token',
    timeoutS: 10,
    reads: 'uuid? name? x y waypoints? animate? sceneId?',
    answer: {
      data: { tokenUuid: 'Scene.chapel.Token.mira', name: 'Mira Thornwood', x: 6, y: 7, sceneId: 'chapel' },
    },
  },
  'measure-distance': {
    http: 'GET /measure-distance',
    timeoutS: 10,
    reads: 'originX? originY? originUuid? originName? targetX? targetY? targetUuid? targetName? sceneId?',
    answer: {
      data: {
        distance: 45,
        units: 'ft',
        origin: { x: 5.5, y: 6.5 },
        target: { x: 14.5, y: 8.5 },
        sceneId: 'chapel',
      },
    },
  },
} satisfies ModuleFacts;
