import type { FastifyInstance } from 'fastify';
import { oauthProblem } from '../../keys/oauth/oauth-problem.ts';
import { checkUtf8 } from '../../calls/bodies/read-json.ts';

/** No endpoint that takes a form has as many. */
const maxFields = 50;

/** Reads forms as records of texts. Throws `invalid_request` for a field that is given twice: RFC 6749, section 3.2. */
export function readForms(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    ({ headers }, body: Buffer, done) => {
      try {
        checkUtf8(headers, body);
        done(null, readForm(body.toString('utf8')));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

function readForm(text: string): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw oauthProblem('invalid_request', `${name.slice(0, 50)} is given twice.`);
    if (fields.size === maxFields)
      throw oauthProblem('invalid_request', `A form has ${maxFields} fields at most.`);
    // RFC 6749, section 3.1: one without a value is as one that is left out.
    if (value !== '') fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
