import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { parseApiKey } from '#shared/access/api-key';
import { newNotice } from '#shared/notices/notice';
import { storeNotice } from '#shared/notices/notice-store';

import { openTable } from '#shared/table/table-client';
import { dayOf, daysBefore } from '#shared/timing/day';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { addKeyDay } from '#shared/usage/key-day-store';
import { listen } from '../../infra/local/server.ts';
import { confirmFromInbox } from '../support/confirmed-address.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { dueNoticesIn } from '../support/notice-builder.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin({ hasStream: true });

const { baseUrl, apiKey, manageKey, inboxUrl, fromEmail, tableName } = stack;
const table = openTable(tableName);
const organizationId = organizationIdSchema.parse(stack.organizationId);

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${manageKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return json;
}

/** Sets the address for notices, and confirms it as its reader does. */
async function setConfirmedAddress(noticeEmail: string) {
  await call('PATCH', '/api/v1/organization', { noticeEmail });
  await confirmFromInbox(inboxUrl, noticeEmail);
}

const idShape = z.object({ id: z.string() });

/** Notices caused by this test's own calls: each says where data is sent now. */
const ofItsCalls = /^(?:Confirm this address|A webhook endpoint was added|Settings that decide)/;

/** The notices that an address got. */
const inboxOf = async (address: string) =>
  (await readInbox(inboxUrl)).filter(
    ({ destination, subject }) => destination.to.includes(address) && !ofItsCalls.test(subject),
  );

const waitForMail = (address: string, count: number) =>
  vi.waitUntil(async () => {
    const emails = await inboxOf(address);
    return emails.length >= count ? emails : undefined;
  }, patience);

/** A permanently broken receiver. */
async function startGone() {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(410).end();
  });
  const { url, stop } = await listen(server, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    return stop();
  });
  return `${url}/hooks`;
}

describe('an organization', () => {
  it('is notified once a day that its endpoint is disabled, in an email without tracking', async () => {
    const to = 'webhooks@example.com';
    await setConfirmedAddress(to);
    const { id } = idShape.parse(
      await call('POST', '/api/v1/webhooks', { url: await startGone() }),
    );
    const path = `/api/v1/webhooks/${id}`;
    const disable = async () => {
      await call('POST', `${path}/test`);
      await vi.waitUntil(async () => {
        const { enabled } = z.object({ enabled: z.boolean() }).parse(await call('GET', path));
        return !enabled;
      }, patience);
    };

    await disable();
    await waitForMail(to, 1);
    await call('PATCH', path, { enabled: true });
    await disable();
    const other = {
      cause: 'tenant_paused',
      about: id,
      subject: 'Paused',
      text: 'Paused.',
    } as const;
    await storeNotice(table, newNotice(organizationId, other, Date.now()));
    const emails = await waitForMail(to, 2);

    expect(emails.map(({ subject }) => subject).toSorted()).toEqual([
      'Paused',
      expect.stringContaining('is disabled'),
    ]);
    expect(emails[0]).toMatchObject({ from: expect.stringContaining(fromEmail) });
    expect(JSON.stringify(emails)).not.toContain('/t/o/');
  });

  it('gets nothing without a noticeEmail, and no old notices once it has one', async () => {
    const to = 'late@example.com';
    await call('PATCH', '/api/v1/organization', { noticeEmail: null });
    const file = (about: string) => {
      const content = { cause: 'key_spiking', about, subject: about, text: about } as const;
      return storeNotice(table, newNotice(organizationId, content, Date.now()));
    };

    await file('unaddressed');
    await vi.waitUntil(async () => (await dueNoticesIn(table, Date.now())).length === 0, patience);
    await setConfirmedAddress(to);
    await file('addressed');
    const emails = await waitForMail(to, 1);

    expect(emails.map(({ subject }) => subject)).toEqual(['addressed']);
  });

  it('is notified about a key that sends ten times its usual day', async () => {
    const to = 'security@example.com';
    await setConfirmedAddress(to);
    const apiKeyId = parseApiKey(apiKey).id;
    const today = dayOf(Date.now());
    const count = (day: string, sends: number) => {
      const entries = Array.from({ length: sends }, (_, sequence) => ({
        sequence: `${sequence}`.padStart(40, '0'),
        apiKeyId,
        recipients: 1,
      }));
      return addKeyDay(table, 'shardId-test', { organizationId, day, entries });
    };
    for (const days of [1, 2, 3]) await count(daysBefore(today, days), 10);
    // Tomorrow too, as midnight may come while the test sends.
    for (const day of [today, daysBefore(today, -1)]) await count(day, 75);
    const send = () =>
      fetch(`${baseUrl}/api/v1/emails/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ to: 'ann@example.com', subject: 'Hi', content: 'Hi' }),
      });

    for (let sent = 0; sent < 50; sent += 1) await send();
    const [email] = await waitForMail(to, 1);

    expect(email?.subject).toBe('One of your API keys is sending far more than usual');
    expect(email?.body.text).toContain(`The API key ${apiKeyId} sent to 1`);
    expect(email?.body.text).toContain('On a typical day it sends to 10.');
  });
});
