import { Type } from 'typebox';
import { query } from '../operation-definition.ts';
import type { OperationGroup } from '../operation-definition.ts';
import { identifiedBy, targetOrActors, targetReasons } from '../entities/target.ts';

export const sheets = {
  name: 'sheets',
  title: 'Sheets',
  prefix: '',
  definitions: {
    'sheet-screenshot': query({
      summary: 'Take a picture of a sheet',
      description:
        'The sheet opens in the game master’s browser for as long as the picture takes. Of several selected tokens today’s modules take the first. The picture may have about 11 MiB, since it comes in one frame of at most 16 MiB.',
      path: '/sheet',
      scope: 'sheet:read',
      timeoutMs: 20_000,
      parameters: {
        ...targetOrActors,
        format: Type.Optional(
          Type.Enum(['png', 'jpeg'], { default: 'png', description: 'Kind of picture.' }),
        ),
        quality: Type.Optional(
          Type.Number({ minimum: 0, maximum: 1, default: 0.9, description: 'How good a `jpeg` is.' }),
        ),
        scale: Type.Optional(
          Type.Number({ minimum: 0.1, maximum: 4, default: 1, description: 'Times the size of the sheet.' }),
        ),
      },
      identifiedBy,
      result: Type.Object({
        success: Type.Optional(Type.Boolean()),
        imageData: Type.String({ description: 'The picture as a data URL in base64.' }),
        mimeType: Type.Optional(Type.String()),
        width: Type.Optional(Type.Number({ description: 'In pixels.' })),
        height: Type.Optional(Type.Number({ description: 'In pixels.' })),
      }),
      resultBytes: { field: 'imageData', contentType: 'mimeType', width: 'width', height: 'height' },
      reasons: [...targetReasons, 'several_selected'],
      example: {
        parameters: { uuid: 'Actor.mira' },
        result: {
          success: true,
          imageData: 'data:image/png;base64,iVBORw==',
          mimeType: 'image/png',
          width: 560,
          height: 720,
        },
      },
    }),
  },
} as const satisfies OperationGroup;
