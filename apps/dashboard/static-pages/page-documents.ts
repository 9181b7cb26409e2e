/** A file of the build, as the bundler tells it. */
interface BuiltFile {
  type: 'asset' | 'chunk';
  fileName: string;
  moduleIds?: readonly string[];
  imports?: readonly string[];
}

/**
 * Pages of the dashboard whose code is not in its first files, by the name in their address; the home is the overview. Each gets a
 * document that names its files, so that they come with the first ones and not only after those have run.
 */
const ownCode: Readonly<Record<string, string>> = {
  overview: 'overview/overview-page.tsx',
  sessions: 'sessions/sessions-page.tsx',
  try: 'try-it/try-page.tsx',
  activity: 'activity/activity-page.tsx',
  notifications: 'notifications/notifications-page.tsx',
  account: 'account/second-factor/second-factors.tsx',
};

/** The documents beside `index.html`, which is given and serves all other pages. */
export function pageDocuments(
  index: string,
  files: readonly BuiltFile[],
): { file: string; document: string }[] {
  return Object.entries(ownCode).map(([name, module]) => {
    const chunk = files.find(({ moduleIds = [] }) =>
      moduleIds.some((id) => id.endsWith(`/src/pages/${module}`)),
    );
    if (!chunk) throw new Error(`no file of the build holds ${module}`);
    const links = [...neededBy(chunk, files)]
      .filter((file) => !index.includes(file))
      .map((file) => `<link rel="modulepreload" crossorigin href="/dashboard/${file}">`);
    return { file: `dashboard/${name}.html`, document: index.replace('</head>', `${links.join('')}</head>`) };
  });
}

/** The file and all that it imports. */
function neededBy(chunk: BuiltFile, files: readonly BuiltFile[], found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const name of chunk.imports ?? []) {
    const imported = files.find(({ fileName }) => fileName === name);
    if (imported) neededBy(imported, files, found);
  }
  return found;
}
