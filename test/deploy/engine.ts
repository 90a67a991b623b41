import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as z from 'zod';
import { startDnsServer } from '../../infra/local/dns/server.ts';
import { setEnvironment } from '../../infra/local/environment.ts';
import { loopback, portOf } from '../../infra/local/server.ts';
import type { SesAccountSimulation } from '../../infra/local/ses/account.ts';
import { startMailbox, startSesServer } from '../../infra/local/ses/ses-server.ts';
import { listenFrom } from '../support/listen-from.ts';
import { type ReceivedEmail, readInbox } from '../support/mailbox-inbox.ts';
import { patience, patientTwin } from '../support/patience.ts';
import { unvalidated } from '../support/unvalidated-synthesis.ts';
import './localhost-names.ts';
import { pythonProgram } from './python.ts';

/** An AWS account on this machine: MiniStack, with IAM on. What it lacks is stood in for by `engine.py`. */
export type Engine = {
  readonly account: string;
  readonly region: string;
  /** What programs need to reach it. This process has it too. */
  readonly environment: Readonly<Record<string, string>>;
  /** SES's identities, and the DNS that SES and the functions ask. */
  readonly ses: SesAccountSimulation;
  /** What SES has sent. */
  inbox(): Promise<readonly ReceivedEmail[]>;
  /** A signed request to a service whose client isn't among the dependencies. @throws Error when it is refused. */
  request(service: string, request: ServiceRequest): Promise<string>;
  /** What functions have logged as errors. */
  errors(): Promise<readonly string[]>;
  /** Runs the `cdk` of this repository. @throws Error when it fails, with what it printed. */
  cdk(...words: readonly string[]): Promise<string>;
  /** Synthesises the app of `cdk.json` into the folder. */
  synth(folder: string, context?: Readonly<Record<string, unknown>>): Promise<void>;
  stop(): Promise<void>;
};

export type ServiceRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const account = '111122223333';
const region = 'eu-west-1';
const binaries = resolve('node_modules/.bin');

/** Needs Python and OpenSSL: see `missingTool`. */
export async function startEngine(): Promise<Engine> {
  const interpreter = pythonProgram('python');
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const certificate = makeCertificate(folder);
  const port = await freePort();
  const url = `https://localhost:${port}`;
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  const environment = {
    ...credentials,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL: url,
    AWS_CA_BUNDLE: certificate.path,
    NODE_EXTRA_CA_CERTS: certificate.path,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'localhost-names.ts')}`,
  };
  const restore = [trust(certificate.path), setEnvironment(environment)];
  const request: Engine['request'] = (service, asked) => requestOf(url, service, asked);
  const mailbox = await startMailbox();
  const simulator = await startSesServer({
    mailboxUrl: mailbox.url,
    // To the destinations of the configuration set that its mail names.
    publish: async (event) => {
      const body = JSON.stringify(event);
      await request('ses', { method: 'POST', path: '/v2/email/events', body });
    },
    reportDropped: (event, error) => console.error(`${event?.eventType} was not published`, error),
  });
  const names = await startDnsServer(simulator.account.dns);
  const log = join(folder, 'engine.log');
  const child = run(interpreter, log, {
    HOME: folder,
    TMPDIR: folder,
    PATH: [binaries, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    AUTH: 'true',
    USE_SSL: '1',
    MINISTACK_SSL_CERT: certificate.path,
    MINISTACK_SSL_KEY: certificate.key,
    MINISTACK_ACCOUNT_ID: account,
    MINISTACK_REGION: region,
    MINISTACK_HOST: 'localhost',
    BIND_HOST: loopback,
    GATEWAY_PORT: String(port),
    STATE_DIR: join(folder, 'state'),
    TWIN_SES: simulator.url,
    // What a new account has.
    LAMBDA_ACCOUNT_CONCURRENCY: '10',
    // The functions inherit what follows. On AWS they have a cache of their own, a DNS, receivers elsewhere, and an SES
    // that takes its time.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compile-cache'),
    DNS_SERVER: names.address,
    WEBHOOK_ALLOW_LOOPBACK_HTTP: 'true',
    SES_ANSWER_SECONDS: '0',
    ...patientTwin,
  });
  const stop = async () => {
    await end(child);
    await simulator.stop();
    await Promise.all([mailbox.stop(), names.stop()]);
    for (const one of restore) one();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(url, child, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    account,
    region,
    environment,
    ses: simulator.account,
    inbox: () => readInbox(mailbox.url),
    request,
    errors: () => readErrors(request),
    cdk: (...words) => runCdk(words, environment),
    synth: (folder, context) => synth(folder, context, environment),
    stop,
  };
}

/** For `localhost`, its address, and the hosts that the engine gives APIs. */
function makeCertificate(folder: string): { readonly path: string; readonly key: string } {
  const path = join(folder, 'engine.crt');
  const key = join(folder, 'engine.key');
  const names = ['DNS:localhost', 'DNS:*.execute-api.localhost', `IP:${loopback}`];
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=engine'],
    ...['-addext', `subjectAltName=${names.join(',')}`, '-keyout', key, '-out', path],
  ]);
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`);
  return { path, key };
}

function trust(path: string): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, readFileSync(path, 'utf8')]);
  return () => setDefaultCACertificates(before);
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { stop } = await listenFrom(server, 4_566);
  const port = portOf(server);
  await stop();
  return port;
}

async function requestOf(url: string, service: string, asked: ServiceRequest): Promise<string> {
  const scope = `test/20260101/${region}/${service}/aws4_request`;
  const response = await fetch(url + asked.path, {
    method: asked.method,
    headers: { authorization: `AWS4-HMAC-SHA256 Credential=${scope}`, ...asked.headers },
    ...(asked.body === undefined ? {} : { body: asked.body }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${asked.method} ${asked.path}: ${answer}`);
  return answer;
}

const groupsShape = z.object({ logGroups: z.array(z.object({ logGroupName: z.string() })) });
const linesShape = z.object({ events: z.array(z.object({ message: z.string() })) });

async function readErrors(request: Engine['request']): Promise<readonly string[]> {
  const ask = async (operation: string, body: object): Promise<unknown> => {
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `Logs_20140328.${operation}`,
    };
    const asked = { method: 'POST', path: '/', headers, body: JSON.stringify(body) };
    return JSON.parse(await request('logs', asked));
  };
  const { logGroups } = groupsShape.parse(await ask('DescribeLogGroups', {}));
  const found: string[] = [];
  for (const { logGroupName } of logGroups) {
    const { events } = linesShape.parse(await ask('FilterLogEvents', { logGroupName }));
    const errors = events.filter(({ message }) => /"level":"ERROR"|Task timed out/.test(message));
    found.push(...errors.map(({ message }) => `${logGroupName} ${message}`));
  }
  return found;
}

function run(interpreter: string, log: string, env: Readonly<Record<string, string>>) {
  const output = openSync(log, 'w');
  const program = join(import.meta.dirname, 'engine.py');
  // In a group of its own: the functions are its children.
  const child = spawn(interpreter, [program], {
    env,
    detached: true,
    stdio: ['pipe', output, output],
  });
  closeSync(output);
  return child;
}

async function untilReady(url: string, child: ChildProcess, log: string): Promise<void> {
  for (const givenUpAt = Date.now() + patience.timeout; Date.now() < givenUpAt; await sleep(100)) {
    const answer = await fetch(`${url}/_ministack/health`).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null) break;
  }
  throw new Error(`The engine did not start: ${readFileSync(log, 'utf8')}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

async function runCdk(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const path = [binaries, process.env['PATH']].join(delimiter);
  const child = spawn(join(binaries, 'cdk'), words, {
    env: { ...process.env, ...environment, PATH: path, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  await ended;
  if (child.exitCode !== 0) throw new Error(`cdk ${words.join(' ')} failed: ${printed}`);
  return printed;
}

async function synth(
  folder: string,
  context: Readonly<Record<string, unknown>> = {},
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const settings = Object.entries(context).flatMap(([name, value]) => [
    '--context',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  const given = ['synth', '--quiet', '--output', folder, ...settings];
  await runCdk(given, { ...environment, ...unvalidated });
}

/**
 * Of which construct a resource is. `cdk deploy` shows it beside each of a thousand events, and parses all of it again
 * for each: half a minute of computing.
 */
export function forgetMetadata(folder: string): void {
  for (const path of globSync(`${folder}/*.metadata.json`)) writeFileSync(path, '{}');
}
