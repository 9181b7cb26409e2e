import { lazy, lazyPage } from '../../../parts/lazy.tsx';

export const SecondFactors = lazy(
  async () => (await import('./second-factors.tsx')).SecondFactors,
  <section class="loading-part" aria-busy="true" />,
);

export const SetUpAppPage = lazyPage(async () => (await import('./set-up-app.tsx')).SetUpAppPage);

export const SetUpPasskeyPage = lazyPage(async () => (await import('./set-up-passkey.tsx')).SetUpPasskeyPage);

export const RecoveryCodesPage = lazyPage(
  async () => (await import('./recovery-codes.tsx')).RecoveryCodesPage,
);

export const MissingFactorPage = lazyPage(
  async () => (await import('./missing-factor.tsx')).MissingFactorPage,
);
