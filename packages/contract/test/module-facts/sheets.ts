import type { ModuleFacts } from './module-fact.ts';

export const sheets = {
  'sheet-screenshot': {
    http: 'GET /sheet',
    timeoutS: 20,
    reads: 'uuid? selected? actor? format? quality? scale?',
    answer: {
      success: true,
      imageData: 'data:image/png;base64,iVBORw==',
      mimeType: 'image/png',
      width: 560,
      height: 720,
    },
    refusal: { success: false },
  },
} satisfies ModuleFacts;
