import { expect, it } from 'vitest';
import { serviceVersion } from '../../../../infra/version.ts';
import { fakeFetch, manage, twinFile } from '../../../support/manage-builder.ts';

const settings = { id: 'org_1', name: 'Acme', paused: false, attachmentsEnabled: false };
const identity = {
  domain: 'mail.example.com',
  fromEmail: 'hello@mail.example.com',
  status: 'active',
  sendingAs: { fromEmail: 'hello@mail.example.com' },
  tenant: { sending: 'paused' },
  dkim: { status: 'SUCCESS' },
  mailFrom: { domain: 'bounces.mail.example.com', status: 'SUCCESS' },
  records: [],
  zoneFile: '',
  account: { region: 'eu-west-1', problems: [] },
};
const domains = [
  { domain: 'mail.example.com', isDefault: true, status: 'active', canSend: true },
  { domain: 'billing.example.com', isDefault: false, status: 'active', canSend: true },
  { domain: 'news.example.com', isDefault: false, status: 'pending', canSend: false },
];
const webhook = (id: string, status: string, disabled?: { readonly reason: string }) => ({
  id,
  url: 'https://example.com/hooks',
  eventTypes: [],
  health: { status, outlook: 'It will be disabled on Monday.' },
  disabled,
});

const usage = { total: { sends: 1_000, events: { bounced: 60, complained: 0 } } };

it('doctor reports a pending domain, a paused tenant, failing endpoints, a high bounce rate and another version', async () => {
  const data = [
    webhook('whk_well', 'well'),
    webhook('whk_retrying', 'retrying'),
    webhook('whk_failing', 'failing'),
    webhook('whk_gone', 'disabled', { reason: 'gone' }),
    webhook('whk_off', 'disabled', { reason: 'by_owner' }),
  ];
  const { fetch } = fakeFetch(
    { body: settings },
    { body: identity },
    { body: { data: domains } },
    { body: { data } },
    { body: usage },
    { body: {}, headers: { 'x-service-version': '0.9.0' } },
  );
  const twin = JSON.parse(twinFile);
  const environment = { EMAIL_SERVICE_KEY: 'esk_key' };

  const { exitCode, output } = await manage(`doctor --url ${twin.baseUrl}`, { fetch, environment });

  expect(output.split('\n').filter((line) => line.startsWith('✗'))).toEqual([
    '✗ tenant: paused by SES',
    '✗ domain: news.example.com is pending',
    '✗ webhooks: whk_failing is failing. It will be disabled on Monday.',
    '✗ webhooks: whk_gone is disabled. It will be disabled on Monday.',
    '✗ reputation: the bounce rate is over the limit of 5%: 60 of 1000 emails in 30 days',
    `✗ version: the deployment is 0.9.0, but this program is ${serviceVersion}`,
  ]);
  expect(output).toContain(
    '    → npm run manage -- domains show news.example.com --url http://127.0.0.1:3000 shows each record\n',
  );
  expect(exitCode).toBe(7);
});

it('doctor reports an answer without the version of the service', async () => {
  const { fetch } = fakeFetch(
    { body: settings },
    { body: identity },
    { body: { data: domains } },
    { body: { data: [] } },
    { body: usage },
    { body: {} },
  );
  const environment = { EMAIL_SERVICE_KEY: 'esk_key' };

  const { output } = await manage('doctor --url http://127.0.0.1:3000', { fetch, environment });

  expect(output).toContain('✗ version: the deployment doesn’t say its version\n');
});

const off = (id: string) => webhook(id, 'disabled', { reason: 'by_owner' });
const paused = (id: string, status: string) => ({
  ...webhook(id, status),
  paused: true,
  pausedAt: 0,
});

it.each([
  [[], '✓ webhooks: no endpoints'],
  [[webhook('whk_1', 'well')], '✓ webhooks: none of 1 enabled endpoint is failing'],
  [
    [webhook('whk_1', 'well'), webhook('whk_2', 'retrying'), off('whk_3')],
    '✓ webhooks: none of 2 enabled endpoints is failing; 1 disabled by your team',
  ],
  [
    [off('whk_1'), off('whk_2'), off('whk_3'), off('whk_4')],
    '? webhooks: 4 endpoints, all disabled by your team: no events are delivered',
  ],
  [
    [paused('whk_1', 'failing'), webhook('whk_2', 'well')],
    '? webhooks: whk_1 is paused since 1970-01-01T00:00:00.000Z: its deliveries wait',
  ],
])('doctor reports %j as: %s', async (data, expected) => {
  const { fetch } = fakeFetch(
    { body: settings },
    { body: { ...identity, tenant: null } },
    { body: { data: [] } },
    { body: { data } },
    { body: { total: { sends: 0, events: { bounced: 0, complained: 0 } } } },
    { body: {}, headers: { 'x-service-version': serviceVersion } },
  );
  const { baseUrl } = JSON.parse(twinFile);
  const environment = { EMAIL_SERVICE_KEY: 'esk_key' };

  const { exitCode, output } = await manage(`doctor --url ${baseUrl}`, { fetch, environment });

  expect(output.split('\n').find((line) => line.includes('webhooks:'))).toBe(expected);
  expect(exitCode).toBe(0);
});
