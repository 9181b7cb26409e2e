import { Copy } from '../parts/copy.tsx';
import { answerOf, credentialOf, problemsOf } from './document.ts';
import type { ApiDocument, Entry } from './document.ts';
import { EntryCode } from './entry-code.tsx';
import { FieldList } from './field-list.tsx';
import type { ShownField } from './field-list.tsx';
import { inline, Prose } from './prose.tsx';
import { fieldsOf, typeOf } from './schema-fields.ts';
import { useTitle } from './use-title.ts';

/** One call: what it does, what goes in, what comes out, how it fails, and how to make it. */
export function EntryPage({ entry, document }: { entry: Entry; document: ApiDocument }) {
  const { schemas } = document.components;
  const { description, schema } = answerOf(entry);
  const taken = inputFields(entry, document);
  const answered = schema ? fieldsOf(schema, schemas) : [];
  useTitle(entry.summary);
  return (
    <main id="content" class="entry">
      <div class="entry-head">
        <p class="back">
          <a href="/docs">All calls</a>
        </p>
        <h1 tabIndex={-1}>{entry.summary}</h1>
        <p class="address">
          <strong class="method">{entry.method}</strong> <code>{entry.path}</code>
          <Copy text={entry.path} what="path" />
        </p>
      </div>
      <div class="entry-text">
        {entry.description && <Prose text={withoutScope(entry.description)} />}
        <Facts entry={entry} />
        <section>
          <h2>What goes in</h2>
          {taken.length > 0 ? <FieldList fields={taken} label="What goes in" /> : <p>Nothing.</p>}
        </section>
        <section>
          <h2>What comes back</h2>
          <Prose text={description} />
          {answered.length > 0 && <FieldList fields={answered} label="What comes back" />}
        </section>
        <Problems entry={entry} document={document} />
      </div>
      <EntryCode entry={entry} schemas={schemas} />
    </main>
  );
}

/** The scope is among the facts. */
const withoutScope = (text: string): string => text.replace(/(^|\s+)Scope: `[^`]+`\./, '').trim();

function Facts({ entry }: { entry: Entry }) {
  const needs = {
    apiKey: `An API key with the scope \`${entry['x-scope'] ?? ''}\``,
    session: 'A session: the dashboard’s cookie, or `Authorization: Bearer trs_…`',
    none: 'Nothing: anybody may call it',
  }[credentialOf(entry)];
  const facts = [
    ['Needs', needs],
    ['Does', entry['x-kind'] && (entry['x-kind'] === 'query' ? 'Reads' : 'Changes the world')],
    ['Answers within', entry['x-timeout-ms'] && `${entry['x-timeout-ms'] / 1000} s`],
    ['In the SDK', entry['x-sdk-method'] && `\`relay.${entry['x-sdk-method']}\``],
  ] as const;
  return (
    <dl>
      {facts.map(
        ([name, fact]) =>
          fact && (
            <div class="fact" key={name}>
              <dt>{name}</dt>
              <dd>{inline(fact)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Everything that a caller may send, each once, the needed first. */
function inputFields({ parameters = [], requestBody }: Entry, document: ApiDocument): ShownField[] {
  const { schemas } = document.components;
  const outside = parameters.map(({ name, in: place, required = false, description = '', schema = {} }) => ({
    name,
    depth: 0,
    type: typeOf(schema, schemas),
    isNeeded: required,
    description,
    place,
    ...(schema.default === undefined ? {} : { default: schema.default }),
  }));
  const body = requestBody?.content['application/json']?.schema;
  const names = new Set<string>();
  const inside = (body ? fieldsOf(body, schemas) : []).map(({ isRequired, ...field }) => {
    names.add(field.name);
    return { ...field, isNeeded: isRequired };
  });
  // Beside a raw body the same parameters may come in the query: they are shown in the body alone.
  const once = outside.filter(({ name }) => !names.has(name));
  const common = ({ name }: ShownField) => ['clientId', 'x-client-id', 'userId'].includes(name);
  const path = once.filter(({ place }) => place === 'path');
  const rest = once.filter(({ place }) => place !== 'path');
  return [
    ...path,
    ...inside.filter((field) => !common(field)),
    ...rest.filter((field) => !common(field)),
    ...[...inside, ...rest].filter(common),
  ];
}

function Problems({ entry, document }: { entry: Entry; document: ApiDocument }) {
  return (
    <section>
      <h2>How it fails</h2>
      <ul class="problems">
        {problemsOf(entry).flatMap(({ status, codes }) =>
          codes.map((code) => (
            <li key={code}>
              <span class="number muted">{status}</span> <a href={`/errors/${code}`}>{code}</a>{' '}
              {document.components.examples[code]?.summary}
            </li>
          )),
        )}
      </ul>
    </section>
  );
}
