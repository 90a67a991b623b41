import { describe, expect, it } from 'vitest';
import { errors } from '../../../../shared/errors/errors.ts';
import { fakeFetch, manage, type Reply, twin } from '../../../support/manage-builder.ts';

const run = async (line: string, ...replies: readonly Reply[]) => {
  const { fetch, asked } = fakeFetch(...replies);
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  const readInput = async () => '{"a":1}';
  const printed = await manage(line, { ...twin, fetch, readInput, sleep });
  return { ...printed, asked, pauses };
};

const delivery = {
  id: 'dlv_2',
  messageId: 'msg_1',
  type: 'email.bounced',
  status: 'failed',
  attempts: [{ at: 0, durationMs: 84, statusCode: 500, answer: 'Out of\u001b[2J memory' }],
  createdAt: 0,
  payload: '{"type":"email.bounced","data":{"to":"ann@example.com"}}',
};

describe('manage webhooks', () => {
  it('show says how the endpoint does, in words of the command line', async () => {
    const body = {
      id: 'whk_1',
      url: 'https://a.example',
      disabled: { reason: 'gone', at: 1 },
      health: {
        status: 'disabled',
        outlook: 'It answered 410. Enable it with PATCH {"enabled": true}.',
        exhausted: 3,
        delivered: 1,
      },
    };

    const { output } = await run('webhooks show whk_1', { body });

    expect(output).toMatch(/^State +disabled: gone$/m);
    expect(output).toMatch(/^Outlook .*Enable it with `webhooks update … --enabled on`\.$/m);
    expect(output).toMatch(/^Recently +3 given up, 1 delivered$/m);
    expect(output).toMatch(/^Events +all$/m);
  });

  it('create shows the secret, and that it is the only time', async () => {
    const body = { id: 'whk_1', secret: 'whsec_1' };

    const { output, words } = await run('webhooks create https://a.example', { body });

    expect(output).toMatch(/^Secret +whsec_1$/m);
    expect(words).toContain("it isn't shown again");
  });

  it.each([
    ['webhooks update whk_1', 'Nothing to change'],
    ['webhooks update whk_1 --events email.bounce', 'Did you mean email.bounced?'],
    ['webhooks create', "missing required argument 'url'"],
    ['webhooks deliveries whk_1 --status lost', 'Choose from: pending, delivered, failed'],
    ['webhooks redeliver-failed whk_1', "'--since <time>' is missing"],
  ])('refuses %s', async (line, reason) => {
    const { exitCode, words, asked } = await run(line);

    expect(words).toContain(reason);
    expect({ exitCode, asked }).toEqual({ exitCode: 2, asked: [] });
  });

  it('deliveries have the last answer and when the next attempt is', async () => {
    const waiting = { ...delivery, id: 'dlv_1', status: 'pending', nextAttemptAt: 60_000 };
    const body = { data: [waiting, delivery], nextCursor: null };

    const { output } = await run('webhooks deliveries whk_1', { body });

    expect(output).toMatch(/pending +email\.bounced +1 +500 +1970-01-01 00:01:00Z +dlv_1$/m);
    expect(output).toMatch(/failed +email\.bounced +1 +500 +dlv_2$/m);
  });

  it('delivery finds one in the log, with what the receiver said', async () => {
    const pages: Reply[] = [
      { body: { data: [], nextCursor: 'next' } },
      { body: { data: [delivery], nextCursor: null } },
    ];

    const { output, asked } = await run('webhooks delivery whk_1 dlv_2', ...pages);

    expect(asked).toHaveLength(2);
    expect(output).toMatch(/84 ms +500 +Out of \[2J memory$/m);
    expect(output).toContain('    "to": "ann@example.com"');
  });

  it('delivery says so if the log has none', async () => {
    const { exitCode, words } = await run('webhooks delivery whk_1 dlv_3', {
      body: { data: [delivery], nextCursor: null },
    });

    expect(words).toContain('whk_1 has no delivery dlv_3.');
    expect(exitCode).toBe(3);
  });

  it('redeliver-failed goes on until all are repeated', async () => {
    const { output, asked } = await run(
      'webhooks redeliver-failed whk_1 --since 2026-11-21T09:00:00Z',
      { status: 202, body: { redelivered: 500, nextCursor: 'next' } },
      { status: 202, body: { redelivered: 2, nextCursor: null } },
    );

    expect(asked.map(({ body }) => body)).toEqual([
      { since: '2026-11-21T09:00:00Z' },
      { since: '2026-11-21T09:00:00Z', cursor: 'next' },
    ]);
    expect(output).toContain('502 will be repeated.');
  });

  it('retry-waiting goes on until nothing is left, and says so if more may wait', async () => {
    const page = (retried: number, hasMore: boolean): Reply => ({
      status: 202,
      body: { retried, hasMore },
    });

    const late = await run(
      'webhooks retry-waiting whk_1',
      ...[page(400, true), page(0, true), page(14, false)],
    );
    const stuck = await run(
      'webhooks retry-waiting whk_1',
      ...[page(400, true), ...Array(5).fill(page(0, true))],
    );
    const none = await run('webhooks retry-waiting whk_1', page(0, false));

    expect(late.output).toBe('414 are due now. The scheduled run starts within a minute.\n');
    expect([late.pauses, late.asked.length]).toEqual([[0, 1_000], 3]);
    expect(stuck.output).toContain('400 are due now.');
    expect(stuck.output).toContain('More may wait: repeat the command in a minute.');
    expect(none.output).toBe('Nothing waits.\n');
  });

  it('show says what waits, and how it goes on', async () => {
    const waiting = { count: 214, isExact: false, since: 0, nextAttemptAt: 60_000 };

    const { output } = await run('webhooks show whk_1', { body: { id: 'whk_1', waiting } });

    expect(output).toMatch(
      /^Waiting +at least 214 messages, since 1970-01-01 00:00:00Z, next attempt 1970-01-01 00:01:00Z$/m,
    );
  });

  it('an error names commands, not requests', async () => {
    const code = 'webhook_paused';
    const detail = errors[code].meaning;

    const { words } = await run('webhooks retry dlv_1', { status: 409, body: { code, detail } });

    expect(words).toContain('Resume them with `webhooks resume`, then repeat.');
  });

  const verify = 'webhooks verify whk_1 --body - --message-id msg_1 --timestamp 1 --signature v1,x';

  it('verify explains a signature, and exits with 7 if it differs', async () => {
    const causes = [{ code: 'body_reprinted', explanation: 'The body was printed again.' }];

    const differs = await run(verify, { body: { fits: false, causes } });
    const fits = await run(verify, { body: { fits: true, causes: [] } });

    expect(differs.asked).toMatchObject([
      { body: { payload: '{"a":1}', webhookId: 'msg_1', timestamp: '1', signature: 'v1,x' } },
    ]);
    expect(differs.output).toContain('  → The body was printed again.');
    expect(fits.output).toContain('✓ The signature matches.');
    expect([differs.exitCode, fits.exitCode]).toEqual([7, 0]);
  });
});
