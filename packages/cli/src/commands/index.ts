import { commonFlags } from '../connection.ts';
import type { OwnFlag } from '../arguments/flags.ts';
import { runDownload, runUpload, downloadFlags, uploadFlags } from './files.ts';
import { runListen, listenFlags } from './listen.ts';
import { runLogin, runLogout, runStatus, loginFlags, logoutFlags, statusFlags } from './login.ts';
import { mcpFlags, runMcp } from './mcp.ts';
import { callFlags, runCall } from './operation.ts';
import { printCompletion, shells } from './completion.ts';
import { runWorlds } from './worlds.ts';
import type { Io } from '../terminal/io.ts';

/** A command of our own, beside the operations. */
export interface OwnCommand {
  /** What stands behind its name. */
  usage: string;
  /** One line, without a full stop. */
  summary: string;
  description?: string;
  flags: readonly OwnFlag[];
  run: (args: readonly string[], io: Io) => Promise<void>;
}

/** The commands that are no operation, in the order of the help. */
export const commands: Readonly<Record<string, OwnCommand>> = {
  login: {
    usage: '<address of the relay>',
    summary: 'Get a key that a person approves, and keep it',
    description:
      'Prints a link and waits until somebody has approved it in the dashboard, ten minutes at most. It needs no terminal, keyring or browser.',
    flags: loginFlags,
    run: runLogin,
  },
  status: {
    usage: '',
    summary: 'Tell which relays are known and whether the key works',
    flags: statusFlags,
    run: runStatus,
  },
  logout: {
    usage: '',
    summary: 'Forget a key',
    description: 'The key works until it is revoked in the dashboard.',
    flags: logoutFlags,
    run: runLogout,
  },
  worlds: {
    usage: '',
    summary: 'List the worlds that the key may see',
    flags: commonFlags,
    run: runWorlds,
  },
  call: {
    usage: "<operation> ['{json}' | @file | -]",
    summary: 'Ask an operation with its parameters as JSON',
    description:
      'The parameters are those of the reference. `@file` reads them from a file, `-` from standard input.',
    flags: callFlags,
    run: runCall,
  },
  listen: {
    usage: '<channel>',
    summary: 'Follow what happens, a line of JSON for each event',
    description:
      'It comes back by itself after an interruption. `connected` with `recovered` and `gap` say whether something is missing.',
    flags: listenFlags,
    run: runListen,
  },
  upload: {
    usage: '<file | -> [folder]',
    summary: 'Put a file into the tabletop',
    flags: uploadFlags,
    run: runUpload,
  },
  download: {
    usage: '<path>',
    summary: 'Get a file of the tabletop',
    flags: downloadFlags,
    run: runDownload,
  },
  mcp: {
    usage: '',
    summary: 'Pass an assistant’s messages on to the relay’s MCP server',
    description:
      'For assistants that start a program and know no address, and for relays on this machine: a line of standard input is a message.',
    flags: mcpFlags,
    run: runMcp,
  },
  completion: {
    usage: `<${shells.join('|')}>`,
    summary: 'Print what a shell completes commands by',
    flags: commonFlags.filter(({ flag }) => flag === 'help'),
    run: printCompletion,
  },
};
