import { useSignal } from '@preact/signals';
import type { ModuleInstall } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { Copy } from '../../parts/copy.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';

const pollMs = 3_000;

/** How the module gets into a tabletop. The address is made when the card is opened, and for this account alone. */
export function InstallModule({ open = false }: { open?: boolean }) {
  const install = useSignal<ModuleInstall | undefined>(undefined);
  const isOpen = useSignal(open);
  const { run, problem } = useAction(async () => {
    install.value = await api.createModuleInstall({});
  });
  useEffect(() => {
    if (!isOpen.value) return undefined;
    void run();
    const look = async () => {
      if (document.visibilityState !== 'visible' || !install.peek()) return;
      // What was shown stays while the relay cannot say anything new.
      const next = await api.getModuleInstall().catch(() => undefined);
      // After an hour it has a new word.
      if (next?.expiresAt === null) await run();
      else if (next) show(install.peek(), next, (seen) => (install.value = seen));
    };
    const timer = setInterval(() => void look(), pollMs);
    return () => clearInterval(timer);
  }, [isOpen.value]);
  return (
    <details
      class="install"
      open={isOpen.value}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
    >
      <summary>
        <h2>Install in Foundry</h2>
      </summary>
      <ProblemNotice problem={problem.value} />
      {install.value && <Steps install={install.value} />}
    </details>
  );
}

function show(
  before: ModuleInstall | undefined,
  next: ModuleInstall,
  keep: (seen: ModuleInstall) => void,
): void {
  if (!before?.packageAt && next.packageAt) announce('The module was downloaded.');
  keep(next);
}

function Steps({ install }: { install: ModuleInstall }) {
  const { manifestUrl } = install;
  return (
    <>
      <ol class="steps">
        <li>
          On Foundry’s setup page open Add-on Modules, press Install Module, wait for the list of packages,
          and paste this address into “Manifest URL”:
          <span class="id">
            <code>{manifestUrl}</code>
            <Copy text={manifestUrl} what="the module’s address" />
          </span>
        </li>
        <li>Open your world as game master and switch “Tabletop Relay” on under Manage Modules.</li>
        <li>Press “Pair with the relay” in the window that opens, and approve on the page that it shows.</li>
      </ol>
      {isLoopback(new URL(manifestUrl).hostname) && (
        <p class="notice warn">
          This relay answers on this computer only. A Foundry that runs on this computer can install from it;
          one elsewhere cannot reach it.
        </p>
      )}
      <Downloads install={install} />
      <p class="hint">
        The address is yours for an hour: by it you see whether your Foundry asked. It opens nothing.{' '}
        <a href="/module">More about the module</a>
      </p>
    </>
  );
}

function Downloads({ install: { manifestAt, packageAt } }: { install: ModuleInstall }) {
  if (packageAt) {
    return (
      <p role="status">
        Downloaded <Ago at={packageAt} />. Foundry has the module.
      </p>
    );
  }
  if (manifestAt) {
    return (
      <p role="status">
        It was asked for <Ago at={manifestAt} />. Foundry found the address, and has not fetched the module
        yet.
      </p>
    );
  }
  return (
    <p role="status">
      It has not been asked for yet. If Foundry reports an error now, it cannot reach this relay.
    </p>
  );
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host.startsWith('127.');
