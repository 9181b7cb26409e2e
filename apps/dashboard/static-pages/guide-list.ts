/** A page of `docs/` that every relay serves under `/guides/`. */
export interface Guide {
  /** Its file, from `docs/`. */
  file: string;
  /** Summary of the guide in one line. */
  about: string;
}

/** The guides in the order of the list. What only engineers of the relay need is not among them. */
export const guideSections: Readonly<Record<string, readonly Guide[]>> = {
  'Write a program': [
    { file: 'first-call.md', about: 'From a clone to a program that rolls dice in a world of yours.' },
    { file: 'your-first-bot.md', about: 'From nothing to a bot that finds a character and rolls for it.' },
    { file: 'integrations.md', about: 'Keys, choosing the world, files, failures, limits.' },
    {
      file: 'reference/coming-from-another-relay.md',
      about: 'What a program of another relay keeps, and what it must change.',
    },
    { file: 'from-a-shell.md', about: 'The command line: every operation, events, files.' },
    { file: 'python.md', about: 'The SDK for Python, sync and async.' },
    { file: 'streams.md', about: 'What happens in a world, as it happens; overlays.' },
    {
      file: 'socket.md',
      about: 'One connection for calls and events: Stream Decks, companion apps, displays.',
    },
    { file: 'assistants.md', about: 'Claude, Copilot and others at the table, by MCP.' },
    { file: 'headless.md', about: 'A world in a browser of the relay, with nobody at a screen.' },
    { file: 'failure-modes.md', about: 'What each error code means, for the caller and for the operator.' },
  ],
  'Run a game': [
    { file: 'game-masters.md', about: 'Pairing worlds, approving programs, stopping them.' },
    { file: 'foundry-module.md', about: 'Installing the module for Foundry, and what it does.' },
    { file: 'try-in-foundry.md', about: 'The module in a real Foundry, in 25 steps, about 20 minutes.' },
    { file: 'notifications.md', about: 'Being told of what happens to an account, by webhook or mail.' },
  ],
  'Write a module': [{ file: 'module-protocol.md', about: 'The frames between a tabletop and a relay.' }],
  'Run a relay': [
    { file: 'operations/deploy.md', about: 'Database roles, settings, the proxy before it.' },
    { file: 'operations/compose.md', about: 'The whole with Docker Compose.' },
    { file: 'operations/kubernetes.md', about: 'The whole on Kubernetes.' },
    { file: 'operations/images.md', about: 'The images and what is in them.' },
    { file: 'operations/stores.md', about: 'Postgres and Redis.' },
    { file: 'operations/scale.md', about: 'More instances, more shards.' },
    { file: 'operations/capacity.md', about: 'How much one instance bears.' },
    { file: 'operations/roll.md', about: 'A new version without losing calls.' },
    { file: 'operations/secrets.md', about: 'Changing each secret without an outage.' },
    { file: 'operations/backup.md', about: 'What to keep, and getting it back.' },
    { file: 'operations/move.md', about: 'The whole to another cluster.' },
    { file: 'operations/retention.md', about: 'How long records are kept.' },
    { file: 'operations/traces.md', about: 'Following one call from the caller to the world and back.' },
    { file: 'operations/incidents.md', about: 'What to do when something is wrong.' },
    { file: 'debug.md', about: 'Why one call failed, by its request id.' },
    { file: 'versioning.md', about: 'What a version number promises.' },
    { file: 'operations/admin.md', about: 'Accounts, worlds and instances from the command line.' },
    { file: 'security.md', about: 'What the relay guards against, and how.' },
  ],
  Reference: [
    { file: 'glossary.md', about: 'Thirty-three words with one meaning each.' },
    { file: 'reference/events.md', about: 'Every event of every channel.' },
    { file: 'reference/command-line.md', about: 'Every command of the command line, with its flags.' },
    { file: 'reference/scopes.md', about: 'What each scope opens.' },
    { file: 'reference/configuration.md', about: 'Every setting, with default and unit.' },
    { file: 'reference/module-frames.md', about: 'Every frame and close code of a module.' },
    { file: 'reference/socket-frames.md', about: 'Every frame and close code of a caller’s socket.' },
    { file: 'reference/records.md', about: 'What is recorded, and for how long.' },
    { file: 'reference/metrics.md', about: 'Every metric.' },
    { file: 'reference/alerts.md', about: 'Every alert, and what to do.' },
  ],
};

export const guides: readonly Guide[] = Object.values(guideSections).flat();

/** The path of a guide: the file’s name, for no two are alike. */
export const guidePath = (file: string): string => `/guides/${nameOf(file)}`;

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1, -'.md'.length);
