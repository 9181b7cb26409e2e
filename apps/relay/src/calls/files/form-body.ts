import { Busboy } from '@fastify/busboy';
import type { BusboyInstance } from '@fastify/busboy';
import { ProblemError } from '../../problem.ts';

/** A form with one file, as it was sent. */
export interface FormBody {
  bytes: Buffer;
  contentType: string;
  fileName: string | undefined;
  /** The other fields: text, or a list where a name came several times. */
  fields: Readonly<Record<string, unknown>>;
}

/** Operations have about ten parameters, and those that hold much are no fields of a form. */
const limits = {
  fields: 32,
  parts: 40,
  fieldNameSize: 128,
  fieldSize: 4_096,
  headerPairs: 32,
  headerSize: 8_192,
};

/** Reads a form that was sent whole. Rejects with the problem to answer where it is not a form with one file. */
export function readForm(contentType: string, body: Buffer, maxBytes: number): Promise<FormBody> {
  const { promise, resolve, reject } = Promise.withResolvers<FormBody>();
  const fields = new Map<string, unknown>();
  const files: Omit<FormBody, 'fields'>[] = [];
  const refuse = (detail: string) => reject(new ProblemError('invalid_request', detail));
  const form = openForm(contentType, maxBytes);
  form.on('file', (_field: string, stream, fileName: string | undefined, _encoding: string, type: string) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => reject(new ProblemError('payload_too_large', tooLarge(maxBytes))));
    // A form that breaks off ends its file with an error, which nobody else would catch.
    stream.on('error', () => refuse(unreadable));
    stream.on('end', () => files.push({ bytes: Buffer.concat(chunks), contentType: type, fileName }));
  });
  form.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) return refuse('A field of the form is too long.');
    fields.set(name, fields.has(name) ? [fields.get(name), value].flat() : value);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    form.on(limit, () => refuse('The form has too many parts, or more than one file.'));
  form.on('error', () => refuse(unreadable));
  form.on('finish', () => {
    const [file] = files;
    if (!file) return refuse('The form has no file.');
    resolve({ ...file, fields: Object.fromEntries(fields) });
  });
  form.end(body);
  return promise;
}

function openForm(contentType: string, maxBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { ...limits, files: 1, fileSize: maxBytes },
    });
  } catch (cause) {
    throw new ProblemError('invalid_request', unreadable, { cause });
  }
}

const unreadable = 'The form cannot be read.';

export const tooLarge = (maxBytes: number): string => `The file is larger than ${maxBytes} bytes.`;
