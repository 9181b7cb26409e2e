import { Copy } from '../copy.tsx';
import { QrCode } from './qr-code.tsx';

/** This very question, for a phone that is signed in: who decides there types nothing here. */
export function PhoneLink({ path }: { path: string }) {
  const address = location.origin + path;
  return (
    <details class="phone-link">
      <summary>Decide on your phone</summary>
      <p class="hint">
        Scan this with a phone that is signed in to this relay. The tabletop continues by itself once you have
        decided.
      </p>
      <QrCode text={address} label="QR code of this request’s address" />
      <Copy text={address} what="address of this request" />
    </details>
  );
}
