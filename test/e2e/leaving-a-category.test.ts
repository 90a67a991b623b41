import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { useTwin } from '../support/twin.ts';

const { baseUrl, manageKey, inboxUrl } = await useTwin();

const policies = {
  offers: { kind: 'bulk', categoryKey: 'offers' },
  news: { kind: 'bulk', categoryKey: 'news' },
  // Of the kind that unsubscribing from everything doesn't stop.
  orders: { kind: 'transactional', categoryKey: 'orders' },
} as const;

beforeAll(async () => {
  for (const key of ['offers', 'news', 'orders']) {
    await call('POST', '/api/v1/categories', { key, name: `Our ${key}` });
  }
  for (const [key, policy] of Object.entries(policies)) {
    await call('PUT', `/api/v1/policies/${key}`, policy);
  }
});

const call = (method: string, path: string, body: unknown) =>
  fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${manageKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

const resultSchema = z.object({
  status: z.string(),
  messageId: z.string().optional(),
  suppressedRecipients: z.array(z.object({ reason: z.string() })).default([]),
});

/** Whether an email under this policy is sent to the address, or why not. */
async function outcomeOf(to: string, policyKey: string): Promise<string> {
  const response = await call('POST', '/api/v1/emails/send', {
    ...{ to, policyKey, subject: 'Hello', content: 'Hello' },
  });
  const { status, suppressedRecipients } = resultSchema.parse(await response.json());
  return suppressedRecipients[0]?.reason ?? status;
}

const outcomesOf = (to: string) =>
  Promise.all(
    ['offers', 'news', 'orders', 'bulk', 'transactional'].map((policy) => outcomeOf(to, policy)),
  );

const storeSchema = z.object({
  emails: z.array(
    z.object({
      messageId: z.string(),
      headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    }),
  ),
});

/** Sends an email under the policy, and returns the link in its header. */
async function linkOf(to: string, policyKey: string): Promise<string> {
  const response = await call('POST', '/api/v1/emails/send', {
    ...{ to, policyKey, subject: 'Hello', content: 'Hello' },
  });
  const { messageId } = resultSchema.parse(await response.json());
  const store = await fetch(`${inboxUrl}/store`);
  const { emails } = storeSchema.parse(await store.json());
  const email = emails.find((one) => one.messageId === messageId);
  const header = email?.headers.find(({ name }) => name === 'List-Unsubscribe');
  return header?.value.slice(1, -1) ?? '';
}

/** Does what a mail program does (RFC 8058 §3.2). */
const clickOnce = (link: string) =>
  fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'error',
  });

const textOf = async (link: string, init: RequestInit = {}) => {
  const response = await fetch(link, { headers: { accept: 'text/html' }, ...init });
  const page = await response.text();
  return page.replaceAll(/<style[\s\S]*?<\/style>|<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
};

const everybody = ['sent', 'sent', 'sent', 'sent', 'sent'];
const left = 'unsubscribed_category';

describe('one click in an email under a policy with a category', () => {
  it.each([
    ['offers', 'ann@example.com', [left, 'sent', 'sent', 'sent', 'sent']],
    ['news', 'bob@example.com', ['sent', left, 'sent', 'sent', 'sent']],
    ['orders', 'cy@example.com', ['sent', 'sent', left, 'sent', 'sent']],
  ])('stops the next one of %s, while others are still sent', async (policy, to, expected) => {
    const link = await linkOf(to, policy);
    const before = await outcomesOf(to);

    const answers = [await clickOnce(link), await clickOnce(link)];

    expect(before).toEqual(everybody);
    for (const answer of answers) {
      expect(await answer.json()).toEqual({ status: 'unsubscribed', categoryKey: policy });
    }
    expect(await outcomesOf(to)).toEqual(expected);
  });

  it('stops it even for a person who has unsubscribed from everything', async () => {
    const to = 'di@example.com';
    const [orders, everything] = [await linkOf(to, 'orders'), await linkOf(to, 'bulk')];
    await clickOnce(everything);
    const before = await outcomesOf(to);

    await clickOnce(orders);

    const all = 'unsubscribe';
    expect(before).toEqual([all, all, 'sent', all, 'sent']);
    expect(await outcomesOf(to)).toEqual([all, all, left, all, 'sent']);
  });
});

describe("the page behind a category's link", () => {
  it('shows what was left, and unsubscribes from everything on request', async () => {
    const to = 'eve@example.com';
    const link = await linkOf(to, 'offers');

    const asked = await textOf(link);
    const done = await textOf(link, { method: 'POST' });
    const between = await outcomesOf(to);
    const ended = await textOf(`${link}&everything=true`, { method: 'POST' });
    const again = await textOf(link);

    expect(asked).toContain('Unsubscribe from “Our offers”?');
    expect(asked).toContain('You will still get its other newsletters and offers.');
    expect(done).toContain('You are unsubscribed from “Our offers”');
    expect(done).toContain('You still get its other newsletters and offers.');
    expect(between).toEqual([left, 'sent', 'sent', 'sent', 'sent']);
    expect(ended).toContain('won’t send any more newsletters or offers to e***@example.com');
    expect(await outcomesOf(to)).toEqual([
      ...['unsubscribe', 'unsubscribe', 'sent', 'unsubscribe', 'sent'],
    ]);
    expect(again).not.toContain('You will still get');
  });
});

describe('transactional emails of an organization that wants no headers on them', () => {
  it('have none, while bulk emails keep them', async () => {
    const set = (transactionalUnsubscribe: boolean) =>
      call('PATCH', '/api/v1/organization', { transactionalUnsubscribe });
    const before = await linkOf('fay@example.com', 'transactional');

    const saved = await set(false);
    const after = [
      await linkOf('fay@example.com', 'transactional'),
      await linkOf('fay@example.com', 'orders'),
      await linkOf('fay@example.com', 'bulk'),
    ];
    await set(true);

    expect(await saved.json()).toMatchObject({ transactionalUnsubscribe: false });
    expect(before).toContain('/api/unsubscribe?token=');
    expect(after).toEqual(['', '', expect.stringContaining('/api/unsubscribe?token=')]);
  });
});
