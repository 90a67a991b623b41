import { describe, expect, it } from 'vitest';
import { fakeFetch, manage, type Reply, twin } from '../../../support/manage-builder.ts';

async function run(command: string, ...replies: readonly Reply[]) {
  const { fetch, asked } = fakeFetch(...replies);
  const printed = await manage(command, {
    fetch,
    ...twin,
    readInput: async () => 'email\nann@example.com\n',
  });
  return { ...printed, asked };
}

describe('the command line and API Gateway’s throttle', () => {
  const throttled = { status: 429, body: { message: 'Too Many Requests' } };

  it('retries a request that API Gateway throttled', async () => {
    const { fetch, asked } = fakeFetch(throttled, throttled, { status: 204 });
    const pauses: number[] = [];

    const { exitCode } = await manage('categories delete news --yes', {
      fetch,
      ...twin,
      sleep: async (ms) => void pauses.push(ms),
    });

    expect([exitCode, asked.length, pauses]).toEqual([0, 3, [500, 1_000]]);
  });

  it('reports a limit of the service without retrying', async () => {
    const body = { code: 'rate_limited', detail: 'Too many.' };
    const { exitCode, asked } = await run('settings show', {
      status: 429,
      headers: { 'retry-after': '9' },
      body,
    });

    expect([exitCode, asked.length]).toEqual([6, 1]);
  });
});

describe('the command line and another version of the service', () => {
  it('prints a timeline of an older deployment, which has neither webhooks nor a policy', async () => {
    const send = { _id: 'snd_1', status: 'sent', toEmail: 'ann@example.com', createdAt: 0 };

    const { exitCode, output } = await run('sends show snd_1', { body: { send, events: [] } });

    expect(exitCode).toBe(0);
    expect(output).toMatch(/To +ann@example.com/);
    expect(output).not.toContain('undefined');
  });

  it('prints a domain of an older deployment, whose records have neither purpose nor hint', async () => {
    const records = [{ type: 'TXT', relativeName: '_dmarc', value: 'v=DMARC1; p=none' }];
    const body = { domain: 'mail.example.com', status: 'active', records };

    const { exitCode, output } = await run('identity status', { body });

    expect(exitCode).toBe(0);
    expect(output).toContain('_dmarc');
    expect(output).not.toContain('undefined');
  });

  it.each([
    ['an address', 'recipients why ann@example.com', { obstacles: [] }],
    ['the settings', 'settings show', {}],
    ['the limits', 'organizations limits org_1', { limits: { apiKeys: {} } }],
    ['a lift', 'suppressions lift ann@example.com --yes', { lifted: [] }],
    ['the webhooks', 'webhooks list', { data: [{}] }],
    ['the keys', 'keys list', { data: [{}], nextCursor: null }],
    ['the people', 'people list', { data: [{}], nextCursor: null }],
    ['the changes', 'audit', { data: [{}], nextCursor: null }],
    ['the timeline', 'sends show snd_1', {}],
  ])('prints %s without every field', async (_, command, body) => {
    const { exitCode, output } = await run(command, { body });

    expect(exitCode).toBe(0);
    expect(output).not.toContain('undefined');
  });

  it('prints a state and an event that only a newer deployment has', async () => {
    const send = { _id: 'snd_1', status: 'scheduled', createdAt: 0, scheduledFor: 60_000 };
    const events = [{ type: 'postponed', ts: 60_000, until: 120_000 }];

    const { exitCode, output } = await run('sends show snd_1', { body: { send, events } });

    expect(exitCode).toBe(0);
    expect(output).toContain('scheduled');
    expect(output).toContain('postponed');
  });

  it('prints the fields of a newer deployment with --json', async () => {
    const page = { data: [{ id: 'key_1', region: 'eu' }], nextCursor: null, count: 1 };

    const { output } = await run('keys list --json', { body: page });

    expect(JSON.parse(output)).toEqual(page);
  });
});

describe('an answer that the command line can’t act on', () => {
  const html = { headers: { 'content-type': 'text/html' }, body: 'Sign in to the Wi-Fi' };
  const counts = { matched: 0, lifted: 0, removedFromProviderList: 0, examples: [] };
  const liftMany = 'suppressions lift-many --from 2026-11-20 --until 2026-11-21';

  it.each<[string, string, Reply]>([
    ['isn’t JSON', 'settings show', html],
    ['is JSON, but no object', 'settings show', { body: [] }],
    ['is empty', 'settings show', { status: 204 }],
    ['is no confirmation', 'keys revoke key_1 --yes', html],
    ['is no confirmation, though empty', 'keys revoke key_1 --yes', { status: 200 }],
    ['is a list without rows', 'keys list', { body: { nextCursor: null } }],
    ['is a page that may or may not be the last', 'keys list --all', { body: { data: [] } }],
    ['is a list of webhooks without rows', 'webhooks list', { body: {} }],
    ['is an identity without a status', 'identity status --wait', { body: {} }],
    ['is an import that may or may not be complete', 'suppressions import -', { body: {} }],
    ['is a lift that may or may not have more matches', liftMany, { body: counts }],
    ['is a new key without its text', 'keys create --name a', { body: { id: 'key_1' } }],
    ['is a successor without its text', 'keys rotate key_1', { body: { id: 'key_1' } }],
    ['is a new organization without a key', 'organizations create --name a', { body: {} }],
    ['is a sign-in link without a path', 'console link', { body: {} }],
  ])('fails the command after one request when it %s', async (_, command, reply) => {
    const { exitCode, output, words, asked } = await run(`${command} --json`, reply);

    expect(exitCode).toBe(1);
    expect(output).toBe('');
    expect(JSON.parse(words)).toMatchObject({ code: 'unknown_answer' });
    expect(asked).toHaveLength(1);
  });

  it("doesn't write a page that isn't CSV into the file", async () => {
    const { exitCode, output, words } = await run('suppressions export', html);

    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(words).toContain("didn't answer with a CSV file");
  });

  it.each([
    ['the organization', [{}], 'no "paused"'],
    ['the identity', [{ paused: false }, {}, {}, {}], 'no "status"'],
  ])('makes doctor report a problem for %s', async (_, bodies, says) => {
    const { output } = await run('doctor', ...bodies.map((body) => ({ body })));

    expect(output).toContain(says);
    expect(output).not.toMatch(/SES sends|below the limits|is failing/);
  });
});

it('encodes the values in a path', async () => {
  const { asked } = await run('recipients why a/b?c@example.com', { body: { obstacles: [] } });

  expect(asked[0]?.url).toContain('/api/v1/recipients/a%2Fb%3Fc%40example.com');
});
