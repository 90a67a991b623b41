import { describe, expect, it, vi } from 'vitest';
import { sendAnswerSchema } from '#shared/sending/send';
import { endpoint } from '../../functions/get-metrics/get-metrics.ts';
import { keptOrSeededOrganization } from '../../infra/local/seed.ts';
import { patience } from '../support/patience.ts';
import { buildSendBody } from '../support/send-body-builder.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, apiKey, manageKey } = await useTwin({ hasStream: true });

const authorized = (key: string) => ({ authorization: `Bearer ${key}` });

async function send(to: string, kind: string) {
  const response = await fetch(`${baseUrl}/api/v1/emails/send`, {
    method: 'POST',
    headers: { ...authorized(apiKey), 'content-type': 'application/json' },
    body: JSON.stringify(buildSendBody({ to, tags: { kind } })),
  });
  return sendAnswerSchema.parse(await response.json());
}

const askMetrics = (query: Readonly<Record<string, string>> = {}, key = manageKey) =>
  fetch(`${baseUrl}/api/v1/metrics?${new URLSearchParams(query)}`, { headers: authorized(key) });

const readMetrics = async (query?: Readonly<Record<string, string>>, key?: string) =>
  endpoint.answers[200].body.parse(await (await askMetrics(query, key)).json());

describe('metrics', () => {
  it('count what became of emails, by tag and in a time zone', async () => {
    await send('success@simulator.amazonses.com', 'reset');
    await send('success@simulator.amazonses.com', 'news');
    await send('complaint@simulator.amazonses.com', 'news');
    await send('bounce@simulator.amazonses.com', 'news');

    const expected = {
      sent: 4,
      delivered: 3,
      bounced: 1,
      bounced_permanent: 1,
      complained: 1,
      delivery_rate: 75,
    };
    await vi.waitFor(
      async () => expect((await readMetrics()).totals).toMatchObject(expected),
      patience,
    );
    await send('bounce@simulator.amazonses.com', 'news');
    await vi.waitFor(
      async () =>
        expect((await readMetrics()).totals).toMatchObject({ ...expected, suppressed: 1 }),
      patience,
    );

    const { buckets, groups, reasons, timeZone } = await readMetrics({
      by: 'tag',
      timeZone: 'Asia/Kolkata',
    });
    expect(timeZone).toBe('Asia/Kolkata');
    expect(buckets.reduce((sum, { sent }) => sum + sent, 0)).toBe(4);
    expect(groups.map(({ value, sent }) => [value, sent])).toEqual([
      ['kind:news', 3],
      ['kind:reset', 1],
    ]);
    expect(reasons.map(({ reason }) => reason)).toEqual(['no_such_mailbox', 'suppressed']);
    const news = await readMetrics({ by: 'tag', value: 'kind:news', interval: 'hour' });
    expect(news.totals).toMatchObject({ sent: 3, suppressed: 1, bounced_permanent: 1 });
  });

  it('are limited to the organization', async () => {
    const other = await keptOrSeededOrganization(undefined);

    const { totals, groups } = await readMetrics({ by: 'key' }, other.manageKey);

    expect([totals.sent, totals.suppressed, groups]).toEqual([0, 0, []]);
  });

  it.each([
    [{ interval: 'minute' }, 'interval'],
    [{ by: 'recipient' }, 'by'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2024-01-01' }, 'from'],
    [{ timeZone: 'CET+1' }, 'timeZone'],
    [{ value: 'x' }, 'value'],
    [{ by: 'tag', value: '' }, 'value'],
    [{ since: '1' }, 'since'],
  ])('refuse %o, and say which parameter is wrong', async (query, path) => {
    const response = await askMetrics(query);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });
});
