import { useLayoutEffect } from 'preact/hooks';
import { useKeepOnPage } from '../../../parts/secret-once.tsx';
import { Copy } from '../../../parts/copy.tsx';
import { Page, focusTitle } from '../../../parts/page.tsx';
import { account } from '../../../request.ts';
import { newRecoveryCodes } from './new-recovery-codes.ts';

/** Shows new recovery codes this once; they leave when the person says that they are stored. */
export function RecoveryCodesPage() {
  const codes = newRecoveryCodes.value ?? [];
  // It comes in place of another page at the same address.
  useLayoutEffect(focusTitle, []);
  const forget = () => (newRecoveryCodes.value = undefined);
  useKeepOnPage('the recovery codes', forget);
  const leave = () => {
    forget();
    requestAnimationFrame(focusTitle);
  };
  return (
    <Page title="Your recovery codes" narrow>
      <section class="secret" aria-label="Recovery codes">
        <p>
          When your phone or passkey is lost or broken, one of these codes takes its place: you sign in with
          your password and the code. Each works once.
        </p>
        <p class="notice warn">
          <strong>This is the only time you see them.</strong> Print them, or keep them in your password
          store: not only on the phone that they stand in for.
        </p>
        <ul class="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div class="buttons">
          <button type="button" onClick={() => download(codes)}>
            Download
          </button>
          <Copy text={codes.join('\n')} what="recovery codes" />
        </div>
        <button type="button" class="primary" onClick={leave}>
          I have stored them
        </button>
      </section>
    </Page>
  );
}

function download(codes: readonly string[]): void {
  const lines = [
    `Recovery codes of Tabletop Relay, ${location.origin}`,
    `Account ${account.peek()?.email ?? ''}, made on ${new Date().toISOString().slice(0, 10)}`,
    'Each works once, beside the password.',
    '',
    ...codes,
    '',
  ];
  const url = URL.createObjectURL(new Blob([lines.join('\n')], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'tabletop-relay-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}
