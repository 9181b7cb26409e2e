import { keys } from '../../src/redis/keys.ts';
import type { Script } from '../../src/redis/connection.ts';
import { CHECK, PUBLISH_ALL, ROUTE, WATCH } from '../../src/redis/scripts/calls.ts';
import { CLAIM, CONFIRM, FIND, OFFER, RELEASE } from '../../src/redis/scripts/claims.ts';
import { GIVE_UP, RENEW, TAKE } from '../../src/redis/scripts/lease.ts';
import { JOIN, LIST, LOOK } from '../../src/redis/scripts/standbys.ts';
import { writeMessage } from '../../src/message.ts';
import type { SimStore } from './sim-store.ts';

type Args = (string | Buffer)[];
type Model = (store: SimStore, keys: string[], args: Args) => unknown;

/** The scripts in JavaScript, because Lua does not run in simulated time. The integration tests run the Lua. */
export const scriptModels: (Script & { run: Model })[] = [
  { ...RENEW, run: renew },
  { ...TAKE, run: take },
  { ...GIVE_UP, run: giveUp },
  { ...CLAIM, run: claim },
  { ...CONFIRM, run: confirm },
  { ...OFFER, run: offer },
  { ...RELEASE, run: release },
  { ...FIND, run: find },
  { ...JOIN, run: join },
  { ...LOOK, run: look },
  { ...LIST, run: list },
  { ...ROUTE, run: route },
  { ...WATCH, run: watch },
  { ...CHECK, run: check },
  { ...PUBLISH_ALL, run: publishAll },
];

function renew(store: SimStore, names: string[], args: Args): unknown {
  const [lease = '', list = '', instances = '', idKey = ''] = names;
  const [token, leaseMs, listMs, channel, heartbeat, boot, ours = '', , wasLeased] = args;
  store.publish(String(channel), Buffer.from(heartbeat ?? ''));
  const id = foreignId(store, idKey, args);
  if (id !== undefined) return [0, String(store.nowMs()), id];
  if (store.get(idKey) === undefined && wasLeased === '1') store.set(keys.asserting, '1', 10_000);
  store.set(idKey, String(ours), Infinity);
  if (store.get(lease) !== token) return [0, String(store.nowMs()), ours];
  store.expire(lease, Number(leaseMs));
  store.expire(list, Number(listMs));
  register(store, instances, String(boot));
  return [1, String(store.nowMs()), ours];
}

/** The id that a Redis has where it may not be used, '' for none. Undefined where it may be. */
function foreignId(store: SimStore, key: string, args: Args): string | undefined {
  const [ours, mayWrite] = args.slice(6, 8).map(String);
  const id = store.get(key) ?? '';
  const isOurs = ours !== '' && (id === ours || (id === '' && mayWrite === '1'));
  return isOurs ? undefined : id;
}

function take(store: SimStore, names: string[], args: Args): unknown {
  const [lease = '', list = '', instances = '', idKey = ''] = names;
  const [token, leaseMs, listMs, channel, heartbeat, boot, ours = '', , fingerprint] = args;
  const id = foreignId(store, idKey, args);
  if (id !== undefined) return [0, String(store.nowMs()), id];
  const known = store.get(list);
  if (known !== undefined && known !== fingerprint) return [0, String(store.nowMs()), ours];
  store.set(idKey, String(ours), Infinity);
  store.set(list, String(fingerprint), Number(listMs));
  store.set(lease, String(token), Number(leaseMs));
  register(store, instances, String(boot));
  store.publish(String(channel), Buffer.from(heartbeat ?? ''));
  return [1, String(store.nowMs()), ours];
}

function register(store: SimStore, instances: string, boot: string): void {
  if (!store.hash(instances)?.has(boot)) store.setHash(instances, { [boot]: '' });
}

function giveUp(store: SimStore, [lease = '']: string[], [token]: Args): unknown {
  return store.get(lease) === token ? store.del(lease) : 0;
}

function claim(store: SimStore, [own = '']: string[], args: Args): unknown {
  const [
    boot = '',
    conn = '',
    epochText,
    dead,
    acct = '',
    meta = '',
    ttlMs,
    brought,
    offered = '',
    ,
    standby,
  ] = args.map(String);
  const o = store.hash(own);
  const same = o?.get('conn') === conn;
  const old = Number(o?.get('epoch') ?? 0);
  let epoch = Number(epochText);
  const owner = o?.get('boot');
  const oldConn = o?.get('conn') ?? '';
  const handed = o?.has('handover') && o.get('handover') === brought;
  const isFree = o?.has('moving') && (standby !== '1' || isOpen(store, o));
  if (standby === '1' && owner === undefined && isAsserting(store)) return ['held', '', '', '', ''];
  if (owner !== undefined && !same && old >= epoch && !isFree && !handed) {
    const live = store.get(keys.lease(owner));
    if (o?.has('moving')) return ['held', owner, o.get('conn'), o.get('seen'), live ?? ''];
    if (live !== undefined || dead !== `${owner} ${o?.get('seen')}`) {
      return [live === undefined ? 'lapsed' : 'held', owner, o?.get('conn'), o?.get('seen'), live ?? ''];
    }
  }
  if (same) epoch = old;
  else if (epoch === 0 || epoch <= old || owner === undefined)
    epoch = Math.max(Math.floor(store.nowMs() * 1_000), old + 1);
  store.del(own);
  const seen = (store.nowMs() / 1_000).toFixed(6);
  const handover: Record<string, string> = offered ? { handover: offered } : {};
  store.setHash(own, { boot, conn, epoch: String(epoch), acct, meta, seen, ...handover });
  store.expire(own, Number(ttlMs));
  if (handed && !same && owner !== undefined) {
    const clientId = own.slice(keys.owner('').length);
    store.publish(keys.commands(owner), writeMessage('superseded', { clientId, conn: oldConn }));
  }
  return ['mine', String(epoch)];
}

/** Standbys may have a client that is moving. */
function isOpen(store: SimStore, claimed: Map<string, string>): boolean {
  return store.nowMs() >= Number(claimed.get('open') ?? Infinity);
}

function bootOf(entry: string): string {
  return entry.slice(0, entry.indexOf(' '));
}

function join(store: SimStore, [waiting = '']: string[], args: Args): unknown {
  const [conn = '', entry = '', most, ttl] = args.map(String);
  for (const [other, text] of store.hash(waiting) ?? [])
    if (store.get(keys.lease(bootOf(text))) === undefined) store.delField(waiting, other);
  const others = [...(store.hash(waiting)?.keys() ?? [])].filter((other) => other !== conn);
  if (others.length >= Number(most)) return 0;
  store.setHash(waiting, { [conn]: entry });
  store.expire(waiting, Number(ttl));
  return 1;
}

function look(store: SimStore, names: string[], [, ...conns]: Args): unknown {
  const places = conns.map((_conn, index) => index + 1);
  const free = places.filter((place) => {
    const o = store.hash(names[2 * place - 2] ?? '');
    if (!o?.has('boot')) return !isAsserting(store);
    return o.has('moving') ? isOpen(store, o) : store.get(keys.lease(o.get('boot') ?? '')) === undefined;
  });
  const missing = places.filter(
    (place) => !store.hash(names[2 * place - 1] ?? '')?.has(String(conns[place - 1])),
  );
  return [free, missing];
}

function list(store: SimStore, lists: string[]): unknown {
  return lists.map((waiting) =>
    [...(store.hash(waiting) ?? [])].flatMap((entry) =>
      store.get(keys.lease(bootOf(entry[1]))) === undefined ? [] : entry,
    ),
  );
}

function tellStandbys(store: SimStore, waiting: string, clientId: string): void {
  const boots = new Set([...(store.hash(waiting)?.values() ?? [])].map(bootOf));
  for (const boot of boots) store.publish(keys.commands(boot), writeMessage('vacant', { clientId }));
}

function offer(store: SimStore, [own = '']: string[], [conn, digest]: Args): unknown {
  if (store.hash(own)?.get('conn') !== conn) return 0;
  store.setHash(own, { handover: String(digest) });
  return 1;
}

function release(store: SimStore, [own = '', waiting = '']: string[], args: Args): unknown {
  const [conn, movingMs, standbyMs] = args.map(String);
  const o = store.hash(own);
  if (!o || o.get('conn') !== conn) return 0;
  if (o.has('moving') && store.ttlMs(own) >= Number(movingMs)) return 0;
  if (standbyMs === '0') tellStandbys(store, waiting, own.slice(keys.owner('').length));
  if (movingMs === '0') return store.del(own);
  store.setHash(own, { moving: '1', open: String(store.nowMs() + Number(standbyMs)) });
  store.expire(own, Number(movingMs));
  return 1;
}

function confirm(store: SimStore, claims: string[], [ttl, ...args]: Args): unknown {
  return claims.flatMap((own, index) => {
    const [conn, epoch, offered] = args.slice(3 * index, 3 * index + 3).map(String);
    const o = store.hash(own);
    const isSame = o?.get('conn') === conn && o?.get('epoch') === epoch && !o?.has('moving');
    if (!isSame || (o?.get('handover') ?? '') !== offered) return [index + 1];
    store.setHash(own, { seen: String(store.nowMs() / 1_000) });
    store.expire(own, Number(ttl));
    return [];
  });
}

const isAsserting = (store: SimStore): boolean =>
  store.get(keys.id) === undefined || store.get(keys.asserting) !== undefined;

function find(store: SimStore, claims: string[]): unknown {
  const found = claims.map((own) => {
    const o = store.hash(own);
    const isLive = o && store.get(keys.lease(o.get('boot') ?? '')) !== undefined;
    return o && (isLive || o.has('moving')) ? [o.get('acct'), o.get('meta'), o.get('moving') ?? ''] : [];
  });
  const isUnknown = claims.some((own) => store.hash(own) === undefined);
  return isUnknown && isAsserting(store) ? [...found, ['asserting']] : found;
}

function route(store: SimStore, claims: string[], args: Args): unknown {
  const owners = new Map<string, { epoch: string; call: Buffer }[]>();
  const answers = claims.map((own, index) => {
    const [acct = '', expiry = '', rest = ''] = args.slice(3 * index, 3 * index + 3);
    const o = store.hash(own);
    const boot = o?.get('boot');
    if (boot === undefined && isAsserting(store)) return 'asserting';
    if (!o || boot === undefined || o.get('acct') !== acct) return 'none';
    if (o.has('moving')) return 'moving';
    if (store.get(keys.lease(boot)) === undefined) {
      return store.nowMs() / 1_000 - Number(o.get('seen')) >= 60 ? 'none' : `lapsed ${boot}`;
    }
    if (store.listeners(keys.commands(boot)) === 0) return `deaf ${boot}`;
    if (Number(expiry) <= store.nowMs()) return 'expired';
    const routed = { epoch: o.get('epoch') ?? '', call: Buffer.from(rest) };
    owners.set(boot, [...(owners.get(boot) ?? []), routed]);
    return boot;
  });
  for (const [boot, routed] of owners) {
    const calls = routed.map(({ epoch, call }) => ({ epoch, bytes: call.length }));
    const body = Buffer.concat(routed.map(({ call }) => call));
    store.publish(keys.commands(boot), writeMessage('calls', { calls }, body));
  }
  return answers;
}

function watch(store: SimStore, [instances = '']: string[], [ageMs, deafMs]: Args): unknown {
  const now = Math.floor(store.nowMs());
  const fields = store.hash(instances) ?? new Map<string, string>();
  const age = now - Number(fields.get('@at') ?? 0);
  if (age >= 0 && age < Number(ageMs)) return fields.get('@gone');
  const gone: string[] = [];
  for (const [boot, before] of fields) {
    if (boot.startsWith('@')) continue;
    if (store.get(keys.lease(boot)) === undefined) {
      gone.push(boot);
      const state = before.startsWith('!') ? before : `!${now}`;
      if (now - Number(state.slice(1)) >= 10_000) fields.delete(boot);
      else fields.set(boot, state);
    } else if (store.listeners(keys.commands(boot)) === 0) {
      const since = /^\d/.test(before) ? before : String(now);
      if (now - Number(since) >= Number(deafMs)) gone.push(boot);
      fields.set(boot, since);
    } else fields.set(boot, '');
  }
  store.setHash(instances, { '@at': String(now), '@gone': gone.join(' ') });
  return gone.join(' ');
}

function check(store: SimStore, _keys: string[], boots: Args): unknown {
  return boots.map((boot) => {
    if (store.get(keys.lease(String(boot))) === undefined) return 0;
    return store.listeners(keys.commands(String(boot))) === 0 ? 1 : 2;
  });
}

function publishAll(store: SimStore, _keys: string[], args: Args): unknown {
  const heard: number[] = [];
  for (let at = 0; at < args.length; at += 2)
    heard.push(store.publish(String(args[at]), Buffer.from(args[at + 1] ?? '')));
  return heard;
}
