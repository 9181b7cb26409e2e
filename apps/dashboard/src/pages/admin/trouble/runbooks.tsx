/** Pages for operators, by what they see. */
const runbooks: readonly [words: string, address: string][] = [
  ['Many calls fail as unavailable (503)', '/guides/incidents#many-unavailable-503'],
  ['Many calls fail as client_lost (502)', '/guides/incidents#many-client_lost-502'],
  ['Many calls fail as client_timeout (504)', '/guides/incidents#many-client_timeout-504'],
  ['Calls are slow', '/guides/incidents#calls-are-slow'],
  ['An instance is not ready', '/guides/incidents#an-instance-is-not-ready'],
  ['An instance is full', '/guides/incidents#an-instance-is-full'],
  ['Postgres is away or full', '/guides/incidents#postgres-is-away-or-full'],
  ['Jobs fail or do not run', '/guides/incidents#jobs-fail-or-do-not-run'],
  ['Somebody guesses or floods', '/guides/incidents#somebody-guesses-or-floods'],
  ['A credential has leaked', '/guides/incidents#a-credential-has-leaked'],
  ['Why one call failed, by its request id', '/guides/debug'],
  ['Every alert, and what to do', '/guides/alerts'],
  ['Every metric', '/guides/metrics'],
];

export function Runbooks() {
  return (
    <section>
      <h2>What to do</h2>
      <ul class="rows">
        {runbooks.map(([words, address]) => (
          <li key={address}>
            <a href={address}>{words}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
