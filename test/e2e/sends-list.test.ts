import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { sendAnswerSchema } from '#shared/sending/send';
import { endpoint } from '../../functions/list-sends/list-sends.ts';
import { patience } from '../support/patience.ts';
import { buildSendBody } from '../support/send-body-builder.ts';
import { useTwin } from '../support/twin.ts';

const timelineShape = z.object({
  send: z.object({ feedbackId: z.string() }),
  messages: z.array(z.object({ providerMessageId: z.string() })),
});

const { baseUrl, apiKey, manageKey } = await useTwin();

async function send(fields: object): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/emails/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(buildSendBody({ ...fields })),
  });
  return sendAnswerSchema.parse(await response.json()).sendId;
}

const ask = (query: Record<string, string>, key = manageKey) =>
  fetch(`${baseUrl}/api/v1/sends?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${key}` },
  });

async function list(query: Record<string, string> = {}) {
  const { data, ...page } = endpoint.answers[200].body.parse(await (await ask(query)).json());
  return { ids: data.map(({ _id }) => _id), data, ...page };
}

describe('the sends list', () => {
  it('shows recipients and subjects, newest first, in pages, filtered by recipient, time and key', async () => {
    const first = await send({ to: 'ann@example.com' });
    const second = await send({ to: 'ben@example.org' });
    const third = await send({ to: 'Ann@Example.com' });

    const page = await list({ limit: '2' });
    const rest = await list({ limit: '2', cursor: page.nextCursor ?? '' });
    const toAnn = await list({ to: 'ann@example.com' });
    const [newest, middle] = page.data;
    const earlier = await list({ until: `${middle?.createdAt}` });
    const key = newest?.apiKeyId ?? '';
    const byKey = await list({ key, status: 'sent', limit: '100' });

    expect([...page.ids, ...rest.ids]).toEqual([third, second, first]);
    expect(page.lookedUntil).toBe(middle?.createdAt);
    expect(rest).toMatchObject({ nextCursor: null, lookedUntil: null });
    expect(toAnn.ids).toEqual([third, first]);
    expect(earlier.ids).toEqual([first]);
    expect(byKey.ids).toEqual([third, second, first]);
    expect(apiKey).toContain(key.slice('key_'.length));
  });

  it('can be searched by ids from logs and by words of an email', async () => {
    const key = `order-${Date.now()}`;
    const sendId = await send({
      to: 'zoe@search.example',
      subject: 'Lost & found',
      idempotencyKey: key,
    });
    const headers = { authorization: `Bearer ${apiKey}` };
    const story = await fetch(`${baseUrl}/api/v1/sends/${sendId}`, { headers });
    const { send: shown, messages } = timelineShape.parse(await story.json());
    const [message = { providerMessageId: '' }] = messages;
    const texts = [
      sendId,
      shown.feedbackId,
      message.providerMessageId,
      key,
      'OE@SEARCH',
      'lost & f',
    ];

    for (const search of texts) expect(await list({ search })).toMatchObject({ ids: [sendId] });
    for (const search of [
      'never said',
      '漢'.repeat(998),
      'a'.repeat(998),
      '\u0000',
      '%',
      '\ud800',
    ]) {
      expect(await list({ search })).toMatchObject({ ids: [], nextCursor: null });
    }
  });

  it('finds a bounce by when it was reported, even if the email was scheduled earlier', async () => {
    const sendAt = Date.now() + 2_000;
    const sendId = await send({ to: 'bounce+late@simulator.amazonses.com', sendAt });
    const bounces = { outcome: 'bounced,soft_bounced' };
    const since = { from: `${sendAt}` };

    await vi.waitFor(
      async () => expect((await list({ ...bounces, ...since })).ids).toEqual([sendId]),
      patience,
    );

    const { data } = await list({ ...bounces, ...since });
    expect(data[0]?.createdAt).toBeLessThan(sendAt);
    expect(data[0]?.outcomeAt).toBeGreaterThanOrEqual(sendAt);
    expect((await list({ ...bounces, until: `${sendAt}` })).ids).toEqual([]);
    expect((await list(since)).ids).toEqual([]);
  });

  it('shows why an email bounced', async () => {
    const sendId = await send({ to: 'bounce@simulator.amazonses.com', subject: 'Gone' });

    const bounces = { outcome: 'bounced,soft_bounced', search: 'gone' };
    await vi.waitFor(async () => expect((await list(bounces)).ids).toEqual([sendId]), patience);
    const { data } = await list(bounces);

    expect(data).toMatchObject([
      {
        outcome: 'bounced',
        cause: {
          reason: 'Permanent/General',
          email: 'bounce@simulator.amazonses.com',
          diagnostic: expect.stringContaining('550 5.1.1'),
        },
      },
    ]);
  });

  it('is closed to a key that can only send, and explains an invalid query', async () => {
    const refused = await ask({}, apiKey);
    const invalid = await ask({ from: 'yesterday' });

    expect(refused.status).toBe(403);
    expect(invalid.status).toBe(400);
    expect(await invalid.json()).toMatchObject({ errors: [{ path: 'from' }] });
  });
});
