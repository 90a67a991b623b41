import { describe, expect, it } from 'vitest';
import { fakeFetch, manage, manageWords, twinFile } from '../../../support/manage-builder.ts';

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
const suppressed = {
  ...send,
  ...{ _id: 'snd_3', status: 'suppressed', outcome: 'suppressed', cause: undefined },
  suppressedRecipients: [
    { email: 'ann@example.com', reason: 'bounce' },
    { email: 'bob@example.com', reason: 'bounce' },
    { email: 'cid@example.com', reason: 'unsubscribed_category' },
  ],
};
const waiting = (status: string) => ({
  ...send,
  ...{ _id: 'snd_4', status, outcome: status, outcomeAt: at, cause: undefined },
  sendAt: at + 3_600_000,
});

const list = async (options: string, data: readonly object[] = [send, failed]) => {
  const { fetch } = fakeFetch({ body: { data, nextCursor: null } });
  const { baseUrl } = JSON.parse(twinFile);
  const environment = { EMAIL_SERVICE_KEY: 'esk_key' };
  const { output } = await manage(`sends list --url ${baseUrl} ${options}`, { fetch, environment });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
};

describe('manage sends list', () => {
  it("shows each email's outcome and time", async () => {
    const [heads, row] = await list('');

    expect(heads).toEqual(['TIME', 'OUTCOME', 'OUTCOME AT', 'TO', 'SUBJECT', 'ID']);
    expect(row?.slice(0, 3)).toEqual(['2026-11-21 09:00:00Z', 'bounced', '2026-11-22 09:00:00Z']);
  });

  it('shows reasons when filtered by outcome', async () => {
    const [heads, ...rows] = await list('--outcome bounced,failed');

    expect(heads?.at(-2)).toBe('WHY');
    expect(rows.map((row) => row.at(-2))).toEqual([
      'smtp; 550 5.1.1 user unknown',
      'MessageRejected',
    ]);
  });

  it('shows why a suppressed email was not sent, in the service’s words', async () => {
    const verdict = { code: 'suppressed', why: 'an earlier email bounced' };

    const [, row] = await list('--outcome suppressed', [{ ...suppressed, verdict }]);

    expect(row?.at(-2)).toBe('an earlier email bounced');
  });

  it.each(['scheduled', 'queued'])('shows when a %s email goes out', async (status) => {
    const [, row] = await list('', [waiting(status)]);

    expect(row?.slice(1, 3)).toEqual([status, 'goes out 2026-11-21 10:00:00Z']);
  });

  it('shows when a scheduled email was delivered', async () => {
    const [, row] = await list('', [{ ...send, sendAt: at }]);

    expect(row?.[2]).toBe('2026-11-22 09:00:00Z');
  });
});

describe('manage sends resend', () => {
  const run = (options: readonly string[], fetch?: typeof globalThis.fetch) => {
    const words = ['sends', 'resend', 'snd_1', '--url', JSON.parse(twinFile).baseUrl, ...options];
    const environment = { EMAIL_SERVICE_KEY: 'esk_key' };
    return manageWords(words, { environment, ...(fetch && { fetch }) });
  };
  const resend = (key: string, fetch?: typeof globalThis.fetch) => run(['--key', key], fetch);
  const unkeyed = (options: readonly string[], fetch: typeof globalThis.fetch) =>
    run(['--to', "o'hara@example.com", ...options], fetch);

  it.each(['wieder-für-ann', 'again “ann”', 'zweimal\n', ''])(
    'refuses the non-ASCII idempotency key %j without a request',
    async (key) => {
      const { exitCode, words } = await resend(key);

      expect(exitCode).toBe(2);
      expect(words).toContain('Must be 1 to 255 printable ASCII characters.');
    },
  );

  it('sends the idempotency key it was given', async () => {
    const { fetch, asked } = fakeFetch({ body: { sendId: 'snd_2', status: 'sent' } });

    await resend('again-ann', fetch);

    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual(['again-ann']);
  });

  const silent = () => Promise.reject(new TypeError('fetch failed'));
  const inDoubt = (): typeof globalThis.fetch => {
    const body = { code: 'provider_outcome_unknown', detail: 'It may have been sent.' };
    return fakeFetch({ status: 500, body }).fetch;
  };

  it.each([
    ['gave no answer', silent, 6],
    ['does not know the outcome', inDoubt(), 6],
    ['has its answer replaced on the way', async () => new Response('<p>Sign in</p>'), 1],
  ])(
    'prints a command that retries without a second email when the service %s',
    async (_, fetch, code) => {
      const sent: (string | null)[] = [];
      const { exitCode, words } = await unkeyed([], (input, init) => {
        sent.push(new Request(input, init).headers.get('idempotency-key'));
        return fetch(input, init);
      });

      const said = /^ {2}→ To retry without sending it twice: npm run manage -- (.*)$/m.exec(words);
      expect(exitCode).toBe(code);
      expect(said?.[1]).toBe(
        `sends resend snd_1 --to 'o'\\''hara@example.com' --key ${sent[0]} --url http://127.0.0.1:3000`,
      );
    },
  );

  it('prints that command in JSON, too', async () => {
    const { words } = await unkeyed(['--json'], inDoubt());

    expect(JSON.parse(words)).toMatchObject({
      code: 'provider_outcome_unknown',
      todo: expect.stringMatching(/ --key [0-9a-f-]{36} /),
    });
  });

  it('prints no such command with --key, or when nothing was sent', async () => {
    const gone = fakeFetch({ status: 404, body: { code: 'send_not_found', detail: 'None.' } });

    const printed = [await resend('again-ann', silent), await unkeyed([], gone.fetch)];

    expect(printed.map(({ exitCode }) => exitCode)).toEqual([6, 3]);
    expect(printed.map(({ words }) => words).join()).not.toContain('→');
  });
});
