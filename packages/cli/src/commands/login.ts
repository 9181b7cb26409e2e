import { createAccountClient, pollKeyRequest, RelayError, requestKey } from '@tabletop-relay/sdk';
import type { Scope } from '@tabletop-relay/sdk';
import os from 'node:os';
import { commonFlags, connectionOf, fetchOf, relayOf, textOf } from '../connection.ts';
import { UsageError } from '../terminal/failures.ts';
import { readFlags } from '../arguments/flags.ts';
import type { Given, OwnFlag } from '../arguments/flags.ts';
import { scopes } from '../generated/commands.ts';
import { note, readInput } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { answer } from '../terminal/output.ts';
import {
  checkProfilesFolder,
  profileNameOf,
  profilesFile,
  readProfiles,
  writeProfiles,
} from '../profiles.ts';
import type { Profile } from '../profiles.ts';
import { version } from '../version.ts';

const plainFlags = commonFlags.filter(({ flag }) => !['timeout', 'retries', 'profile'].includes(flag));

export const loginFlags: readonly OwnFlag[] = [
  {
    flag: 'scopes',
    value: 'a,b',
    says: 'What the key shall be allowed. Without it all that a user of the world may do; who approves can take away.',
  },
  {
    flag: 'world',
    value: 'clientId',
    isRepeated: true,
    says: 'A world that the key shall reach; else who approves chooses.',
  },
  { flag: 'profile', value: 'name', says: 'The name to keep it under; else the relay’s host.' },
  { flag: 'with-key', says: 'Read a key from standard input in place of asking for one.' },
  { flag: 'no-browser', says: 'Open no browser on a terminal either.' },
  ...plainFlags,
];

/** `tabletop login <url>`: a person approves in the dashboard, and the key is kept here. It asks nothing on the terminal. */
export async function runLogin(args: readonly string[], io: Io): Promise<void> {
  const given = readFlags(args, loginFlags);
  const [address = io.env['TABLETOP_URL'], extra] = given.positionals;
  if (!address || extra !== undefined) throw new UsageError('Usage: tabletop login <address of the relay>');
  const url = address.replace(/\/+$/, '');
  // What is no address is told before anything is made.
  relayOf({ url, apiKey: '', fetch: io.fetch, retries: 0, timeoutMs: undefined, profile: undefined });
  checkProfilesFolder(io.env);
  const { flags } = given;
  const fetch = fetchOf(io, flags['debug'] === true);
  const kept =
    flags['with-key'] === true ? await keyFromInput(io) : await askForKey(url, { given, fetch }, io);
  const profile = { url, ...kept };
  await checkKey(profile, fetch, io);
  const name = textOf(flags['profile']) ?? profileNameOf(url);
  const { profiles } = readProfiles(io.env);
  writeProfiles(io.env, { current: name, profiles: { ...profiles, [name]: profile } });
  await note(io, `Logged in to ${url}. The key is kept in ${profilesFile(io.env)}.`);
  const { scopes: granted, clientIds } = profile;
  await answer(io, { profile: name, url, scopes: granted, clientIds }, { asJson: flags['json'] === true });
}

async function keyFromInput(io: Io): Promise<Omit<Profile, 'url'>> {
  if (io.stdin.isTTY) await note(io, 'Paste the key, then Enter and Ctrl-D.');
  const apiKey = (await readInput(io)).toString('utf8').trim();
  if (!/^\S+$/.test(apiKey)) throw new UsageError('Standard input holds no key.');
  return { apiKey, scopes: [], clientIds: [] };
}

async function askForKey(
  url: string,
  { given, fetch }: { given: Given; fetch: typeof globalThis.fetch },
  io: Io,
): Promise<Omit<Profile, 'url'>> {
  const { flags } = given;
  const named = textOf(flags['scopes'])?.split(',') ?? Object.keys(scopes).filter((name) => scopes[name]);
  const unknown = named.find((name) => !Object.hasOwn(scopes, name));
  if (unknown !== undefined)
    throw new UsageError(`There is no scope ${JSON.stringify(unknown)}: ${Object.keys(scopes).join(', ')}.`);
  const worlds = flags['world'];
  const request = await requestKey({
    url,
    fetch,
    signal: io.signal,
    appName: `tabletop on ${hostName()}`,
    appDescription: 'The command line. The key is kept in a file of whoever runs it.',
    scopes: named as Scope[],
    ...(Array.isArray(worlds) ? { clientIds: worlds } : {}),
  });
  const minutes = Math.round(request.expiresIn / 60);
  await note(io, `Open this page and approve within ${minutes} minutes:\n\n  ${request.approvalUrl}\n`);
  if (io.stdin.isTTY && io.stderr.isTTY && flags['no-browser'] !== true)
    await openBrowser(request.approvalUrl, io.env);
  const { code, verifier } = request;
  const grant = await pollKeyRequest({
    url,
    fetch,
    signal: io.signal,
    code,
    ...(verifier ? { verifier } : {}),
  });
  return { apiKey: grant.apiKey, scopes: grant.scopes, clientIds: grant.clientIds };
}

/** Names hold no invisible characters, so those of a strange host are left out. */
const hostName = (): string =>
  os
    .hostname()
    .replaceAll(/[^\w.-]/g, '')
    .slice(0, 60) || 'a machine';

/** One that does not open is no failure: the link stands on the terminal. */
async function openBrowser(address: string, env: Io['env']): Promise<void> {
  if (process.platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return;
  // The address comes from the relay: no shell reads it, and it is one of the web.
  if (!/^https?:/.test(address)) return;
  const [command, ...args] = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] }[
    process.platform as string
  ] ?? ['xdg-open'];
  const { spawn } = await import('node:child_process');
  const child = spawn(command ?? '', [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** Throws unless the relay takes the key: nobody shall be told that it works before it does. */
async function checkKey(
  { url, apiKey }: Profile,
  fetch: typeof globalThis.fetch,
  io: Io,
): Promise<object[] | undefined> {
  const relay = relayOf({ url, apiKey, fetch, retries: 2, timeoutMs: undefined, profile: undefined });
  try {
    return (await relay.clients({ signal: io.signal })).clients;
  } catch (error) {
    // It is a key, and may not list worlds.
    if (error instanceof RelayError && ['scope_missing', 'paused'].includes(error.code)) return undefined;
    throw error;
  }
}

export const statusFlags: readonly OwnFlag[] = commonFlags;

/** `tabletop status`: the relays that are known here, and whether the one that counts takes its key. */
export async function runStatus(args: readonly string[], io: Io): Promise<void> {
  const given = readFlags(args, statusFlags);
  const { flags } = given;
  const { current, profiles } = io.env['TABLETOP_KEY'] ? { profiles: {} } : readProfiles(io.env);
  const names = Object.keys(profiles);
  const asked = connectionOf(given, io);
  const known = names.map((name) => ({ profile: name, url: profiles[name]?.url, current: name === current }));
  const client = createAccountClient({
    url: asked.url,
    fetch: asked.fetch,
    timeoutMs: asked.timeoutMs ?? 15_000,
  });
  const relay = await client.getStatus(undefined, { signal: io.signal });
  const worlds = await checkKey({ ...asked, scopes: [], clientIds: [] }, asked.fetch, io);
  const kept = asked.profile === undefined ? undefined : profiles[asked.profile];
  await answer(
    io,
    {
      url: asked.url,
      profile: asked.profile ?? null,
      key: 'accepted',
      version,
      relayVersion: relay.version,
      scopes: kept?.scopes ?? [],
      worlds: worlds?.length ?? null,
      online: worlds?.filter((world) => (world as { isOnline: boolean }).isOnline).length ?? null,
      profiles: known,
    },
    { asJson: flags['json'] === true },
  );
}

export const logoutFlags: readonly OwnFlag[] = [
  { flag: 'profile', value: 'name', says: 'Which; else the one that counts.' },
  ...plainFlags,
];

/** `tabletop logout`: forgets a key. Only a person can end it, in the dashboard. */
export async function runLogout(args: readonly string[], io: Io): Promise<void> {
  const { flags } = readFlags(args, logoutFlags);
  const { current, profiles } = readProfiles(io.env);
  const name = textOf(flags['profile']) ?? current;
  const profile = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile || name === undefined)
    throw new UsageError(
      name === undefined ? 'Nobody is logged in.' : `There is no profile ${JSON.stringify(name)}.`,
    );
  const { [name]: _gone, ...left } = profiles;
  const [next] = current === name ? Object.keys(left) : [current];
  writeProfiles(io.env, { ...(next === undefined ? {} : { current: next }), profiles: left });
  await note(io, `The key is forgotten here. It works until it is revoked: ${profile.url}/dashboard/keys`);
  await answer(io, { profile: name, url: profile.url, revoked: false }, { asJson: flags['json'] === true });
}
