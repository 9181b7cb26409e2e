/** Pages for operators, by what they see. */
const runbooks: readonly [words: string, address: string][] = [
  ['Many calls fail as unavailable (503)', 'incidents#many-unavailable-503'],
  ['Many calls fail as client_lost (502)', 'incidents#many-client_lost-502'],
  ['Many calls fail as client_timeout (504)', 'incidents#many-client_timeout-504'],
  ['Calls are slow', 'incidents#calls-are-slow'],
  ['An instance is not ready', 'incidents#an-instance-is-not-ready'],
  ['An instance is full', 'incidents#an-instance-is-full'],
  ['Postgres is away or full', 'incidents#postgres-is-away-or-full'],
  ['Jobs fail or do not run', 'incidents#jobs-fail-or-do-not-run'],
  ['Somebody guesses or floods', 'incidents#somebody-guesses-or-floods'],
  ['A credential has leaked', 'incidents#a-credential-has-leaked'],
  ['Why one call failed, by its request id', 'debug'],
  ['Every alert, and what to do', 'alerts'],
  ['Every metric', 'metrics'],
];

export function Runbooks() {
  return (
    <section>
      <h2>What to do</h2>
      <ul class="rows">
        {runbooks.map(([words, address]) => (
          <li key={address}>
            <a href={`/guides/${address}`}>{words}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
