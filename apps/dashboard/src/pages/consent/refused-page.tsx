import { Page } from '../../parts/page.tsx';
import { place } from '../../router.ts';

/** What went wrong, and what to do. Each by the word that `/oauth/authorize` gives. */
const words: Readonly<Record<string, string>> = {
  not_offered:
    'This relay is reached over plain http, where everybody on the way could read along. Its operator has to put https before it. Until then a program needs a key: make one under Keys.',
  client_missing: 'The program did not say who it is. Update it, or tell who makes it.',
  client_unknown:
    'This relay does not know the program, or not any more. Remove the connector in the program and add it again: it then registers anew.',
  documents_off:
    'The program wants the relay to read a document about it, and this relay’s operator has switched that off. Look in the program for another way to sign in, or make a key for it under Keys.',
  document_unreachable:
    'The relay could not read the document in which the program says who it is. Try again later, or tell who makes the program.',
  document_wrong:
    'The document in which the program says who it is does not fit it. Tell who makes the program; nothing you do here helps.',
  redirect_missing: 'The program did not say where to go back to. Update it, or tell who makes it.',
  redirect_unknown:
    'The program wants to be told at an address that it has not registered. Remove the connector in the program and add it again. If somebody sent you a link, do nothing: it may be a trick.',
  response_type: 'The program asks in a way that this relay does not offer. Update it, or tell who makes it.',
  challenge:
    'The program does not protect its request as it has to (PKCE with S256). Update it, or tell who makes it.',
  resource:
    'The program wants to use another address than this relay’s. Look at the address that it was given.',
  busy: 'Too many programs ask at the moment. Wait a minute, and start again from the program.',
  origin_refused: 'Another page opened this in a frame or by a script. Start again from the program.',
};

export const RefusedPage = () => <Refused why={new URLSearchParams(place.value.search).get('why') ?? ''} />;

/** Where a program's request ends that cannot be answered. Nothing on it leads back there. */
export function Refused({ why }: { why: string }) {
  const text = Object.hasOwn(words, why) ? words[why] : undefined;
  return (
    <Page title="The program was not signed in" narrow>
      <p class="lead">{text ?? 'Its request is not as it has to be. Start again from the program.'}</p>
      <p>
        Nothing was let in and nothing has changed. <a href="/guides/assistants">How programs sign in</a>
      </p>
    </Page>
  );
}
