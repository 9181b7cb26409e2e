import manifest from '../package.json' with { type: 'json' };

/** The version of this program, which is that of the relay that serves it. */
export const { version } = manifest;
