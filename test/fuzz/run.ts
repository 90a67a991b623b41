import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { matchPath } from '#shared/http/match-path';
import { type Route, routes } from '../../functions/routes.ts';

import { startLocalStack } from '../../infra/local/stack.ts';
import { describeService } from '../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../infra/openapi/endpoints.ts';
import { nameSchemas } from '../../infra/openapi/name-schemas.ts';
import { patientTwin } from '../support/patience.ts';

// `npm run fuzz` lets Schemathesis, a public fuzzer of OpenAPI descriptions, make thousands of requests to the
// service on this machine, out of the description. It ends with 1 after any answer of 5xx and any that the
// description does not know. `npm run fuzz -- --max-examples 500` hands its options on.
//
// It uses every id that it meets, so it would soon revoke its own key, and from then on learn nothing but 401.
// What can do that is left out of the first run. In the second, only what the fuzzer made itself is in reach.

const version = '4.32.5';
const environment = `.local/schemathesis-${version}`;
const fuzzer = join(environment, 'bin/schemathesis');

/** What the answers are checked for. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
];

/** What can take the fuzzer's organization, key or From identity away. */
const dangerous = [
  'updateOrganization',
  'deleteOrganization',
  'updateApiKey',
  'revokeApiKey',
  'rotateApiKey',
  'resendApiUpdateApiKey',
  'resendApiDeleteApiKey',
  'setIdentity',
  'deleteIdentity',
  'resendApiDeleteDomain',
];
/** What makes organizations and keys to do that to. None of them tells of others. */
const makers = [
  'createOrganization',
  'createOrganizationApiKey',
  'createApiKey',
  'resendApiCreateApiKey',
];

const reportShape = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({ method: z.string(), url: z.string() }),
        response: z.object({ status: z.int() }),
      }),
    ),
  }),
});

installFuzzer();
const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
const report = join(folder, 'requests.har');
const stack = await startLocalStack({ quiet: true, env: patientTwin });
try {
  const first = await fuzz('exclude', dangerous);
  await assertSends();
  assertEachWasAdmitted();
  const second = await fuzz('include', [...makers, ...dangerous]);
  await assertAdmitted();
  process.exitCode = Math.max(first, second);
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true });
}

/** Makes a Python environment of its own, once. */
function installFuzzer(): void {
  if (existsSync(fuzzer)) return;
  if (spawnSync('python3', ['--version']).status !== 0) {
    console.error('npm run fuzz needs Python 3.10 or newer as python3, with venv. There is none.');
    process.exit(1);
  }
  for (const [command, ...words] of [
    ['python3', '-m', 'venv', environment],
    [
      join(environment, 'bin/pip'),
      'install',
      '--quiet',
      '--no-compile',
      `schemathesis==${version}`,
    ],
  ] as const) {
    const { status } = spawnSync(command, words, { stdio: 'inherit' });
    if (status !== 0) {
      console.error(`Could not install Schemathesis ${version}: ${command} ended with ${status}.`);
      process.exit(1);
    }
  }
}

async function fuzz(choice: 'include' | 'exclude', operations: string[]): Promise<number> {
  const { baseUrl, manageKey, cronSecret, operatorSecret } = stack.description;
  const description = join(folder, 'openapi.json');
  writeFileSync(description, JSON.stringify(nameSchemas(describeService(routedEndpoints))));
  const child = spawn(
    join(process.cwd(), fuzzer),
    [
      ...['run', description, '--url', baseUrl, '--checks', checks.join(',')],
      ...['-H', `Authorization: Bearer ${manageKey}`, '-H', `X-Cron-Secret: ${cronSecret}`],
      ...['-H', `X-Operator-Secret: ${operatorSecret}`],
      ...operations.flatMap((operation) => [`--${choice}-operation-id`, operation]),
      ...['--report', 'har', '--report-har-path', report],
      ...['--max-redirects', '0', '--warnings', 'off', ...process.argv.slice(2)],
    ],
    // It keeps what it found earlier where it runs.
    { stdio: 'inherit', cwd: folder },
  );
  const [code] = await once(child, 'exit');
  return Number(code ?? 1);
}

/** Else most answers were refusals, and nothing was tried. */
async function assertAdmitted(): Promise<void> {
  const { status } = await request('/api/v1/api-keys');
  if (status !== 200) throw new Error(`The fuzzer lost its key: ${status}`);
}

/** What takes no key gets 401 for its own reasons. */
function isForKeys({ path }: Route): boolean {
  return ['/api/v1/', '/resend/', '/postmark/'].some((start) => path.startsWith(start));
}

/** Of an operation that answered 401 to everything, nothing but its door was tried. */
function assertEachWasAdmitted(): void {
  const { entries } = reportShape.parse(JSON.parse(readFileSync(report, 'utf8'))).log;
  const answered = new Map<string, Set<number>>();
  for (const { request, response } of entries) {
    const { pathname } = new URL(request.url);
    const route = routes.find(
      ({ method, path }) => method === request.method && matchPath(path, pathname),
    );
    if (route === undefined || !isForKeys(route)) continue;
    const name = `${route.method} ${route.path}`;
    answered.set(name, (answered.get(name) ?? new Set()).add(response.status));
  }
  const refused = [...answered].filter(([, statuses]) => [...statuses].every((one) => one === 401));
  if (refused.length === 0) return;
  throw new Error(`Nothing but 401: ${refused.map(([name]) => name).join(', ')}`);
}

async function assertSends(): Promise<void> {
  const email = { to: 'nobody-yet@example.com', subject: 'After the fuzzer', content: 'Hello' };
  const response = await request('/api/v1/emails/send', JSON.stringify(email));
  const answer = await response.text();
  if (!answer.includes('"sent"')) throw new Error(`The fuzzer cannot send any more: ${answer}`);
}

function request(path: string, body?: string): Promise<Response> {
  return fetch(`${stack.description.baseUrl}${path}`, {
    headers: {
      authorization: `Bearer ${stack.description.manageKey}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { method: 'POST', body }),
  });
}
