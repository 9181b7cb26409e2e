import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationGroup } from '../operation-definition.ts';
import { filePath } from './file-path.ts';

const mebibyte = 1024 * 1024;

/** The largest file that fits into one frame of 16 MiB as base64. */
const maxFileBytes = 11 * mebibyte;

const source = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[\\w-]+$',
    description: 'Where files are kept: `data` when left out; `public` and `s3` where the tabletop has them.',
  }),
);

const reasons = ['file_not_found', 'permission_denied', 'not_supported'] as const;

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const files = {
  name: 'files',
  title: 'Files',
  prefix: '',
  definitions: {
    'file-system': query({
      summary: 'List the files of a folder',
      scope: 'file:read',
      timeoutMs: 15_000,
      parameters: {
        path: Type.Optional(filePath(0, 'The folder; the topmost when left out.')),
        source,
        recursive: flag('List what lies deeper too, three levels at most.'),
      },
      result: Type.Object({
        success: Type.Boolean(),
        path: Type.Optional(Type.String()),
        source: Type.Optional(Type.String()),
        results: Type.Array(
          Type.Object({
            name: Type.String(),
            path: Type.String(),
            type: Type.String({ description: '`file` or `directory`.' }),
          }),
        ),
        recursive: Type.Optional(Type.Boolean()),
      }),
      reasons,
      example: {
        parameters: { path: 'handouts' },
        result: {
          success: true,
          path: 'handouts',
          source: 'data',
          results: [{ name: 'bell.svg', path: 'handouts/bell.svg', type: 'file' }],
          recursive: false,
        },
      },
    }),
    'upload-file': command({
      summary: 'Upload a file',
      description:
        'A file may have 11 MiB: as the raw body, as the one file of a form (`multipart/form-data`), or in JSON as `fileData`. `binaryData` in JSON may have 1 MiB. Folders that are missing are made. A file that is there is replaced only where `overwrite` says so. Today’s modules refuse it with `skipIfExists` too: the call fails, it is not skipped. Their own upload has 10 s.',
      path: '/upload',
      scope: 'file:write',
      effect: 'destroys',
      timeoutMs: 30_000,
      parameters: {
        path: filePath(0, 'The folder.'),
        filename: Type.String({
          minLength: 1,
          maxLength: 255,
          pattern: '^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]+$',
          description: 'Name of the file, without folders.',
        }),
        source,
        fileData: Type.Optional(
          Type.String({
            place: 'body',
            pattern: '^data:(?:$|[^,]{0,200};base64,)',
            description: 'The file as a data URL in base64; `data:` and `data:;base64,` are empty files.',
          }),
        ),
        binaryData: Type.Optional(
          Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
            place: 'body',
            maxItems: mebibyte,
            description: 'The file as a list of bytes.',
          }),
        ),
        mimeType: Type.Optional(
          Type.String({
            maxLength: 128,
            pattern: '^[\\w.+-]+/[\\w.+-]+$',
            description: 'Content type of the file.',
          }),
        ),
        overwrite: flag('Replace a file that is there.'),
        skipIfExists: flag('Do nothing where the file is there.'),
      },
      identifiedBy: [['fileData', 'binaryData']],
      bodyBytes: {
        parameter: 'fileData',
        encoding: 'data-url',
        contentType: 'mimeType',
        fileName: 'filename',
        maxBytes: maxFileBytes,
      },
      maxBodyBytes: 15 * mebibyte,
      result: Type.Object({
        success: Type.Boolean(),
        path: Type.Optional(Type.String({ description: 'Where the file is now.' })),
      }),
      reasons: [...reasons, 'already_exists', 'invalid_data', 'world_full'],
      example: {
        parameters: {
          path: 'handouts',
          filename: 'note.txt',
          fileData: 'data:text/plain;base64,SXQgcmluZ3Mu',
          mimeType: 'text/plain',
        },
        result: { success: true, path: 'handouts/note.txt' },
      },
    }),
    'download-file': query({
      summary: 'Download a file',
      description:
        'A file may have about 11 MiB, since it comes in one frame of at most 16 MiB. Modules would also fetch an address of the web here, from the game master’s browser; the relay refuses that. They do not read `source`.',
      path: '/download',
      scope: 'file:read',
      timeoutMs: 45_000,
      parameters: {
        path: filePath(1, 'The file.'),
        source,
      },
      alsoRead: { format: Type.Optional(Type.Enum(['binary', 'raw', 'base64'])) },
      result: Type.Object({
        success: Type.Boolean(),
        path: Type.Optional(Type.String()),
        fileData: Type.String({ description: 'The file as a data URL in base64.' }),
        filename: Type.Optional(Type.String()),
        mimeType: Type.Optional(Type.String()),
      }),
      resultBytes: {
        field: 'fileData',
        contentType: 'mimeType',
        fileName: 'filename',
        inJson: { parameter: 'format', value: 'base64' },
      },
      reasons,
      example: {
        parameters: { path: 'handouts/rules.txt' },
        result: {
          success: true,
          path: 'handouts/rules.txt',
          fileData: 'data:text/plain;base64,UmluZyBpdCBvbmNlLgo=',
          filename: 'rules.txt',
          mimeType: 'text/plain',
        },
      },
    }),
  },
} as const satisfies OperationGroup;
