import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { get, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { roles } from '#shared/access/roles';
import { feedbackIdOf, sendIdSchema } from '#shared/tokens/resource-id';
import { type StackDescription, startLocalStack } from '../../infra/local/stack.ts';
import { sesError } from '../support/aws-answers.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { answerInstead } from '../support/faults.ts';
import { ownDatabase } from '../support/own-database.ts';
import { patience } from '../support/patience.ts';

const script = join(import.meta.dirname, '../../infra/local/start.ts');
// As long as a test may take: a busy machine starts a twin in many seconds.
const stackShape = z.strictObject({
  baseUrl: z.url(),
  organizationId: z.string(),
  apiKey: z.string(),
  manageKey: z.string(),
  testKey: z.string().startsWith('esk_test_'),
  operatorSecret: z.string().min(32),
  cronSecret: z.string().min(32),
  signingKey: z.strictObject({ secretsManagerUrl: z.url(), secretId: z.string() }),
  fromEmail: z.email(),
  inboxUrl: z.url(),
  tableName: z.string(),
  endpoints: z.strictObject({ dynamodb: z.url(), sesv2: z.url(), sqs: z.url(), s3: z.url() }),
});

function temporaryFolder(onFinished: Cleanup = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'local-twin-'));
  onFinished(() => rmSync(folder, { recursive: true, maxRetries: 5 }));
  return folder;
}

type Cleanup = (stop: () => Promise<void> | void) => void;

/** A browser's answer when it calls this machine by another name. */
async function textAs(host: string, url: string): Promise<string> {
  const [response] = z
    .tuple([z.instanceof(IncomingMessage)])
    .parse(await once(get(url, { headers: { host } }), 'response'));
  return text(response);
}

/** Runs the start script in the folder until the twin is ready. */
async function startTwin(
  folder: string,
  given: readonly string[] = [],
  onFinished: Cleanup = onTestFinished,
) {
  const child = spawn(process.execPath, [script, ...given], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
  });
  onFinished(async () => {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    const ended = isOver ? undefined : endOf(child);
    child.kill('SIGKILL');
    await ended;
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const stackFile = join(folder, '.local/stack-0.json');
  await vi.waitUntil(() => output.includes('Ctrl-C'), patience);
  const stack = stackShape.parse(JSON.parse(readFileSync(stackFile, 'utf8')));
  return { child, folder, stackFile, stack, output: () => output };
}

const send = ({ baseUrl, apiKey }: StackDescription, fields: object = {}) =>
  fetch(`${baseUrl}/api/v1/emails/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: 'ann@example.com', subject: 'Hi', content: 'Hello', ...fields }),
  });

const timelineShape = z.object({ events: z.array(z.object({ type: z.string() })) });

async function eventTypes(
  { baseUrl, apiKey }: StackDescription,
  sendId: string,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${baseUrl}/api/v1/sends/${sendId}`, { headers });
  return timelineShape.parse(await response.json()).events.map(({ type }) => type);
}

const endOf = (child: ChildProcess) =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));

type RunningTwin = Awaited<ReturnType<typeof startTwin>>;

async function expectToStopEverythingOn(
  signal: 'SIGINT' | 'SIGTERM',
  { child, stack, stackFile }: RunningTwin,
): Promise<void> {
  const ended = endOf(child);

  child.kill(signal);

  expect(await ended).toBe(0);
  expect(await isGone(stack.endpoints.dynamodb)).toBe(true);
  expect(existsSync(stackFile)).toBe(false);
}

const isGone = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe('npm start', () => {
  // One for the tests that don't change it, and for the last, which stops it.
  let twin: RunningTwin;
  const stops: Parameters<Cleanup>[0][] = [];
  const onFinished: Cleanup = (stop) => void stops.unshift(stop);
  beforeAll(async () => {
    twin = await startTwin(temporaryFolder(onFinished), [], onFinished);
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  it('sends into the inbox, shows the email as delivered, and logs to a file', async () => {
    const { stack, output, folder, stackFile } = twin;

    const response = await send(stack);
    const { sendId } = z.object({ sendId: sendIdSchema }).parse(await response.json());

    expect(response.status).toBe(200);
    await vi.waitFor(
      async () => expect(await eventTypes(stack, sendId)).toEqual(['sent', 'delivered']),
      patience,
    );
    const inbox: unknown = await (await fetch(`${stack.inboxUrl}/store`)).json();
    expect(inbox).toMatchObject({ emails: [{ from: stack.fromEmail, subject: 'Hi' }] });
    expect(readFileSync(join(folder, '.local/service-0.log'), 'utf8')).toContain(
      feedbackIdOf(sendId),
    );
    expect(output()).not.toContain(feedbackIdOf(sendId));
    for (const fact of [
      stack.apiKey,
      `re_${stack.testKey}`,
      `${stack.baseUrl}/api/v1/emails/send`,
    ]) {
      expect(output()).toContain(fact);
    }
    expect(statSync(stackFile).mode & 0o777).toBe(0o600);
  });

  it("links from its start page to each email and that email's timeline", async () => {
    const { stack } = twin;
    const response = await send(stack, { subject: '<b>Hi</b>' });
    const { messageId, sendId } = z
      .object({ messageId: z.string(), sendId: z.string() })
      .parse(await response.json());

    const inbox = await (await fetch(stack.baseUrl)).text();
    const timeline = await fetch(`${stack.baseUrl}/_local/timeline/${messageId}`, {
      redirect: 'manual',
    });

    expect(inbox).toContain(`href="/_local/timeline/${messageId}"`);
    expect(inbox).toContain('&lt;b&gt;Hi&lt;/b&gt;');
    expect(inbox).toContain(`href="/_local/emails/${messageId}"`);
    // Its keys, to copy, and a link into the console.
    expect(inbox).toContain(twin.stack.apiKey);
    const page = `/console/emails/${sendId}`;
    const into = timeline.headers.get('location') ?? '';
    expect(into).toBe(`/console/sign-in?to=${encodeURIComponent(page)}`);
    const cookie = timeline.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const again = await fetch(`${stack.baseUrl}/_local/timeline/${messageId}`, {
      headers: { cookie },
      redirect: 'manual',
    });
    // The browser's existing session is used.
    expect(again.headers.get('location')).toBe(page);
    expect(again.headers.getSetCookie()).toEqual([]);
    // A request under another site's name that resolves to this machine gets nothing.
    const foreign = await textAs('evil.example', stack.baseUrl);
    expect(foreign).toContain('answers to localhost');
    expect(foreign).not.toMatch(/esk_|<html/);
  });

  it.each(roles)(
    'signs a browser in with the role %s in one click, as if by a mailed link',
    async (role) => {
      const { stack, output } = twin;
      const url = `${stack.baseUrl}/_local/sign-in/${role}`;

      const into = await fetch(url, { redirect: 'manual' });

      const cookie = into.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const session = await fetch(`${stack.baseUrl}/console/session`, { headers: { cookie } });
      const { person, confirmedUntil } = z
        .object({ person: z.unknown(), confirmedUntil: z.int() })
        .parse(await session.json());
      expect(into.status).toBe(302);
      expect(into.headers.get('location')).toBe('/console/sign-in?to=%2Fconsole');
      expect(person).toEqual({ email: `${role}@mail.example.com`, role });
      expect(confirmedUntil).toBeGreaterThan(Date.now());
      expect(output()).toContain(`${url}\n`);
      expect(await (await fetch(stack.baseUrl)).text()).toContain(`href="/_local/sign-in/${role}"`);
    },
  );

  it('says why somebody who was removed can’t be signed in', async () => {
    const { stack } = twin;
    const headers = { authorization: `Bearer ${stack.manageKey}` };
    const people = `${stack.baseUrl}/api/v1/people`;
    const { data } = z
      .object({ data: z.array(z.object({ id: z.string(), role: z.string() })) })
      .parse(await (await fetch(people, { headers })).json());
    const viewer = data.find(({ role }) => role === 'viewer');
    await fetch(`${people}/${viewer?.id}`, { method: 'DELETE', headers });

    const answer = await fetch(`${stack.baseUrl}/_local/sign-in/viewer`, { redirect: 'manual' });

    expect(data.map(({ role }) => role)).toEqual(roles.toReversed());
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('--fresh');
  });

  it('shows an email in full, and counts an open only where its HTML is shown', async () => {
    const { stack } = twin;
    const htmlContent = '<p>Hi</p><script>alert(1)</script>';
    const sent = await send(stack, {
      ...{ subject: '<b>Hi</b>', content: 'Hi & bye', htmlContent, cc: 'carol@example.com' },
      attachments: [{ filename: 'a&b.txt', contentBase64: 'aGVsbG8=' }],
    });
    const { messageId } = z.object({ messageId: z.string() }).parse(await sent.json());

    const page = await (await fetch(`${stack.baseUrl}/_local/emails/${messageId}`)).text();
    const shown = await fetch(`${stack.baseUrl}/_local/html/${messageId}`);
    const unknown = await fetch(`${stack.baseUrl}/_local/emails/unknown`);

    for (const text of [
      '&lt;b&gt;Hi&lt;/b&gt;',
      'Hi &amp; bye',
      'carol@example.com',
      'a&amp;b.txt',
    ]) {
      expect(page).toContain(text);
    }
    expect(page).toContain(`src="/_local/html/${messageId}"`);
    expect(page).not.toContain('/t/o/');
    expect(await shown.text()).toContain('/t/o/');
    expect(shown.headers.get('content-security-policy')).toMatch(
      /^sandbox allow-popups .*default-src 'none'/,
    );
    expect(unknown.status).toBe(404);
  });

  it('is reachable from this machine only, in every part', async () => {
    const { baseUrl, inboxUrl, endpoints } = twin.stack;
    const urls = [baseUrl, inboxUrl, ...Object.values(endpoints)];

    // An address of this machine as well, on which only those answer that listen on every one.
    const others = urls.map((url) => url.replace('//127.0.0.1:', '//127.0.0.2:'));

    expect(await Promise.all(urls.map(isGone))).toEqual(urls.map(() => false));
    expect(await Promise.all(others.map(isGone))).toEqual(urls.map(() => true));
    expect(others).not.toContain(baseUrl);
  });

  it('stops everything on SIGINT and SIGTERM, but keeps organization, keys and sends until a fresh start', async () => {
    const answer = await (await send(twin.stack, { idempotencyKey: 'kept' })).json();
    await expectToStopEverythingOn('SIGINT', twin);

    const second = await startTwin(twin.folder);
    const replay = await send(second.stack, { idempotencyKey: 'kept' });
    await expectToStopEverythingOn('SIGTERM', second);
    const third = await startTwin(twin.folder, ['--fresh']);
    const anew = await send(third.stack, { idempotencyKey: 'kept' });

    const { organizationId, apiKey, cronSecret } = twin.stack;
    expect(second.stack).toMatchObject({ organizationId, apiKey, cronSecret });
    expect(await replay.json()).toMatchObject({ ...Object(answer), reused: true });
    expect(third.stack.organizationId).not.toBe(organizationId);
    expect(await anew.json()).toMatchObject({ reused: false });

    third.child.kill('SIGKILL');

    // No Java process is left behind, even by a killed twin.
    await vi.waitUntil(() => isGone(third.stack.endpoints.dynamodb), patience);
  });
});

describe('startLocalStack', () => {
  it('uses the endpoints it is given instead of starting those parts', async () => {
    const database = ownDatabase();
    const ses = await startFaultProxy({ target: database.url });
    onTestFinished(ses.stop);
    ses.inject({ operation: 'SendEmail', action: answerInstead(sesError('MessageRejected')) });

    const stack = await startLocalStack({
      quiet: true,
      env: { ...database.environment, AWS_ENDPOINT_URL_SESV2: ses.url },
    });
    onTestFinished(stack.stop);
    const response = await send(stack.description);

    const { endpoints, inboxUrl } = stack.description;
    expect(endpoints).toMatchObject({ dynamodb: database.url, sesv2: ses.url });
    expect(inboxUrl).toBe(ses.url);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'provider_rejected' });
    expect(ses.count('SendEmail')).toBe(1);
  });

  it('starts again in the same process, with functions that see the new environment', async () => {
    const first = await startLocalStack({ quiet: true, env: ownDatabase().environment });
    await first.stop();
    // Before anything else is started, which may get its port.
    const isFirstGone = await isGone(first.description.baseUrl);
    const env = ownDatabase().environment;
    const second = await startLocalStack({ quiet: true, providerEvents: false, env });
    onTestFinished(second.stop);

    const response = await send(second.description);

    expect(isFirstGone).toBe(true);
    expect(response.status).toBe(200);
    expect(second.description.endpoints.sesv2).toBe(second.description.inboxUrl);
    expect(process.env['TABLE_NAME']).toBe(second.description.tableName);
  });
});
