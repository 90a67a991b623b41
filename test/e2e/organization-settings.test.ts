import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readInbox } from '../support/mailbox-inbox.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, manageKey, apiKey, inboxUrl } = await useTwin();

async function call(method: string, path: string, body?: unknown, key = manageKey) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, json, location: response.headers.get('location') };
}

const set = async (changes: object) => {
  const answer = await call('PATCH', '/api/v1/organization', changes);
  expect(answer.status).toBe(200);
  return answer.json;
};

const sentShape = z.object({ sendId: z.string(), messageId: z.string() });

/** Sends, and returns the email as the mailbox got it and the send as its timeline shows it. */
async function send(fields: object = {}) {
  const body = { to: 'ann@example.com', subject: 'Hi', content: 'Hello', ...fields };
  const answer = await call('POST', '/api/v1/emails/send', body, apiKey);
  const { sendId, messageId } = sentShape.parse(answer.json);
  const email = (await readInbox(inboxUrl)).find((one) => one.messageId === messageId);
  const timeline = await call('GET', `/api/v1/sends/${sendId}`);
  return { email, timeline: z.object({ send: z.looseObject({}) }).parse(timeline.json) };
}

describe("an organization's setting", () => {
  it('is read as written, and disappears when removed', async () => {
    const written = await set({ senderName: 'Example Ltd', replyTo: 'help@example.com' });
    const read = await call('GET', '/api/v1/organization');
    const without = await set({ senderName: null, replyTo: null });

    expect(read.json).toEqual(written);
    expect(written).toMatchObject({ senderName: 'Example Ltd', replyTo: 'help@example.com' });
    expect(without).not.toHaveProperty('senderName');
    expect(without).not.toHaveProperty('replyTo');
  });

  it('names the sender of the next email, with the same address', async () => {
    await set({ senderName: 'Größe "E" Ltd' });

    const { email, timeline } = await send();

    expect(email?.from).toBe('=?UTF-8?B?R3LDtsOfZSAiRSIgTHRk?= <hello@mail.example.com>');
    expect(timeline.send).toMatchObject({ fromEmail: 'hello@mail.example.com' });
  });

  it("determines the next email's policy and footer", async () => {
    await set({ defaultPolicyKey: 'bulk', footerText: 'Example Ltd\nOther Street' });
    const { email, timeline } = await send();
    await set({ defaultPolicyKey: null });
    const later = await send();

    expect(email?.body.text).toContain('Example Ltd\nOther Street\nUnsubscribe: ');
    expect(timeline.send).toMatchObject({ policyKey: 'bulk' });
    expect(later.email?.body.text).toBe('Hello');
    expect(later.timeline.send).toMatchObject({ policyKey: 'transactional' });
  });

  it('determines where the next unsubscribe link leads', async () => {
    await set({ unsubscribePageUrl: 'https://shop.example.com/bye?lang=en' });
    const { email } = await send({ policyKey: 'bulk' });
    const [link = ''] = /\/api\/unsubscribe\?token=[\w.-]+/.exec(email?.body.text ?? '') ?? [];

    const { status, location } = await call('GET', link);
    await set({ unsubscribePageUrl: null });

    expect(status).toBe(302);
    expect(location).toMatch(/^https:\/\/shop\.example\.com\/bye\?lang=en&token=/);
    expect((await call('GET', link)).status).toBe(200);
  });

  it('stays unchanged when one of several is invalid', async () => {
    const before = await call('GET', '/api/v1/organization');

    const changes = { name: 'Other Ltd', senderName: 'A\r\nBcc: eve@example.com' };
    const { status, json } = await call('PATCH', '/api/v1/organization', changes);

    expect(status).toBe(400);
    expect(json).toMatchObject({ errors: [{ path: 'senderName' }] });
    expect((await call('GET', '/api/v1/organization')).json).toEqual(before.json);
  });

  it("isn't lost when two different ones are set concurrently", async () => {
    const changes = [{ name: 'One Ltd' }, { footerText: 'Two' }, { senderName: 'Three' }];

    const answers = await Promise.all(
      changes.map((change) => call('PATCH', '/api/v1/organization', change)),
    );

    const { json } = await call('GET', '/api/v1/organization');
    const stored = changes.filter((_, index) => answers[index]?.status === 200);
    expect(stored.length).toBeGreaterThan(0);
    for (const change of stored) expect(json).toMatchObject(change);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status } of refused) expect(status).toBe(409);
  });
});

describe('policies and categories', () => {
  it('apply to the next email, and the category decides who gets it', async () => {
    const created = await call('POST', '/api/v1/categories', { key: 'offers', name: 'Offers' });
    const put = await call('PUT', '/api/v1/policies/offers', {
      kind: 'bulk',
      categoryKey: 'offers',
    });
    await send({ to: 'bob@example.com', policyKey: 'offers' });
    await call('POST', '/api/v1/preferences', {
      email: 'bob@example.com',
      subscriptions: [{ categoryKey: 'offers', subscribed: false }],
    });

    const body = { to: 'bob@example.com', subject: 'Hi', content: 'Hello', policyKey: 'offers' };
    const second = await call('POST', '/api/v1/emails/send', body, apiKey);

    expect(created).toMatchObject({ status: 201, json: { key: 'offers', name: 'Offers' } });
    expect(put).toMatchObject({ status: 200, json: { key: 'offers', builtIn: false } });
    expect(second.json).toMatchObject({
      status: 'suppressed',
      suppressedRecipients: [{ reason: 'unsubscribed_category' }],
    });
  });

  it('are listed and renamed, with lists in the form of every list', async () => {
    await call('POST', '/api/v1/categories', { key: 'tips', name: 'Tips' });

    const renamed = await call('PATCH', '/api/v1/categories/tips', { name: 'Tips & tricks' });

    const categories = await call('GET', '/api/v1/categories');
    const policies = await call('GET', '/api/v1/policies');
    const policy = await call('GET', '/api/v1/policies/newsletter');
    expect(renamed.json).toEqual({ key: 'tips', name: 'Tips & tricks' });
    expect(categories.json).toMatchObject({ nextCursor: null });
    expect(JSON.stringify(categories.json)).toContain('Tips & tricks');
    expect(policies.json).toMatchObject({
      data: expect.arrayContaining([
        { key: 'transactional', kind: 'transactional', builtIn: true },
        { key: 'newsletter', kind: 'bulk', categoryKey: 'newsletter', builtIn: false },
      ]),
      nextCursor: null,
    });
    expect(policy).toMatchObject({
      status: 200,
      json: { key: 'newsletter', kind: 'bulk', categoryKey: 'newsletter', builtIn: false },
    });
  });

  it('are deleted in an order that leaves no policy without its category', async () => {
    await call('POST', '/api/v1/categories', { key: 'gone', name: 'Gone' });
    await call('PUT', '/api/v1/policies/gone', { kind: 'bulk', categoryKey: 'gone' });

    const inUse = await call('DELETE', '/api/v1/categories/gone');
    const policy = await call('DELETE', '/api/v1/policies/gone');
    const category = await call('DELETE', '/api/v1/categories/gone');

    expect(inUse).toMatchObject({ status: 409, json: { code: 'category_in_use' } });
    expect([policy.status, category.status]).toEqual([204, 204]);
    expect((await call('GET', '/api/v1/policies/gone')).status).toBe(404);
    const body = { to: 'ann@example.com', subject: 'Hi', content: 'Hi', policyKey: 'gone' };
    const refused = await call('POST', '/api/v1/emails/send', body, apiKey);
    expect(refused.json).toMatchObject({ code: 'unknown_policy' });
  });
});
