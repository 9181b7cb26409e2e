import { Type } from 'typebox';
import type { Static } from 'typebox';
import { errors } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** One thing that is wrong with a request: `<field> <message>` reads as a sentence. */
export const FieldError = Type.Object({
  field: Type.String({
    description: 'The name as the caller wrote it; a path with dots where the fault lies deeper.',
  }),
  place: Type.Optional(
    Type.Enum(['path', 'query', 'body'], { description: 'Where the parameter of an operation was.' }),
  ),
  message: Type.String({ description: 'What is wrong, to be read after the name.' }),
});

/** RFC 9457 problem document, as every error of the API answers. Some codes add fields of their own. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'The page that explains the code.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What happened and what to do.' }),
    code: Type.Enum(Object.keys(errors) as ErrorCode[]),
    retryable: Type.Boolean({ description: 'Whether the same call may be repeated.' }),
    outcome: Type.Optional(
      Type.Enum(['not_sent', 'unknown'], { description: 'Whether a failed command reached the world.' }),
    ),
    errors: Type.Optional(
      Type.Array(FieldError, {
        description: 'Each field that is wrong, where the code is `invalid_request`.',
      }),
    ),
    traceId: Type.String({ description: 'The request’s id, also in the x-request-id header.' }),
    requestId: Type.Optional(Type.String({ description: 'The operation’s id, once it has one.' })),
    error: Type.String({ description: 'Repeats `detail`, for integrations that read `error`.' }),
  },
  { $id: 'Problem', description: 'RFC 9457 problem document.' },
);

export type FieldError = Static<typeof FieldError>;
export type Problem = Static<typeof Problem> & { [extra: string]: unknown };
