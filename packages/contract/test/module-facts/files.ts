import type { ModuleFacts } from './module-fact.ts';

export const files = {
  'file-system': {
    http: 'GET /file-system',
    timeoutS: 15,
    reads: 'path? source? recursive?',
    answer: {
      success: true,
      path: 'handouts',
      source: 'data',
      results: [
        { name: 'bell.svg', path: 'handouts/bell.svg', type: 'file' },
        { name: 'maps', path: 'handouts/maps', type: 'directory' },
      ],
      recursive: false,
    },
    refusal: { success: false },
  },
  'upload-file': {
    http: 'POST /upload',
    timeoutS: 30,
    reads: 'path filename source? fileData? binaryData? mimeType? overwrite? skipIfExists?',
    answer: { success: true, path: 'handouts/note.txt' },
    refusal: { success: false },
  },
  'download-file': {
    http: 'GET /download',
    timeoutS: 45,
    reads: 'path',
    answer: {
      success: true,
      path: 'handouts/rules.txt',
      fileData: 'data:text/plain;base64,UmluZyBpdCBvbmNlLgo=',
      filename: 'rules.txt',
      mimeType: 'text/plain',
    },
    refusal: { success: false },
  },
} satisfies ModuleFacts;
