import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { startLocalStack } from '../../infra/local/stack.ts';
import { patientTwin } from '../support/patience.ts';

// `npm run judge` runs programs of Resend and others, as released, against the service on this machine: nothing of them
// is changed but their address and key. Keycloak is the issuer of a twin of its own. Each is installed once, pinned,
// into `.local`. It ends with 1 if one of them isn't content. What needs a tool that isn't there is said and left
// out. `npm run judge -- PyPI` runs those of that name. `test/e2e/resend-*.test.ts` has
// Resend's client for Node.js.

type Environment = Readonly<Record<string, string>>;
type Judge = {
  readonly name: string;
  /** The tool without which it can't run. */
  readonly needs: string;
  /** Made by `install`. */
  readonly folder: string;
  readonly install: (folder: string) => void;
  readonly command: (folder: string) => readonly string[];
};

const here = import.meta.dirname;
const local = resolve('.local/judges');
const versions = {
  python: '2.52.0',
  anymail: '15.2',
  go: 'v2.28.0',
  cli: '2.21.0',
  mcp: '2.22.0',
  react: '6.11.6',
  openapi: '0.17.0',
  keycloak: '26.7.3',
};

/** With `others` beside it, it gets the folder of all packages, else its own. */
const ofNpm = (
  name: string,
  version: string,
  program: string,
  others: readonly string[] = [],
): Judge => ({
  name: `${name} ${version} (npm)`,
  needs: 'npm',
  folder: `${name}-${version}`,
  install: (folder) =>
    run('npm', [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${name}@${version}`,
      ...others,
    ]),
  command: (folder) => [
    process.execPath,
    join(here, program),
    join(folder, 'node_modules', others.length === 0 ? name : ''),
  ],
});

const pythonPackages = [`resend==${versions.python}`, `django-anymail==${versions.anymail}`];

/** All in one Python environment, as its pip takes longer to install than they do. */
const ofPyPI = (name: string, version: string, program: string): Judge => ({
  name: `${name} ${version} (PyPI, ${program})`,
  needs: 'python3',
  folder: pythonPackages.join('+'),
  install: (folder) => {
    run('python3', ['-m', 'venv', folder]);
    run(join(folder, 'bin/pip'), ['install', '--quiet', '--no-compile', ...pythonPackages]);
  },
  command: (folder) => [join(folder, 'bin/python'), join(here, program)],
});

const judges: readonly Judge[] = [
  ofPyPI('resend', versions.python, 'client.py'),
  ofPyPI('django-anymail', versions.anymail, 'client_anymail.py'),
  ofPyPI('django-anymail', versions.anymail, 'client_anymail_postmark.py'),
  {
    name: `resend-go ${versions.go}`,
    needs: 'go',
    folder: `go-${versions.go}`,
    install: (folder) => {
      mkdirSync(folder, { recursive: true });
      const module = `module judge\n\ngo 1.23\n\nrequire github.com/resend/resend-go/v2 ${versions.go}\n`;
      writeFileSync(join(folder, 'go.mod'), module);
      copyFileSync(join(here, 'client.go'), join(folder, 'main.go'));
      run('go', ['mod', 'tidy'], { cwd: folder });
    },
    command: (folder) => {
      copyFileSync(join(here, 'client.go'), join(folder, 'main.go'));
      return ['go', '-C', folder, 'run', '.'];
    },
  },
  ofNpm('resend-cli', versions.cli, 'resend-cli.mjs'),
  ofNpm('resend-mcp', versions.mcp, 'resend-mcp.mjs'),
  ofNpm('react-email', versions.react, 'react-email.ts', [
    `@react-email/ui@${versions.react}`,
    'react@19.3.1',
    'react-dom@19.3.1',
  ]),
  ofNpm('openapi-fetch', versions.openapi, 'openapi-fetch.mjs', [
    'openapi-typescript@7.13.0',
    'typescript@5.9.3',
    '@types/node@24.19.2',
  ]),
  {
    name: `Keycloak ${versions.keycloak} (Maven)`,
    needs: 'mvn',
    folder: `keycloak-${versions.keycloak}`,
    install: (folder) => {
      const artifact = `org.keycloak:keycloak-quarkus-dist:${versions.keycloak}:zip`;
      const given = ['-q', 'dependency:unpack', `-Dartifact=${artifact}`];
      // Maven writes a folder of its own into where it runs.
      mkdirSync(folder, { recursive: true });
      run('mvn', [...given, `-DoutputDirectory=${folder}`], { cwd: folder });
    },
    command: (folder) => [process.execPath, join(here, 'keycloak.ts'), folder],
  },
];

function run(command: string, given: readonly string[], options: SpawnSyncOptions = {}): void {
  const { status, error } = spawnSync(command, given, { stdio: 'inherit', ...options });
  if (error !== undefined || status !== 0) throw new Error(`${command} ${given[0]} failed`);
}

const isThere = (tool: string): boolean =>
  spawnSync(tool, [tool === 'go' ? 'version' : '--version']).status === 0;

function installOnce({ folder, install }: Judge): void {
  const place = join(local, folder);
  const done = join(place, '.installed');
  if (existsSync(done)) return;
  install(place);
  writeFileSync(done, '');
}

/** @returns what it found wrong. */
async function judge({ folder, command }: Judge, twin: Environment): Promise<string | undefined> {
  const [program = '', ...given] = command(join(local, folder));
  const child = spawn(program, given, {
    env: { ...process.env, ...twin },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const outputs = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return child.exitCode === 0 ? undefined : outputs.join('\n');
}

const [wanted = ''] = process.argv.slice(2);
const asked = judges.filter(({ name }) => name.includes(wanted));
const present = asked.filter(({ needs }) => isThere(needs));
for (const { name, needs } of asked.filter((one) => !present.includes(one))) {
  console.log(`left out  ${name}: there is no ${needs}`);
}
// Before the twin starts, which works on its queues also while nobody calls it.
for (const one of present) installOnce(one);

const stack = await startLocalStack({ quiet: true, env: patientTwin });
const { baseUrl, manageKey } = stack.description;
const base = `${baseUrl}/resend`;

/** Sends to one address a minute. Resend's API has no way to make one. */
async function newCappedKey(): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${manageKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'capped', scopes: ['send_email'], perMinuteCap: 1 }),
  });
  const { key } = z.object({ key: z.string() }).parse(await response.json());
  return `re_${key}`;
}

try {
  for (const one of present) {
    // The package for Go joins its paths to a base with a slash at the end; that for Python has a variable of its own.
    const twin = {
      RESEND_API_KEY: `re_${manageKey}`,
      RESEND_CAPPED_KEY: await newCappedKey(),
      RESEND_BASE_URL: one.needs === 'go' ? `${base}/` : base,
      RESEND_API_URL: base,
      EMAIL_SERVICE_URL: baseUrl,
      EMAIL_SERVICE_KEY: manageKey,
    };
    const fault = await judge(one, twin);
    console.log(`${fault === undefined ? 'content ' : 'FAULT   '}  ${one.name}`);
    if (fault === undefined) continue;
    console.error(fault);
    process.exitCode = 1;
  }
} finally {
  await stack.stop();
}
