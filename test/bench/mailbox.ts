import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type MailboxModule from 'aws-ses-v2-local';
import * as z from 'zod';
import { portOf } from '../../infra/local/server.ts';
import { serveParent } from './child.ts';

const { default: startServer }: typeof MailboxModule = createRequire(import.meta.url)(
  'aws-ses-v2-local',
);

const settingsSchema = z.object({ tookMs: z.optional(z.number()) });

/** Asks when so many emails more than at the last time have been taken. */
const jobSchema = z.object({ emails: z.int().positive() });

/** As SES answers GetAccount; the mailbox reads it at each call, and requires all of it. */
process.env['AWS_SES_ACCOUNT'] = JSON.stringify({
  DedicatedIpAutoWarmupEnabled: false,
  Details: {
    AdditionalContactEmailAddresses: [],
    ContactLanguage: 'EN',
    MailType: 'TRANSACTIONAL',
    ReviewDetails: { CaseId: '', Status: 'GRANTED' },
    UseCaseDescription: '',
    WebsiteURL: '',
  },
  EnforcementStatus: 'HEALTHY',
  ProductionAccessEnabled: true,
  SendingEnabled: true,
  SendQuota: { Max24HourSend: 1_000_000, MaxSendRate: 10_000, SentLast24Hours: 0 },
  SuppressionAttributes: { SuppressedReasons: [] },
});

serveParent(async (settings) => {
  const { tookMs } = settingsSchema.parse(settings);
  const host = '127.0.0.1';
  const server = await startServer({ host, port: 0 });
  // While one contestant runs, the other's connections are idle for longer than Node's 5 s.
  server.keepAliveTimeout = 75_000;
  if (tookMs !== undefined) answerAfter(server, tookMs);
  const awaitEmails = countEmails(server);
  const run = async (job: unknown) => ({ lastAt: await awaitEmails(jobSchema.parse(job).emails) });
  return { ready: { url: `http://${host}:${portOf(server)}` }, run };
});

/** Lets each call take some time, as SES does. */
function answerAfter(server: Server, tookMs: number): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (...args) => {
    setTimeout(() => {
      for (const listener of listeners) listener.apply(server, args);
    }, tookMs);
  });
}

function countEmails(server: Server) {
  let taken = 0;
  let lastAt = 0;
  let awaited = 0;
  let tell = () => {};
  server.prependListener('request', (request, response) => {
    if (request.method !== 'POST') return;
    response.once('finish', () => {
      taken += 1;
      lastAt = Date.now();
      tell();
    });
  });
  /** @returns when the last of them was taken, in epoch milliseconds. */
  return async (emails: number): Promise<number> => {
    awaited += emails;
    while (taken < awaited) {
      const { promise, resolve } = Promise.withResolvers<void>();
      tell = resolve;
      await promise;
    }
    return lastAt;
  };
}
