import { useLayoutEffect } from 'preact/hooks';
import { Announcer } from '../parts/announcer.tsx';
import { focusTitle } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem.tsx';
import { isFirstPage, place } from '../router.ts';
import { Contents } from './contents.tsx';
import { EntryPage } from './entry-page.tsx';
import { apiDocument, sections } from './loaded.ts';
import { StartPage } from './start-page.tsx';
import { useTitle } from './use-title.ts';

/** The list of all calls beside one of them. On a phone the list is a page of its own. */
export function Reference() {
  const { path } = place.value;
  useLayoutEffect(() => {
    if (!isFirstPage()) focusTitle();
  }, [path]);
  return (
    <div class={path === '/docs' ? 'beside at-start' : 'beside'}>
      <Contents />
      <Screen id={path.slice('/docs/'.length)} />
      <Announcer />
    </div>
  );
}

function Screen({ id }: { id: string }) {
  const document = apiDocument.data.value;
  if (apiDocument.problem.value)
    return (
      <main id="content">
        <ProblemNotice problem={apiDocument.problem.value} />
      </main>
    );
  if (!document) return <main id="content" class="loading" aria-busy="true" />;
  if (id === '') return <StartPage document={document} />;
  const entry = sections.value
    .flatMap(({ groups }) => groups.flatMap(({ entries }) => entries))
    .find(({ operationId }) => operationId.toLowerCase() === id.toLowerCase());
  return entry ? <EntryPage entry={entry} document={document} key={id} /> : <NoSuchCall id={id} />;
}

function NoSuchCall({ id }: { id: string }) {
  useTitle('No such call');
  return (
    <main id="content" class="start">
      <h1 tabIndex={-1}>No such call</h1>
      <p>
        This relay has no call by the name <code>{id}</code>. The list has them all;{' '}
        <a href="/docs">begin there</a>.
      </p>
    </main>
  );
}
