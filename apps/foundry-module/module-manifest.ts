/** The id of the package, of its folder, its settings and its keys. */
export const packageId = 'tabletop-relay';

/**
 * The manifest without the addresses, which belong to the relay that serves it. Only documented fields that are needed: a wrong one hides a
 * package. `compatibility.verified` is left out until people have reported from a real tabletop, and there is no maximum, which would lock worlds out
 * of the next one.
 */
export const moduleManifest = (version: string) => ({
  id: packageId,
  title: 'Tabletop Relay',
  description:
    'Lets the programs that you allow act in this world over HTTP: dice, encounters, sheets. For Foundry Virtual Tabletop 12 and later.',
  version,
  authors: [{ name: 'The Tabletop Relay authors' }],
  license: 'LICENSE',
  compatibility: { minimum: '12.331' },
  esmodules: [`tabletop-relay-${version}.js`],
  styles: [`styles/tabletop-relay-${version}.css`],
  languages: [{ lang: 'en', name: 'English', path: 'languages/en.json' }],
  socket: true,
});
