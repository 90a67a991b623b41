import { createRequire } from 'node:module';
import type MailboxModule from 'aws-ses-v2-local';
import { close, type LocalServer, portOf } from '../server.ts';

const require = createRequire(import.meta.url);

/** Starts aws-ses-v2-local: it takes SESv2 calls and shows what came in as a web inbox. */
export async function startMailbox(): Promise<LocalServer> {
  // Required, as Node and vitest disagree on what the default import of a CommonJS module is.
  const { default: startServer }: typeof MailboxModule = require('aws-ses-v2-local');
  const host = '127.0.0.1';
  const server = await startServer({ host, port: 0 });
  // Its own 5 s close a connection just as it is used again: a send would not know what became of it.
  server.keepAliveTimeout = 75_000;
  const url = `http://${host}:${portOf(server)}`;
  // It keeps its mail for as long as the process lives: a new one would show what an earlier one took.
  await fetch(`${url}/clear-store`, { method: 'POST' });
  return { url, stop: () => close(server) };
}
