import { Type } from 'typebox';
import { query } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { nullable } from '../parameters.ts';

const which = {
  sceneId: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Id of the scene.' })),
  active: Type.Optional(Type.Boolean({ description: 'Use the scene that is active for all players.' })),
};

const timeoutMs = 30_000;

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const side = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 8192, description }));

export const pictures = {
  'scene-screenshot': query({
    summary: 'Take a picture of the scene as it looks',
    description:
      'It shows the scene that the game master’s browser shows, and no other: switch to a scene first. Without `sceneId` and `active` that scene is taken. With `userId` it is seen as that user sees it. Today’s modules take one picture at a time, make it as large as the scene itself, and cut `width` and `height` out of its middle; a picture above about 12 MB never arrives, so ask for `jpeg` where scenes are large.',
    path: '/scene/image',
    scope: 'scene:read',
    timeoutMs,
    parameters: {
      ...which,
      format: Type.Optional(Type.Enum(['png', 'jpeg'], { default: 'png', description: 'Kind of picture.' })),
      quality: Type.Optional(
        Type.Number({ minimum: 0, maximum: 1, default: 0.9, description: 'How good a `jpeg` is.' }),
      ),
      showGrid: Type.Optional(
        Type.Boolean({
          description: 'Keep the grid where `hideOverlays` would hide it; without that it is ignored.',
        }),
      ),
      hideOverlays: Type.Optional(
        Type.Boolean({ description: 'Leave out the grid, fog, weather and marks.' }),
      ),
      viewport: Type.Optional(
        Type.Boolean({ description: 'Only what the browser shows; `width` and `height` are then ignored.' }),
      ),
      width: side('Width in pixels.'),
      height: side('Height in pixels.'),
    },
    result: Type.Object({
      imageData: Type.String({ description: 'The picture as a `data:` URL.' }),
      mimeType: Type.String(),
      width: Type.Number(),
      height: Type.Number(),
    }),
    resultBytes: { field: 'imageData', contentType: 'mimeType', width: 'width', height: 'height' },
    reasons: ['entity_not_found', 'permission_denied', 'not_viewed', 'not_supported'],
    example: {
      parameters: { format: 'png', width: 240, height: 160 },
      result: { imageData: dot, mimeType: 'image/png', width: 240, height: 160 },
    },
  }),
  'scene-raw-image': query({
    summary: 'Fetch the background image of a scene',
    description:
      'Without `sceneId` and `active` it is that of the scene that the game master’s browser shows. The answer is JSON, and the picture itself where `Accept` asks for one (`image/*`). Today’s modules let any user have it, and answer without it where their browser cannot fetch the file: asked for the picture, the call then fails.',
    path: '/scene/image/raw',
    scope: 'scene:read',
    userUnchecked: true,
    timeoutMs,
    parameters: which,
    result: Type.Object({
      data: Type.Object({
        sceneId: Type.String(),
        sceneName: Type.String(),
        src: Type.Optional(nullable(Type.String(), 'Path or address of the file.')),
        imageData: Type.Optional(Type.String({ description: 'The file as a `data:` URL.' })),
        mimeType: Type.Optional(Type.String()),
      }),
    }),
    resultBytes: {
      field: 'data.imageData',
      contentType: 'data.mimeType',
      fileName: 'data.src',
      onlyFor: 'image',
    },
    reasons: ['entity_not_found', 'permission_denied', 'no_image', 'not_supported'],
    example: {
      parameters: { sceneId: 'crypt' },
      result: {
        data: {
          sceneId: 'crypt',
          sceneName: 'The Crypt Below',
          src: 'scenes/crypt.png',
          imageData: dot,
          mimeType: 'image/png',
        },
      },
    },
  }),
} as const satisfies OperationDefinitions;
