import { isLoopback } from '../words/address.ts';
import { lazy } from './lazy.tsx';

const Loaded = lazy(async () => (await import('./qr/phone-link.tsx')).PhoneLink, null);

/** Nothing where the relay is reached as this machine itself: on a phone that name is the phone. */
export const PhoneLink = ({ path }: { path: string }) =>
  isLoopback(location.hostname) ? null : <Loaded path={path} />;
