import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Database } from '@tabletop-relay/database';
import { createRandom } from '@tabletop-relay/testing';
import type { Random } from '@tabletop-relay/testing';
import { Pool } from 'undici';
import { createAttackers } from '../matrix/principals.ts';
import type { Attackers, Principal } from '../matrix/principals.ts';
import { fill } from '../matrix/routes.ts';
import type { AttackedRoute, Schema } from '../matrix/routes.ts';
import { sample } from '../sample.ts';
import type { Known } from '../sample.ts';
import type { Tally } from '../tally.ts';
import { mutate } from './mutate.ts';

export interface SchemaOptions {
  url: string;
  db: Database;
  routes: readonly AttackedRoute[];
  tally: Tally;
  seed: number;
  tries: number;
  inFlight?: number;
}

/**
 * Bodies that fit what the document says of a route, and such as just do not. The former are refused for reasons
 * that the document tells in words alone; the latter are never taken. Resolves with what no log may hold.
 */
export async function fuzzSchemas(options: SchemaOptions): Promise<Record<string, string>> {
  const { url, db, tally, tries, inFlight = 32 } = options;
  const random = createRandom(options.seed);
  const attackers = await createAttackers(url, db);
  const targets = options.routes.flatMap((route) => {
    const principal = whoMay(route, attackers);
    return route.body && principal ? [{ route, principal, isValid: compile(route.body) }] : [];
  });
  const pool = new Pool(url, { connections: inFlight });
  let sent = 0;
  async function work(): Promise<void> {
    while (sent < tries) {
      if (++sent % 500 === 0) await attackers.renew();
      const target = random.pick(targets);
      await tryBody(pool, tally, target, bodyFor(target, random));
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work));
  await pool.close();
  await attackers.close();
  return attackers.secrets;
}

interface Target {
  route: AttackedRoute;
  principal: Principal;
  isValid: (body: unknown) => boolean;
}

/** Somebody whom nothing but the body can fail. */
function whoMay({ needs, pattern }: AttackedRoute, { principals }: Attackers): Principal | undefined {
  if (needs === null) return { name: 'anybody', headers: {}, holds: null };
  const isAdmin = pattern.startsWith('/admin/');
  return principals.find(
    (principal) =>
      principal.holds === needs && Boolean(principal.isAdministrator) === isAdmin && !principal.only,
  );
}

function compile(schema: Schema): (body: unknown) => boolean {
  const ajv = new Ajv({ strict: false, allErrors: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

function bodyFor({ route, principal }: Target, random: Random): unknown {
  const body = sample(route.body ?? {}, random, knownTo(principal));
  return random.chance(0.5) ? body : mutate(body, random);
}

/** Passwords that cost no hash, and the tenant's own world. */
function knownTo({ clientId }: Principal): Known {
  return (field, random) => {
    if (/password$/i.test(field)) return random.chance(0.02) ? 'vexed otter piano 4471' : 'passwordpassword';
    if (/^(clientId|clientIds\[\]|allowedTargetClients\[\])$/.test(field)) return clientId;
    return undefined;
  };
}

async function tryBody(
  pool: Pool,
  tally: Tally,
  { route, principal, isValid }: Target,
  body: unknown,
): Promise<void> {
  const text = JSON.stringify(body);
  const name = `${route.method} ${route.pattern}`;
  // A ticket's query stands in its body, and nowhere else.
  const namesWorld = route.needs === 'apiKey' && route.pattern !== '/events/tickets';
  const query = namesWorld ? `?clientId=${principal.clientId}` : '';
  const answer = await pool.request({
    method: route.method,
    path: fill(route.pattern, (parameter) => pathValue(route, parameter)) + query,
    headers: { ...principal.headers, 'content-type': 'application/json' },
    body: text,
  });
  const { statusCode: status } = answer;
  const said = await answer.body.text();
  tally.answered(status);
  const example = `${name} ${text.slice(0, 800)} -> ${status} ${said.slice(0, 500)}`;
  if (status === 500) tally.found('internal', name, example);
  // What the wire says, not what was meant: `undefined` and NaN do not travel.
  const fits = isValid(JSON.parse(text));
  const isMeant = route.needs === 'apiKey' && isValid(asMeant(JSON.parse(text), route.body ?? {}));
  if (!fits && !isMeant && status >= 200 && status <= 299)
    tally.found('wrong input', `${name} took what does not fit`, example);
  const reason = fits && status === 400 ? undocumentedReason(route.body ?? {}, said) : undefined;
  if (reason) tally.found('wrong input', `${name} refused what fits: ${reason}`, example);
}

/** A body of an operation as the relay reads it: `null` and an empty text are no value, and one text is a list of one. */
function asMeant(body: unknown, { properties = {} }: Schema): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = Object.entries(body).filter(([, value]) => value !== null && value !== '');
  const isList = (name: string, value: unknown) =>
    properties[name]?.type === 'array' && typeof value === 'string';
  return Object.fromEntries(given.map(([name, value]) => [name, isList(name, value) ? [value] : value]));
}

/** What fits a parameter of the path, so that only the body can be refused: one of its values, its example, or an id of nothing. */
function pathValue({ path }: AttackedRoute, name: string): string {
  const schema = path?.properties?.[name];
  const [value] = schema?.enum ?? schema?.examples ?? [];
  return typeof value === 'string' ? value : '01ARZ3NDEKTSV4RRFFQ69G5FAV';
}

/** The field whose refusal no description explains. */
function undocumentedReason(schema: Schema, said: string): string | undefined {
  const { errors = [] } = JSON.parse(said) as { errors?: { field: string; message: string }[] };
  const unexplained = errors.find(
    // The document says of all texts together that none may hold it.
    ({ field, message }) => !message.includes('NUL') && !isDescribed(schema, field.split('.')),
  );
  return unexplained && `${unexplained.field.replace(/\d+/g, 'n')} ${unexplained.message}`.slice(0, 120);
}

function isDescribed(schema: Schema, path: readonly string[]): boolean {
  const [name = '', ...rest] = path;
  const inner = /^\d+$/.test(name) ? schema.items : schema.properties?.[name];
  if (!inner) return (schema.anyOf ?? []).some((each) => isDescribed(each, path));
  return inner.description !== undefined || (rest.length > 0 && isDescribed(inner, rest));
}
