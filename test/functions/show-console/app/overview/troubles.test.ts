import { describe, expect, it } from 'vitest';
import { exampleHealth } from '#shared/webhooks/webhook-reference';
import { endpoint as metricsReference } from '../../../../../functions/get-metrics/get-metrics.ts';
import { endpoint as overviewEndpoint } from '../../../../../functions/get-overview/get-overview.ts';
import { rangeOf } from '../../../../../functions/show-console/app/overview/range.ts';
import { troublesOf } from '../../../../../functions/show-console/app/overview/troubles.ts';

const example = overviewEndpoint.answers[200].body.parse(overviewEndpoint.answers[200].example);
type Overview = typeof example;

/** Of a team whose email goes out. */
const well: Overview = {
  ...example,
  setup: {
    isFinished: true,
    steps: example.setup.steps.map((step) => ({ ...step, isDone: true })),
  },
  webhooks: example.webhooks.map(({ id, url }) => ({
    id,
    url,
    health: { ...exampleHealth },
    isSlow: false,
  })),
};
const [endpoint] = well.webhooks;
const undone = (name: string) => ({
  ...well.setup,
  steps: well.setup.steps.map((step) => (step.name === name ? { ...step, isDone: false } : step)),
});
const withDomain = (changes: object): Overview => ({
  ...well,
  domains: overviewEndpoint.answers[200].body.shape.domains.parse([
    ...well.domains,
    { ...well.domains[0], domain: 'billing.example.com', isDefault: false, ...changes },
  ]),
});
const withEndpoint = (changes: object): Overview => ({
  ...well,
  webhooks: overviewEndpoint.answers[200].body.shape.webhooks.parse([{ ...endpoint, ...changes }]),
});
const titlesOf = (overview: Overview) =>
  troublesOf(overview).map(({ tone, title }) => `${tone}: ${title}`);

describe('troublesOf', () => {
  it('finds none when all is good, or when only setup is left', () => {
    const unset = { ...well, identity: null, webhooks: [] };

    expect(troublesOf(well)).toEqual([]);
    expect(troublesOf({ ...unset, setup: { ...undone('dns'), isFinished: false } })).toEqual([]);
  });

  it.each([
    [1_000, 50, 0, ['bad: Hard bounces are at 5%.']],
    [1_000, 40, 0, ['warn: Hard bounces are at 4%.']],
    [1_000, 39, 0, []],
    [1_000, 0, 1, ['bad: Complaints are at 0.1%.']],
    [23, 2, 0, ['warn: Hard bounces are at 8.7%.']],
    [9, 1, 1, []],
    [78, 7, 2, ['bad: Hard bounces are at 8.97%.', 'bad: Complaints are at 2.56%.']],
  ])(
    'of %d emails with %d bounces and %d complaints are %j',
    (sends, bounced, complained, expected) => {
      const { example: metrics } = metricsReference.answers[200];
      const totals = { ...metrics.totals, sent: sends, bounced_permanent: bounced, complained };
      const range = rangeOf(undefined, 0);

      const troubles = troublesOf(well, { metrics: { totals, buckets: [] }, range });

      expect(troubles.map(({ tone, title }) => `${tone}: ${title.replace(/ AWS .*/, '')}`)).toEqual(
        expected,
      );
    },
  );

  it.each([
    [
      { ...well, organization: { paused: true, tenant: null, dailyLimit: null } },
      'bad: Your organization is paused',
    ],
    [
      {
        ...well,
        organization: {
          paused: false,
          tenant: { sending: 'paused', reason: 'Bounces' },
          dailyLimit: null,
        },
      },
      'bad: Amazon SES has paused your organization',
    ],
    [{ ...well, identity: null, domains: [], setup: undone('dns') }, 'bad: No domain to send from'],
    [{ ...well, identity: null, setup: undone('dns') }, 'bad: No default domain'],
    [
      withDomain({ status: 'pending', canSend: false }),
      'quiet: A domain is waiting for its DNS records',
    ],
    [withDomain({ status: 'failed', canSend: false }), 'warn: A domain isn’t verified'],
    [
      { ...well, identity: { domain: 'example.com', status: 'failed' }, setup: undone('dns') },
      'bad: Your domain isn’t verified',
    ],
    [
      { ...well, identity: { domain: 'example.com', status: 'failed' } },
      'warn: Your domain isn’t verified',
    ],
    [
      { ...well, identity: { domain: 'example.com', status: 'pending' }, setup: undone('dns') },
      'bad: Your domain isn’t verified',
    ],
    [withEndpoint({ isSlow: true }), 'warn: A webhook endpoint is slow'],
    [
      withEndpoint({ health: { ...exampleHealth, status: 'failing' } }),
      'warn: A webhook endpoint is failing',
    ],
    [
      withEndpoint({
        health: { ...exampleHealth, status: 'disabled' },
        disabled: { reason: 'failing', at: 1 },
      }),
      'bad: A webhook endpoint is disabled',
    ],
    [
      withEndpoint({
        health: { ...exampleHealth, status: 'disabled' },
        disabled: { reason: 'by_owner', at: 1 },
      }),
      'quiet: A webhook endpoint is disabled',
    ],
    [withEndpoint({ pausedAt: 1 }), 'quiet: A webhook endpoint is paused'],
    [
      withEndpoint({ pausedAt: 1, health: { ...exampleHealth, status: 'failing' } }),
      'quiet: A webhook endpoint is paused',
    ],
    [{ ...well, sends: { ...well.sends, inDoubt: 1 } }, 'warn: 1 email is in doubt'],
    [{ ...well, sends: { ...well.sends, failed: 2 } }, 'warn: 2 emails failed'],
  ] satisfies [Overview, string][])('includes %# %s', (overview, expected) => {
    expect(titlesOf(overview)).toEqual([expected]);
  });

  it('doesn’t include an endpoint whose one failed attempt is being retried', () => {
    const overview = withEndpoint({ health: { ...exampleHealth, status: 'retrying' } });

    expect(titlesOf(overview)).toEqual([]);
  });

  it("gives SES's reason for a failed identity, or that its DKIM records are missing", () => {
    const textWith = (reason: object) => {
      const identity = { domain: 'example.com', status: 'failed' as const, ...reason };
      return troublesOf({ ...well, identity, domains: [], setup: undone('dns') })[0]?.text;
    };

    expect(textWith({ reason: 'The zone is gone.' })).toMatch(/^The zone is gone\. Every email/);
    expect(textWith({})).toMatch(/^Amazon SES .* DKIM records\. Every email/);
  });

  it('include what keeps the account from sending, and the sandbox only after setup', () => {
    const problem = { message: 'It is.', wayOut: 'Ask AWS.' };
    const account = {
      region: 'eu-west-1',
      hasProductionAccess: false,
      isSendingEnabled: true,
      enforcementStatus: 'PROBATION',
      problems: [
        { code: 'sandbox' as const, ...problem },
        { code: 'shut_down' as const, ...problem },
      ],
    };

    expect(troublesOf({ ...well, account }).map(({ key }) => key)).toEqual([
      'shut_down',
      'sandbox',
    ]);
    const begun = { ...well.setup, isFinished: false };
    expect(troublesOf({ ...well, account, setup: begun }).map(({ key }) => key)).toEqual([
      'shut_down',
    ]);
  });

  it('come with the worst first, each with its own key', () => {
    const troubles = troublesOf({
      ...withEndpoint({ isSlow: true }),
      organization: { paused: true, tenant: { sending: 'paused' }, dailyLimit: null },
      sends: { ...well.sends, inDoubt: 3, failed: 1 },
    });

    expect(troubles.map(({ tone }) => tone)).toEqual(['bad', 'bad', 'warn', 'warn', 'warn']);
    expect(new Set(troubles.map(({ key }) => key)).size).toBe(troubles.length);
  });

  it('link to exactly the failed emails', () => {
    const [trouble] = troublesOf({ ...well, sends: { ...well.sends, failed: 1 } });
    const address = new URL(trouble?.link?.[1] ?? '', 'http://localhost');

    expect(address.searchParams.get('status')).toBe('failed');
    expect(Date.parse(address.searchParams.get('from') ?? '')).toBe(well.sends.since);
  });
});
