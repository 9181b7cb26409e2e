import { addresses, channels } from '@tabletop-relay/contract';
import type { ChannelDefinition } from '@tabletop-relay/contract';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pythonMethods } from './python-methods.ts';
import { pythonFile } from './python-text.ts';
import { pythonTypes } from './python-types.ts';
import { synchronous } from './synchronous.ts';

const root = path.join(import.meta.dirname, '../../../..');
const folder = 'packages/sdk-python';
const modules = `${folder}/src/tabletop_relay`;

/** The files of the Python SDK that follow from the contract, from its client for asyncio, and from its `package.json`. */
export function pythonPackage(): Record<string, string> {
  const written = (name: string) => readFileSync(path.join(root, name), 'utf8');
  const methods = pythonMethods();
  return {
    // hatchling takes a licence from the package's own folder alone.
    [`${folder}/LICENSE`]: written('LICENSE'),
    [`${folder}/pyproject.toml`]: project(JSON.parse(written(`${folder}/package.json`)) as Manifest),
    [`${modules}/_async_operations.py`]: methods,
    [`${modules}/_contract.py`]: contract(JSON.parse(written(`${folder}/package.json`)) as Manifest),
    [`${modules}/_sync.py`]: synchronous(written(`${modules}/_async.py`)),
    [`${modules}/_sync_keys.py`]: synchronous(written(`${modules}/_async_keys.py`)),
    [`${modules}/_sync_operations.py`]: synchronous(methods),
    [`${modules}/types.py`]: pythonTypes(),
  };
}

interface Manifest {
  version: string;
  description: string;
  license: string;
  keywords: string[];
  python: { name: string; requires: string; dependencies: string[] };
}

/** Each of the paths that the clients ask without an operation. */
const asked = [
  'listClients',
  'createStreamTicket',
  'createKeyRequest',
  'pollKeyRequest',
  'exchangeKeyRequest',
  'getStatus',
] as const;

function contract({ version }: Manifest): string {
  const paths = asked.map((name) => `    "${name}": "${addresses[name].split(' ')[1]}",`);
  const streams = Object.entries<ChannelDefinition>(channels).map(
    ([name, channel]) => `    "${name}": "${channel.path}",`,
  );
  return pythonFile(
    'packages/contract/src and package.json',
    'Facts of the contract that the clients need.',
    `VERSION = "${version}"`,
    `ADDRESSES = {\n${paths.join('\n')}\n}`,
    `CHANNEL_PATHS = {\n${streams.join('\n')}\n}`,
  );
}

function project({ version, description, license, keywords, python }: Manifest): string {
  const list = (values: readonly string[]) => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  return `# Generated from package.json by \`pnpm docs:generate\`; a test compares it.
[build-system]
requires = ["hatchling==1.33.0"]
build-backend = "hatchling.build"

[project]
name = "${python.name}"
version = "${version}"
description = "${description}"
readme = "README.md"
license = "${license}"
license-files = ["LICENSE"]
requires-python = "${python.requires}"
keywords = ${list(keywords)}
dependencies = ${list(python.dependencies)}

[tool.hatch.build.targets.wheel]
packages = ["src/tabletop_relay"]
core-metadata-version = "2.4"

[tool.ruff]
line-length = 132

[tool.ruff.lint]
extend-select = ["I", "UP", "B", "SIM", "RUF"]
# Typographic quotes are those of the relay's own words.
ignore = ["RUF001", "RUF002", "RUF003"]
per-file-ignores = { "_sync*.py" = ["I001"], "types.py" = ["I001"] }

[tool.ruff.format]
exclude = ["_sync*.py", "_*_operations.py", "_contract.py", "types.py"]

[tool.mypy]
strict = true

[tool.pyright]
typeCheckingMode = "strict"
`;
}
