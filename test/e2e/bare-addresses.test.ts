import { describe, expect, it } from 'vitest';
import { findContactIds, getContact } from '#shared/contacts/contact-store';

import { openTable } from '#shared/table/table-client';
import { contactIdOf, organizationIdSchema } from '#shared/tokens/resource-id';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin();

const { baseUrl, apiKey, tableName } = stack;
const table = openTable(tableName);
const organizationId = organizationIdSchema.parse(stack.organizationId);

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Sends an email, which makes the address known. */
async function meet(to: string): Promise<void> {
  const body = { to, subject: 'Hello', content: 'Hello' };
  const response = await post('/api/v1/emails/send', body, { authorization: `Bearer ${apiKey}` });
  expect(response.status).toBe(200);
}

/** The parts of an answer that don't repeat the request. */
async function answerOf(response: Response) {
  const headers = new Headers(response.headers);
  for (const name of ['x-request-id', 'apigw-requestid', 'date']) headers.delete(name);
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  };
}

const stored = (email: string) => getContact(table, contactIdOf(organizationId, email));

describe('POST /api/unsubscribe by a bare address', () => {
  it('gives the same answer whether the address is subscribed, unsubscribed or unknown', async () => {
    await meet('ann@example.com');
    const ask = async (email: string, fields: object = {}) =>
      answerOf(await post('/api/unsubscribe', { email, ...fields }));

    const subscribed = await ask('ann@example.com');

    expect(subscribed).toMatchObject({ status: 200, body: '{"status":"unsubscribed"}' });
    expect(await ask('ann@example.com')).toEqual(subscribed);
    expect(await ask('nobody@example.com')).toEqual(subscribed);
    expect(await ask('nobody@example.com', { organizationId })).toEqual(subscribed);
    expect(await stored('ann@example.com')).toHaveProperty('unsubscribe');
    expect(await stored('nobody@example.com')).toBeUndefined();
    expect(await findContactIds(table, 'nobody@example.com')).toEqual([]);
  });
});

describe('POST /api/v1/preferences by a bare address', () => {
  it('leaves a category, and never rejoins one', async () => {
    await meet('ben@example.com');
    const change = (subscribed: boolean) =>
      post('/api/v1/preferences', {
        email: 'ben@example.com',
        subscriptions: [{ categoryKey: 'newsletter', subscribed }],
      });

    const off = await answerOf(await change(false));
    const on = await answerOf(await change(true));

    expect(off.status).toBe(200);
    expect(on).toEqual(off);
    expect(await stored('ben@example.com')).toMatchObject({ subscriptions: { newsletter: false } });
  });
});

describe('changes by a bare address', () => {
  it.each([
    ['known', 'cleo@example.com'],
    ['unknown', 'nemo@example.com'],
  ])(
    'are refused after ten in an hour over both endpoints for an address that is %s',
    async (is, email) => {
      if (is === 'known') await meet(email);
      const subscriptions = [{ categoryKey: 'newsletter', subscribed: false }];

      const answers: Response[] = [];
      // Of 21 requests, at least eleven fall into one hour, even if a new hour starts in between.
      for (let request = 0; request < 21; request += 1) {
        const isUnsubscribe = request % 2 === 0;
        answers.push(
          isUnsubscribe
            ? await post('/api/unsubscribe', { email })
            : await post('/api/v1/preferences', { email, subscriptions }),
        );
      }

      const refused = answers.filter(({ status }) => status === 429);
      expect(answers[0]?.status).toBe(200);
      expect(answers[1]?.status).toBe(is === 'known' ? 200 : 404);
      expect(refused.length).toBeGreaterThan(0);
      expect(await refused[0]?.json()).toMatchObject({ code: 'rate_limited' });
      expect(refused[0]?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    },
  );
});
