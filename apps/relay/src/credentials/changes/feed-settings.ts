import { milliseconds } from '@tabletop-relay/process';

export const feedSettings = {
  credentialTrustMs: milliseconds(
    600_000,
    'How long cached keys are believed while Redis answers and neither this instance nor another that it hears can read Postgres. A revocation by a process that reaches Postgres and not Redis is hidden from it for so long.',
    0,
  ),
};
