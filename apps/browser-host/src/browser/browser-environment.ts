type Environment = Record<string, string | undefined>;

/** Where programs, libraries, fonts and folders for files are, and how the machine writes words and times. */
const names = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'LANGUAGE',
  'TZ',
  'LD_LIBRARY_PATH',
  // The helper that makes the sandbox where there are no user namespaces.
  'CHROME_DEVEL_SANDBOX',
  // Read by the script that starts Chromium on Debian.
  'CHROMIUM_FLAGS',
]);
const prefixes = ['LC_', 'XDG_', 'FONTCONFIG_'];

/**
 * What of the host's environment Chromium gets. The host's own settings are there too, with the passwords of Postgres and
 * Redis, and no page that breaks out of its browser should find them in its own process.
 */
export function browserEnvironment(environment: Environment): Environment {
  const isGiven = (name: string) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isGiven(name)));
}
