import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The log-in page of the world: a user of a list, and the password. */
export function LogInPage() {
  const users = useSignal<readonly string[]>([]);
  const problem = useSignal('');
  const isBusy = useSignal(false);
  useEffect(() => {
    void readUsers().then((names) => (users.value = names));
  }, [users]);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    isBusy.value = true;
    problem.value = await logIn({ user: textOf(form, 'user'), password: textOf(form, 'password') });
    isBusy.value = false;
    if (problem.value === '') location.assign('play');
  };

  return (
    <main class="log-in">
      <h1>Demo world</h1>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          User
          <select name="user" required>
            {users.value.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <p class="problem tone-bad" role="alert">
          {problem.value && `✕ ${problem.value}.`}
        </p>
        <button class="primary" disabled={isBusy.value}>
          {isBusy.value ? 'Logging in…' : 'Log in'}
        </button>
      </form>
    </main>
  );
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

async function readUsers(): Promise<readonly string[]> {
  const response = await fetch('users');
  return (await response.json()) as string[];
}

/** Empty where it succeeded, else why not. */
async function logIn(credentials: { user: string; password: string }): Promise<string> {
  try {
    const response = await fetch('login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    });
    if (response.ok) return '';
    return ((await response.json()) as { message: string }).message;
  } catch {
    return 'The world does not answer';
  }
}
