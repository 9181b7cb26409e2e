import { Busboy } from '@fastify/busboy';
import type { BusboyInstance } from '@fastify/busboy';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MIMEType } from 'node:util';
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

/** The parser reads so much in one turn of the event loop. */
const sliceBytes = 64 * 1024;

/**
 * Reads a form that was sent whole. Rejects with the problem to answer where it is not a form with one file, and reads
 * nothing of what follows the first fault.
 */
export async function readForm(contentType: string, body: Buffer, maxBytes: number): Promise<FormBody> {
  const boundary = boundaryOf(contentType);
  const form = openForm(boundary, maxBytes);
  const whole = collectParts(form, maxBytes);
  await Promise.race([whole, feed(form, body, boundary)]);
  return await whole;
}

/** Notes the parts as they are read. Settles with the form's end or its first fault, and destroys the parser then. */
function collectParts(form: BusboyInstance, maxBytes: number): Promise<FormBody> {
  const { promise, resolve, reject } = Promise.withResolvers<FormBody>();
  const fields = new Map<string, unknown>();
  const files: Omit<FormBody, 'fields'>[] = [];
  const refuseBy = (problem: ProblemError) => {
    reject(problem);
    form.destroy();
  };
  const refuse = (detail: string) => refuseBy(refusal(detail));
  form.on('file', (_field: string, stream, fileName: string | undefined, encoding: string, type: string) => {
    if (!isPlain(encoding)) return refuseBy(encoded());
    if (fileName !== undefined && isGarbled(fileName)) return refuse(notUtf8);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => refuseBy(new ProblemError('payload_too_large', tooLarge(maxBytes))));
    // A form that breaks off ends its file with an error, which nobody else would catch.
    stream.on('error', () => refuse(unreadable));
    stream.on('end', () => files.push({ bytes: Buffer.concat(chunks), contentType: type, fileName }));
  });
  form.on('field', (name, value, isNameCut, isValueCut, encoding) => {
    if (!isPlain(encoding)) return refuseBy(encoded());
    if (isGarbled(name) || isGarbled(value)) return refuse(notUtf8);
    if (isNameCut || isValueCut) return refuse('A field of the form is too long.');
    fields.set(name, fields.has(name) ? [fields.get(name), value].flat() : value);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    form.on(limit, () => refuse(tooMany));
  form.on('error', () => refuse(unreadable));
  form.on('finish', () => {
    const [file] = files;
    if (!file) return refuse('The form has no file.');
    resolve({ ...file, fields: Object.fromEntries(fields) });
    form.destroy();
  });
  return promise;
}

/**
 * Gives a body to the parser in slices, with a turn of the event loop behind each. The boundaries of a slice are counted
 * before the parser has it: it takes 10 µs for each, so those of one body would hold up the instance for half a minute.
 */
async function feed(form: BusboyInstance, body: Buffer, boundary: string): Promise<void> {
  const delimiter = `\r\n--${boundary}`;
  // Each part has one before it, and the last has another behind it.
  let left = limits.parts + 1;
  let searchFrom = 0;
  for (let at = 0; at < body.length; at += sliceBytes) {
    const searched = body.subarray(0, at + sliceBytes);
    for (let found; (found = searched.indexOf(delimiter, searchFrom)) !== -1; left--) {
      if (left === 0) throw refusal(tooMany);
      searchFrom = found + delimiter.length;
    }
    // A delimiter may stand across two slices.
    searchFrom = Math.max(searchFrom, searched.length - delimiter.length + 1);
    form.write(body.subarray(at, at + sliceBytes));
    await nextTurn();
    if (form.destroyed) return;
  }
  form.end();
}

/** The boundary that the type names. RFC 2046 says of which characters it is, and that it has 70 at most. */
function boundaryOf(contentType: string): string {
  const boundary = typeOf(contentType)?.params.get('boundary') ?? '';
  if (/^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)) return boundary;
  throw refusal(
    'The form’s content type must name a boundary of at most 70 characters, as RFC 2046 has them.',
  );
}

function typeOf(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

function openForm(boundary: string, maxBytes: number): BusboyInstance {
  return new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    limits: { ...limits, files: 1, fileSize: maxBytes },
  });
}

/** The encodings in which a part's bytes are as they stand. Others (base64, quoted-printable) would be stored encoded. */
const isPlain = (encoding: string): boolean => /^(?:binary|7bit|8bit)$/i.test(encoding);
const encoded = () =>
  new ProblemError(
    'unsupported_media_type',
    'A part is taken as it is: send it without `Content-Transfer-Encoding`.',
  );

/** What the parser puts in the place of bytes that are no text in UTF-8. */
const isGarbled = (text: string): boolean => text.includes('\uFFFD');
const notUtf8 = 'Names and fields of the form must be text in UTF-8.';

const unreadable = 'The form cannot be read.';
const tooMany = 'The form has too many parts, or more than one file.';

const refusal = (detail: string): ProblemError => new ProblemError('invalid_request', detail);

export const tooLarge = (maxBytes: number): string => `The file is larger than ${maxBytes} bytes.`;
