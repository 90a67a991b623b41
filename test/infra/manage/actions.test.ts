import { expect, it } from 'vitest';
import { fakeFetch, manage, type Reply, twin } from '../../support/manage-builder.ts';

const page: Reply = { body: { data: [], nextCursor: null } };
const done: Reply = { status: 204 };

const run = async (line: string, reply: Reply) => {
  const { fetch, asked } = fakeFetch(reply);
  const printed = await manage(line, { ...twin, fetch });
  return { ...printed, asked };
};

it.each<[line: string, reply: Reply, method: string, path: string, body?: unknown]>([
  ['categories create news --name News', {}, 'POST', 'categories', { key: 'news', name: 'News' }],
  ['categories rename a/b --name B', {}, 'PATCH', 'categories/a%2Fb', { name: 'B' }],
  [
    'policies set news --kind bulk --category news --track-opens off --keep-content on',
    {},
    'PUT',
    'policies/news',
    { kind: 'bulk', categoryKey: 'news', tracking: { opens: false }, keepsContent: true },
  ],
  [
    'keys update key_1 --daily-cap none --scopes send_email',
    {},
    'PATCH',
    'api-keys/key_1',
    { dailyCap: null, scopes: ['send_email'] },
  ],
  [
    'organizations update org_1 --name A --attachments off',
    {},
    'PATCH',
    'organizations/org_1',
    { name: 'A', attachmentsEnabled: false },
  ],
  ['organizations pause org_1 --yes', {}, 'PATCH', 'organizations/org_1', { paused: true }],
  [
    'domain-claims vouch a.example --organization org_1',
    {},
    'POST',
    'domain-claims',
    { domain: 'a.example', organizationId: 'org_1' },
  ],
  ['domains default a.example', {}, 'PATCH', 'domains/a.example', { default: true }],
  ['sends move snd_1 --at 2030-01-01', {}, 'PATCH', 'sends/snd_1', { sendAt: '2030-01-01' }],
  ['settings confirm-notices', {}, 'POST', 'organization/notice-email/confirmation'],
  ['settings show', {}, 'GET', 'organization'],
  ['usage --by day --from 2026-11-21', {}, 'GET', 'usage?by=day&from=2026-11-21'],
  ['sends list --test --tag a:b', page, 'GET', 'sends?test=true&tag=a%3Ab'],
  ['requests list --code not_found --limit 5', page, 'GET', 'requests?code=not_found&limit=5'],
  ['domains list', page, 'GET', 'domains'],
  ['contacts list --prefix ann', page, 'GET', 'contacts?prefix=ann'],
  ['contacts show a@b.example', {}, 'GET', 'contacts/a%40b.example'],
  [
    'contacts unsubscribe a@b.example news offers',
    {},
    'POST',
    'preferences',
    {
      email: 'a@b.example',
      subscriptions: [
        { categoryKey: 'news', subscribed: false },
        { categoryKey: 'offers', subscribed: false },
      ],
    },
  ],
  ['contacts erase a@b.example --sends --yes', done, 'DELETE', 'contacts/a%40b.example?sends=true'],
  ['webhooks show whk_1', {}, 'GET', 'webhooks/whk_1'],
  [
    'webhooks create https://a.example --events email.sent --tags a:b,c:d',
    { body: { secret: 'whsec_1' } },
    'POST',
    'webhooks',
    { url: 'https://a.example', eventTypes: ['email.sent'], tags: ['a:b', 'c:d'] },
  ],
  [
    'webhooks update whk_1 --new-url https://b.example --events all --tags none --format none --enabled on',
    {},
    'PATCH',
    'webhooks/whk_1',
    { url: 'https://b.example', eventTypes: [], tags: [], format: null, enabled: true },
  ],
  ['webhooks delete whk_1 --yes', done, 'DELETE', 'webhooks/whk_1'],
  [
    'webhooks rotate-secret whk_1 --overlap-hours 2',
    { body: { secret: 'whsec_1' } },
    'POST',
    'webhooks/whk_1/rotate-secret',
    { overlapHours: 2 },
  ],
  ['webhooks test whk_1', {}, 'POST', 'webhooks/whk_1/test'],
  [
    'webhooks deliveries whk_1 --status failed --limit 5',
    page,
    'GET',
    'webhooks/whk_1/deliveries?status=failed&limit=5',
  ],
  ['webhooks pause whk_1', {}, 'PATCH', 'webhooks/whk_1', { paused: true }],
  ['webhooks resume whk_1', {}, 'PATCH', 'webhooks/whk_1', { paused: false }],
  [
    'webhooks update whk_1 --max-attempts none',
    {},
    'PATCH',
    'webhooks/whk_1',
    { maxAttempts: null },
  ],
  ['webhooks retry dlv_1', {}, 'POST', 'webhooks/deliveries/dlv_1/retry'],
  [
    'metrics --interval hour --time-zone Europe/Berlin --by tag --previous',
    {},
    'GET',
    'metrics?interval=hour&timeZone=Europe%2FBerlin&by=tag&previous=true',
  ],
  ['refused --request-id a=', page, 'GET', 'requests?requestId=a%3D'],
  [
    'settings update --keep-refused-shapes on',
    {},
    'PATCH',
    'organization',
    { keepRefusedShapes: true },
  ],
  ['webhooks redeliver dlv_1', {}, 'POST', 'webhooks/deliveries/dlv_1/redeliver'],
  ['sends free-key a/b --test', done, 'DELETE', 'idempotency-keys/a%2Fb?test=true'],
  ['policies delete news --yes', done, 'DELETE', 'policies/news'],
  ['organizations delete org_1 --name Acme --yes', done, 'DELETE', 'organizations/org_1?name=Acme'],
  [
    'domain-claims release a.example --organization org_1 --yes',
    done,
    'DELETE',
    'domain-claims/a.example?organizationId=org_1',
  ],
])(
  '%s asks once, and the route says where what was typed goes',
  async (line, reply, method, path, body) => {
    const answer = { body: reply.status === 204 ? undefined : {}, ...reply };

    const { exitCode, asked } = await run(line, answer);

    const url = `http://127.0.0.1:3000/api/v1/${path}`;
    expect(asked).toMatchObject([{ method, url }]);
    expect(asked[0]?.body).toEqual(body);
    expect(exitCode).toBe(0);
  },
);

it.each([
  ['categories delete news', 'Delete the category news?'],
  ['organizations pause org_1', 'Pause org_1 on the local server at http://127.0.0.1:3000?'],
  ['suppressions lift ann@example.com', 'Lift the suppressions of ann@example.com?'],
  ['contacts erase ann@example.com', 'Emails to them stay, without the address'],
  ['contacts erase ann@example.com --sends', 'Emails to them are deleted.'],
  ['webhooks delete whk_1', 'Delete the endpoint whk_1 on the local server'],
  ['webhooks rotate-secret whk_1 --overlap-hours 0', 'End the secret of whk_1 right away?'],
])('%s asks for confirmation first', async (line, question) => {
  const { exitCode, words, asked } = await run(line, done);

  expect(words).toContain(question);
  expect(asked).toEqual([]);
  expect(exitCode).toBe(2);
});

it('says what was done when there is nothing to print', async () => {
  const { output, words } = await run('categories delete news --yes', done);

  expect({ output, words }).toEqual({ output: '', words: 'news was deleted.\n' });
});
