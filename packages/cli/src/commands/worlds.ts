import { commonFlags, connectionOf, relayOf } from '../connection.ts';
import { UsageError } from '../terminal/failures.ts';
import { readFlags } from '../arguments/flags.ts';
import type { Io } from '../terminal/io.ts';
import { answer } from '../terminal/output.ts';

/** `tabletop worlds`: the worlds that the key may see. */
export async function runWorlds(args: readonly string[], io: Io): Promise<void> {
  const given = readFlags(args, commonFlags);
  if (given.positionals.length > 0) throw new UsageError('Usage: tabletop worlds');
  const list = await relayOf(connectionOf(given, io)).clients({ signal: io.signal });
  const asJson = given.flags['json'] === true;
  if (asJson || !io.stdout.isTTY) return await answer(io, list, { asJson });
  const rows = list.clients.map(({ clientId, customName, worldTitle, systemTitle, systemId, isOnline }) => ({
    world: clientId,
    title: customName ?? worldTitle,
    system: systemTitle || systemId,
    online: isOnline ? 'yes' : 'no',
  }));
  await answer(io, rows, { asJson });
}
