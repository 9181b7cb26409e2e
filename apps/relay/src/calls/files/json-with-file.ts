import { invalidFields, ProblemError } from '../../problem.ts';
import { setAside } from './long-texts.ts';

/** Parses the JSON of a call that carries a file as one long text. Rejects JSON as long as a file that is of other things. */
export async function parseJsonWithFile(
  body: Buffer,
  parse: (json: string) => Promise<unknown>,
): Promise<unknown> {
  const aside = setAside(body);
  if (!aside)
    throw new ProblemError(
      'payload_too_large',
      'The JSON holds too much beside the file’s text. Send the file as base64 in one text, or as the body itself.',
    );
  const value = await parse(aside.json);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const [name, given] of Object.entries(fields)) {
    const text = typeof given === 'string' && aside.texts.get(given);
    if (text) fields[name] = parseText(text);
  }
  return fields;
}

function parseText(text: Buffer): string {
  try {
    return JSON.parse(text.toString()) as string;
  } catch {
    throw invalidFields([{ field: 'body', message: 'must be valid JSON' }]);
  }
}
