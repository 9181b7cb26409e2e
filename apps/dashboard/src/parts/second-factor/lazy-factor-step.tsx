import { lazy } from '../lazy.tsx';
import type { FactorStepProps } from './factor-step.tsx';

/** Its code, with what talks to passkeys, comes when the relay asks for a second factor. */
export const LazyFactorStep = lazy<FactorStepProps>(
  async () => (await import('./factor-step.tsx')).FactorStep,
  <div class="loading-part" aria-busy="true" />,
);
