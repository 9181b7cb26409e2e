import type { Data } from '../tabletop/documents.ts';

const mostLevels = 6;
/** Of one argument as JSON. What is larger is told of by its name alone. */
const mostLetters = 64_000;

/** Of users: in the documents, and in the changes that hooks tell beside them. */
const secrets = new Set(['password', 'passwordSalt', 'oldPassword']);

/** An argument of a hook as plain data: documents as they are stored, no functions, nothing of the page, no circles. */
export function serialise(value: unknown): unknown {
  const plain = plainOf(value, mostLevels);
  const text = JSON.stringify(plain) ?? 'null';
  if (text.length <= mostLetters) return plain ?? null;
  const { _id, uuid, name } = plain as Data;
  return { _id, uuid, name, isCut: true };
}

function plainOf(value: unknown, levels: number): unknown {
  if (value === null || ['string', 'boolean'].includes(typeof value)) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object') return undefined;
  if (levels === 0 || value instanceof Node || value instanceof Event) return null;
  if (isStored(value)) {
    return { ...(plainOf(value.toObject(), levels) as Data), ...('uuid' in value && { uuid: value.uuid }) };
  }
  if (Array.isArray(value)) return value.map((one) => plainOf(one, levels - 1) ?? null);
  if (value instanceof Set) return [...value].map((one) => plainOf(one, levels - 1) ?? null);
  if (value instanceof Map) return plainOf(Object.fromEntries(value), levels);
  if ('document' in value && isStored(value.document)) return plainOf(value.document, levels);
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== null) return null;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    if (secrets.has(key)) return [];
    const plain = plainOf(inner, levels - 1);
    return plain === undefined ? [] : [[key, plain] as const];
  });
  return Object.fromEntries(entries);
}

const isStored = (value: unknown): value is { toObject(): Data; uuid?: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  'documentName' in value &&
  'toObject' in value &&
  typeof value.toObject === 'function';
