import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { sendAnswerSchema } from '#shared/sending/send';
import { monthOf } from '#shared/usage/month';
import { endpoint as getSendEndpoint } from '../../functions/get-send/get-send.ts';
import { endpoint } from '../../functions/get-usage/get-usage.ts';
import { keptOrSeededOrganization } from '../../infra/local/seed.ts';
import { base64OfLength } from '../support/attachment-builder.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { patience } from '../support/patience.ts';
import { buildSendBody } from '../support/send-body-builder.ts';
import { useTwin } from '../support/twin.ts';

const timelineSchema = getSendEndpoint.answers[200].body;

const { baseUrl, apiKey, manageKey, inboxUrl } = await useTwin({ hasStream: true });

const authorized = (key: string) => ({ authorization: `Bearer ${key}` });

const post = (endpoint: 'send' | 'send-global', fields: object, headers: object = {}) =>
  fetch(`${baseUrl}/api/v1/emails/${endpoint}`, {
    method: 'POST',
    headers: { ...authorized(apiKey), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(buildSendBody({ ...fields })),
  });

const send = async (...request: Parameters<typeof post>) =>
  sendAnswerSchema.parse(await (await post(...request)).json());

const askUsage = (query = '', headers: Record<string, string> = authorized(manageKey)) =>
  fetch(`${baseUrl}/api/v1/usage${query}`, { headers });

const readUsage = async (query?: string, headers?: Record<string, string>) =>
  endpoint.answers[200].body.parse(await (await askUsage(query, headers)).json());

/** The events in the timeline of a send. */
async function typesOf(sendId: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/api/v1/sends/${sendId}`, {
    headers: authorized(manageKey),
  });
  return timelineSchema.parse(await response.json()).events.map(({ type }) => type);
}

/** A person opens the email and follows its link `times` times. */
async function engage(messageId: string | undefined, times: number): Promise<void> {
  const email = (await readInbox(inboxUrl)).find((received) => received.messageId === messageId);
  const links = [...(email?.body.html ?? '').matchAll(/"(http[^"]*\/t\/[co]\/[^"]*)"/g)];
  expect(links).toHaveLength(2);
  for (const [, link = ''] of Array.from({ length: times }, () => links).flat()) {
    await fetch(link, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 Firefox/130.0' },
    });
  }
}

const begin = new Date();
const month = monthOf(begin.getTime());
/** A run that starts in the last seconds of a month ends in the next. */
const nextMonth = monthOf(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1));
const aroundNow = `?from=${month}&to=${nextMonth}`;

describe('the usage', () => {
  it('counts everything that happened once, and nothing else', async () => {
    const attachments = [1_000, 24].map((bytes, index) => ({
      filename: `${index}.txt`,
      contentBase64: base64OfLength(bytes),
    }));
    const html = { htmlContent: '<p><a href="https://example.com/">Read</a></p>' };
    const key = { 'idempotency-key': 'order-1' };

    const { messageId } = await send('send', html);
    await send('send-global', { attachments }, key);
    await send('send-global', { attachments }, key);
    await send('send', { to: 'complaint@simulator.amazonses.com', attachments: [attachments[0]] });
    const to = 'bounce@simulator.amazonses.com';
    const bounced = await send('send-global', { to });
    await vi.waitUntil(async () => (await typesOf(bounced.sendId)).includes('bounced'), patience);
    expect(await send('send', { to, attachments })).toMatchObject({ status: 'suppressed' });
    expect((await post('send', { attachments: [{ filename: 'no.txt' }] })).status).toBe(400);
    await engage(messageId, 3);

    const expected = {
      sends: 4,
      recipients: 4,
      global_endpoint_sends: 2,
      events: {
        sent: 4,
        delivered: 3,
        bounced: 1,
        soft_bounced: 0,
        complained: 1,
        opened: 1,
        clicked: 1,
      },
      attachments: 3,
      attachmentBytes: 2_024,
      timeToDelivery: { deliveries: 3, p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
    };
    const read = async () => (await readUsage(aroundNow)).total;
    await vi.waitFor(async () => expect(await read()).toEqual(expected), patience);
    // Nor does the next look at the stream count anything twice.
    await sleep(1_500);
    const { months = [], ...usage } = await readUsage(aroundNow);
    const none = { month: nextMonth, busiest: [], lacking: 0 };
    const ofLastMonth = { tags: none, receivingDomains: none };
    expect(usage).toEqual({ from: month, to: nextMonth, total: expected, ...ofLastMonth });
    expect(months.map((shown) => shown.month)).toEqual([month, nextMonth]);
    expect(months.reduce((sum, { sends }) => sum + sends, 0)).toBe(expected.sends);
    const { days = [], total } = await readUsage('?by=day');
    expect([days.length, total]).toEqual([30, expected]);
  });

  it('is limited to the organization', async () => {
    const other = await keptOrSeededOrganization(undefined);

    const usage = await readUsage(aroundNow, authorized(other.manageKey));

    const { events, timeToDelivery, ...figures } = usage.total;
    expect(timeToDelivery).toBeNull();
    expect(new Set([...Object.values(events), ...Object.values(figures)])).toEqual(new Set([0]));
  });

  it('shows months without use as such, including the first and last', async () => {
    const { months = [] } = await readUsage('?from=2024-11&to=2025-02');

    expect(months.map((shown) => [shown.month, shown.sends])).toEqual([
      ['2024-11', 0],
      ['2024-12', 0],
      ['2025-01', 0],
      ['2025-02', 0],
    ]);
  });

  it.each([
    { query: '?from=2026-13', paths: ['from'] },
    { query: '?from=2026-1&to=yesterday', paths: ['from', 'to'] },
    { query: '?from=', paths: ['from'] },
    { query: '?from=2026-02&to=2026-01', paths: ['from'] },
    { query: '?from=9999-12', paths: ['from'] },
    { query: '?from=2024-01&to=2026-01', paths: ['from'] },
  ])('rejects $query', async ({ query, paths }) => {
    const response = await askUsage(query);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'validation_failed',
      errors: paths.map((path) => ({ path })),
    });
  });

  it.each([
    { who: 'nobody', headers: {}, status: 401 },
    { who: 'a key that only sends', headers: authorized(apiKey), status: 403 },
  ])("isn't shown to $who", async ({ headers, status }) => {
    expect((await askUsage('?from=never', headers)).status).toBe(status);
  });
});
