import type { Random } from '@tabletop-relay/testing';
import { sample } from '../sample.ts';
import type { Known } from '../sample.ts';
import { hugeBodies, oddBodies } from './odd-bodies.ts';
import type { OddBody } from './odd-bodies.ts';
import { oddIds } from './odd-ids.ts';
import { allMethods, pickHeaders, pickQuery } from './odd-requests.ts';
import type { Attackers, Principal } from './principals.ts';
import { fill, mayMatch, parametersOf } from './routes.ts';
import type { AttackedRoute } from './routes.ts';
import type { Victim } from './victim.ts';

/** One request of the attack. */
export interface Try {
  route: AttackedRoute;
  principal: Principal;
  method: string;
  path: string;
  headers: [string, string][];
  body: OddBody | undefined;
  /** Its path and method are the route's own, so that the route's documentation holds for the answer. */
  isPlain: boolean;
  /** The path is the route's own, and no route of that path takes the method. */
  isForeignMethod: boolean;
}

export interface Field {
  routes: readonly AttackedRoute[];
  attackers: Attackers;
  victim: Victim;
}

/**
 * Every route with every principal, and each foreign id for those who get as far as that; then with each odd id, method, body, query and header by principals in turn,
 * then mixtures without end. `stride` leaves out all but each so-many-th of what stands before the mixtures, but for the stranger at
 * every route: so a small run too gets past the first routes.
 */
export function* listTries(field: Field, random: Random, stride = 1): Generator<Try> {
  const { routes } = field;
  const { principals } = field.attackers;
  let turn = random.integer(stride);
  const isLeftOut = () => turn++ % stride > 0;
  for (const route of routes)
    for (const principal of principals)
      for (const id of plainIds(field, route, principal))
        if (principal.name === 'stranger' || !isLeftOut())
          yield {
            ...makeTry(field, random, { route, principal, ...(id === undefined ? {} : { id }) }),
            isPlain: true,
          };
  function* strided(changes: Iterable<Partial<Parts>>): Generator<Try> {
    for (const change of changes) {
      if (isLeftOut()) continue;
      yield makeTry(field, random, { principal: random.pick(principals), ...change });
    }
  }
  for (const route of routes) {
    const named = parametersOf(route.pattern).length > 0;
    if (named) yield* strided(oddIds.map((id) => ({ route, id })));
    yield* strided(allMethods.map((method) => ({ route, method })));
    if (route.method !== 'GET' && route.method !== 'HEAD')
      yield* strided(oddBodies.map((body) => ({ route, body })));
  }
  for (;;) yield makeTry(field, random, mixParts(field, random));
}

/** The ids with which a route is tried by one principal. The one address with many tools is tried as often as it has some. */
function plainIds({ victim }: Field, route: AttackedRoute, principal: Principal): (string | undefined)[] {
  const reaches = route.needs === null || principal.holds === route.needs;
  if (reaches && route.pattern === '/mcp') return Array.from({ length: 40 }, () => undefined);
  const ids = foreignIds(victim, principal, route).map(encodeURIComponent);
  return reaches && parametersOf(route.pattern).length > 0 ? ids : ids.slice(0, 1);
}

interface Parts {
  route: AttackedRoute;
  principal: Principal;
  id: string;
  method: string;
  body: OddBody | undefined;
  query: string;
  headers: [string, string][];
}

function mixParts({ routes, attackers, victim }: Field, random: Random): Partial<Parts> {
  // The answers to OPTIONS and HEAD are mostly written by libraries.
  const worthwhile = routes.filter(({ method }) => method !== 'OPTIONS' && method !== 'HEAD');
  const clientId = victim.clientId;
  return {
    route: random.pick(random.chance(0.9) ? worthwhile : routes),
    principal: random.pick(attackers.principals),
    ...(random.chance(0.3) && { id: random.pick(oddIds) }),
    ...(random.chance(0.1) && { method: random.pick(allMethods) }),
    ...(random.chance(0.3) && { body: random.pick(random.chance(0.005) ? hugeBodies : oddBodies) }),
    ...(random.chance(0.3) && { query: pickQuery(random, clientId) }),
    ...(random.chance(0.2) && { headers: pickHeaders(random, clientId) }),
  };
}

function makeTry(field: Field, random: Random, parts: Partial<Parts>): Try {
  const { victim } = field;
  const principal = parts.principal ?? random.pick(field.attackers.principals);
  const route = parts.route ?? random.pick(field.routes);
  const method = parts.method ?? route.method;
  const foreign = () => encodeURIComponent(random.pick(foreignIds(victim, principal, route)));
  const path = fill(route.pattern, () => parts.id ?? foreign());
  const query = parts.query ?? plainQuery(route, victim, principal, random);
  const body = 'body' in parts ? parts.body : plainBody(route, victim, principal, random);
  const takesBody = method !== 'GET' && method !== 'HEAD';
  return {
    route,
    principal,
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: [...route.headers, ...Object.entries(principal.headers), ...(parts.headers ?? [])],
    body: takesBody ? body : undefined,
    isPlain: method === route.method && parts.id === undefined,
    isForeignMethod:
      parts.id === undefined &&
      !field.routes.some((other) => other.method === method && mayMatch(other.pattern, route.pattern)),
  };
}

/** An administrator may act on any account: what that changes is no finding. */
function foreignIds(victim: Victim, principal: Principal, route: AttackedRoute): string[] {
  if (principal.isAdministrator && route.pattern.startsWith('/admin/')) return ['01ARZ3NDEKTSV4RRFFQ69G5FAV'];
  return Object.values(victim.ids);
}

function plainQuery(route: AttackedRoute, victim: Victim, principal: Principal, random: Random): string {
  if (route.needs !== 'apiKey' || (route.pattern === '/mcp' && random.chance(0.5))) return '';
  const clientId = random.chance(0.5) ? victim.clientId : (principal.clientId ?? victim.clientId);
  const query = new URLSearchParams({ clientId });
  for (const [name, schema] of Object.entries(route.query?.properties ?? {})) {
    if (name === 'clientId' || !(route.query?.required?.includes(name) || random.chance(0.2))) continue;
    const value = sample(schema, random, knownTo(victim), name);
    query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return query.toString();
}

function plainBody(
  route: AttackedRoute,
  victim: Victim,
  principal: Principal,
  random: Random,
): OddBody | undefined {
  if (route.body === undefined) return undefined;
  const body = sample(route.body, random, knownTo(victim, principal.clientId));
  return { name: 'plain', contentType: 'application/json', text: JSON.stringify(body) };
}

/** What an attacker fills in: the victim's ids where ids belong, and passwords that cost no hash. */
function knownTo(victim: Victim, ownClientId?: string): Known {
  return (field, random) => {
    switch (field) {
      case 'email':
        return random.chance(0.02) ? victim.ids['email'] : undefined;
      // Looking at a password takes a processor for tens of milliseconds: most are refused before that.
      case 'password':
      case 'currentPassword':
      case 'newPassword':
        return random.chance(0.02) ? 'vexed otter piano 4471' : '';
      case 'clientId':
      case 'world':
      case 'clientIds[]':
      case 'allowedTargetClients[]':
        return random.chance(0.7) ? victim.clientId : (ownClientId ?? 'x');
      default:
        return undefined;
    }
  };
}
