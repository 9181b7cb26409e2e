import { maybe, open } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

const picture = 'data:image/png;base64,iVBORw0KGgo=';

export const scenes = {
  'get-scene': {
    http: 'GET /scene',
    timeoutS: 10,
    reads: 'sceneId? name? active? viewed? all?',
    answer: {
      data: open({ _id: 'crypt', name: 'The Crypt Below', active: false }, [
        { _id: 'crypt', name: 'The Crypt Below', active: false },
      ]),
    },
    refusal: { data: null },
  },
  'create-scene': {
    http: 'POST /scene',
    timeoutS: 30,
    reads: 'data',
    answer: { data: { _id: 'aBcDeFgHiJkLmNoP', name: 'The bell tower', active: false } },
  },
  'update-scene': {
    http: 'PUT /scene',
    timeoutS: 30,
    reads: 'sceneId? name? active? viewed? data',
    answer: { data: { _id: 'crypt', name: 'The Flooded Crypt', active: false } },
  },
  'delete-scene': {
    http: 'DELETE /scene',
    timeoutS: 10,
    reads: 'sceneId? name? active? viewed?',
    answer: { success: true },
    refusal: { success: false },
  },
  'switch-scene': {
    http: 'POST /switch-scene',
    timeoutS: 30,
    reads: 'sceneId? name? active? viewed?',
    answer: { success: true, data: { _id: 'crypt', name: 'The Crypt Below', active: true } },
    refusal: { success: false },
  },
  'scene-screenshot': {
    http: 'GET /scene/image',
    timeoutS: 30,
    reads: 'sceneId? active? format? quality? showGrid? hideOverlays? viewport? width? height?',
    answer: {
      imageData: picture,
      mimeType: 'image/png',
      width: 240,
      height: 160,
    },
  },
  'scene-raw-image': {
    http: 'GET /scene/image/raw',
    timeoutS: 30,
    reads: 'sceneId? active?',
    answer: {
      data: {
        sceneId: 'crypt',
        sceneName: 'The Crypt Below',
        src: 'scenes/crypt.png',
        imageData: maybe(picture),
        mimeType: maybe('image/png'),
      },
    },
  },
} satisfies ModuleFacts;
