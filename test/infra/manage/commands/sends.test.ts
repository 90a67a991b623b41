import { describe, expect, it } from 'vitest';
import { fakeFetch, manage, twinFile } from '../../../support/manage-builder.ts';

const at = Date.UTC(2026, 10, 21, 9, 0, 0);
const send = {
  _id: 'snd_1',
  status: 'sent',
  outcome: 'bounced',
  outcomeAt: at + 86_400_000,
  toEmail: 'ann@example.com',
  subject: 'Welcome',
  createdAt: at,
  cause: { reason: 'Permanent/General', diagnostic: 'smtp; 550 5.1.1 user unknown' },
};
const failed = {
  ...send,
  ...{ _id: 'snd_2', status: 'failed', outcome: 'failed', cause: undefined },
  failureReason: 'MessageRejected',
};

const list = async (options: string) => {
  const { fetch } = fakeFetch({ body: { data: [send, failed], nextCursor: null } });
  const { baseUrl } = JSON.parse(twinFile);
  const environment = { EMAIL_SERVICE_KEY: 'esk_key' };
  const { output } = await manage(`sends list --url ${baseUrl} ${options}`, { fetch, environment });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
};

describe('manage sends list', () => {
  it('says what became of each email, and when', async () => {
    const [heads, row] = await list('');

    expect(heads).toEqual(['TIME', 'OUTCOME', 'OUTCOME AT', 'TO', 'SUBJECT', 'ID']);
    expect(row?.slice(0, 3)).toEqual(['2026-11-21 09:00:00Z', 'bounced', '2026-11-22 09:00:00Z']);
  });

  it('says why, where outcomes are asked for', async () => {
    const [heads, ...rows] = await list('--outcome bounced,failed');

    expect(heads?.at(-2)).toBe('WHY');
    expect(rows.map((row) => row.at(-2))).toEqual([
      'smtp; 550 5.1.1 user unknown',
      'MessageRejected',
    ]);
  });
});
