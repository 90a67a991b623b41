import { expect, it } from 'vitest';
import { fakeFetch, manage, type Reply, twin } from '../../../support/manage-builder.ts';

const run = async (line: string, reply: Reply) => {
  const { fetch, asked } = fakeFetch(reply);
  const readInput = async () => 'secret-text\n';
  return { ...(await manage(line, { ...twin, fetch, readInput })), asked };
};

it.each([
  ['slack', { type: 'slack', url: 'secret-text' }],
  ['teams', { type: 'teams', url: 'secret-text' }],
  [
    'pagerduty --pagerduty-region eu',
    { type: 'pagerduty', routingKey: 'secret-text', region: 'eu' },
  ],
])('notices set reads the secret of %s from a file', async (given, body) => {
  const line = `notices set on-call --secret-file - --type ${given}`;

  const { asked } = await run(line, { body: { key: 'on-call' } });

  expect(asked).toMatchObject([{ method: 'PUT', body }]);
  expect(asked[0]?.url).toMatch(/notice-targets\/on-call$/);
});

it('notices test exits with 7 if the target does not take it', async () => {
  const lastFailure = { reason: 'status_404', at: 0 };

  const taken = await run('notices test on-call', { body: { key: 'on-call', lastSentAt: 0 } });
  const refused = await run('notices test on-call', { body: { key: 'on-call', lastFailure } });

  expect(taken.exitCode).toBe(0);
  expect(refused.words).toContain('status_404');
  expect(refused.exitCode).toBe(7);
});

it('notices remove asks first', async () => {
  const { words, asked, exitCode } = await run('notices remove on-call', { status: 204 });

  expect(words).toContain('Remove on-call?');
  expect({ asked, exitCode }).toEqual({ asked: [], exitCode: 2 });
});
