import { port } from '@tabletop-relay/process';
import { Type } from 'typebox';

/** The settings of a demo world that runs on its own. */
export const demoWorldConfigSchema = Type.Object({
  relayUrl: Type.String({
    default: 'http://127.0.0.1:3010',
    description: 'Address of the relay that the world connects to.',
  }),
  pairingCode: Type.Optional(
    Type.String({ secret: true, description: 'Pairing code from the dashboard; needed at the first start.' }),
  ),
  dataDir: Type.String({ default: '.data', description: 'Folder where the pairing is kept.' }),
  host: Type.String({ default: '127.0.0.1', description: 'Address where the world’s page listens.' }),
  port: port('Port of the world’s page; 0 takes any that is free.', 3020),
  hostNames: Type.Array(Type.String(), {
    default: [],
    description: 'Further host names that the page is reached by. Who reaches it acts as the game master.',
  }),
  seed: Type.Optional(Type.Integer({ description: 'Seed of the dice; without it they are random.' })),
});
