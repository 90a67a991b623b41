import { createSecureContext } from 'node:tls';
import { parseArgs } from 'node:util';
import { usageFailure } from '../manage/failure.ts';
import { findTwinFile, isLoopback, readServiceUrl } from '../manage/service-address.ts';
import type { Surroundings } from '../manage/surroundings.ts';
import type { ServerSettings } from './server.ts';

type Outside = Pick<
  Surroundings,
  'environment' | 'readFile' | 'readCheckoutFile' | 'listCheckoutFolder'
>;

export type Options = {
  readonly server: ServerSettings;
  readonly baseUrl: string;
  readonly isQueued: boolean;
};

const defaults = {
  host: '127.0.0.1',
  port: '2525',
  connections: '100',
  each: '50',
  messages: '20',
};

export const help = `npm run smtp -- [options]

Takes email by SMTP and sends each message with one request to the service.
Clients log in with the user apikey and an API key as password.

  --url <url>               the service (or EMAIL_SERVICE_URL; default: the local server)
  --host <address>          where to listen (default: ${defaults.host})
  --port <number>           (default: ${defaults.port})
  --cert <file>             certificate chain for STARTTLS, PEM
  --key <file>              its private key, PEM
  --queued                  store emails and let the service retry, for clients that never do
  --max-connections <n>     (default: ${defaults.connections})
  --max-connections-each <n>  per address, and per key (default: ${defaults.each})
  --max-messages <n>        handled at once, the others wait (default: ${defaults.messages})
  --help

Beyond loopback, --cert and --key are required, and clients must use STARTTLS before they log in.
`;

/** @throws Failure if the server wouldn't be safe to start. */
export function readOptions(args: readonly string[], outside: Outside): Options | 'help' {
  const given = parse(args);
  if (given.help) return 'help';
  const { host } = given;
  const isLocal = isLoopback({ hostname: host.includes(':') ? `[${host}]` : host });
  const tls = readTls(given, outside);
  if (!isLocal && tls === undefined) {
    throw usageFailure(
      `On ${host}, passwords would cross the network in the clear: give --cert and --key, or listen on ${defaults.host}.`,
    );
  }
  return {
    server: {
      host,
      port: wholeNumber('--port', given.port, 0, 65_535),
      tls,
      takesPlainPasswords: isLocal,
      maxConnections: wholeNumber('--max-connections', given['max-connections'], 1, 10_000),
      maxConnectionsEach: wholeNumber(
        '--max-connections-each',
        given['max-connections-each'],
        1,
        10_000,
      ),
      maxMessagesAtOnce: wholeNumber('--max-messages', given['max-messages'], 1, 1_000),
    },
    baseUrl: findService(given.url, outside),
    isQueued: given.queued,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        host: { type: 'string', default: defaults.host },
        port: { type: 'string', default: defaults.port },
        cert: { type: 'string' },
        key: { type: 'string' },
        queued: { type: 'boolean', default: false },
        'max-connections': { type: 'string', default: defaults.connections },
        'max-connections-each': { type: 'string', default: defaults.each },
        'max-messages': { type: 'string', default: defaults.messages },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw usageFailure(`${error instanceof Error ? error.message : error} (see --help)`);
  }
}

type TlsFiles = { readonly cert?: string | undefined; readonly key?: string | undefined };

function readTls({ cert, key }: TlsFiles, { readFile }: Outside): ServerSettings['tls'] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw usageFailure('Give both --cert and --key.');
  const read = (path: string) => {
    try {
      return readFile(path).toString();
    } catch {
      throw usageFailure(`Can't read the file ${path}.`);
    }
  };
  const tls = { cert: read(cert), key: read(key) };
  try {
    createSecureContext(tls);
  } catch {
    throw usageFailure(`${cert} and ${key} must be a certificate and its private key in PEM.`);
  }
  return tls;
}

function findService(url: string | undefined, outside: Outside): string {
  const named = url ?? (outside.environment['EMAIL_SERVICE_URL'] || undefined);
  if (named !== undefined) return readServiceUrl(named);
  const twin = findTwinFile(outside);
  if (twin !== undefined) return twin.baseUrl;
  throw usageFailure(
    'Which service? Use --url https://…, or start the local server with npm start.',
  );
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw usageFailure(`${name} must be a whole number from ${least} to ${most}.`);
}
