import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect } from 'vitest';
import * as z from 'zod';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type ApiKeyId, apiKeyIdSchema, sendIdSchema } from '#shared/tokens/resource-id';
import { setEnvironment } from '../../infra/local/environment.ts';
import { roleRulesFor } from '../../infra/local/issuer.ts';
import { sesError } from './aws-answers.ts';
import { answerInstead, loseAnswer } from './faults.ts';
import { operatorSecret } from './faulty-aws.ts';
import { startHostileIssuer } from './hostile-issuer.ts';
import { openBrowser } from './issuer-browser.ts';
import { linksOf, type OrganizationAtWork } from './organization-at-work.ts';
import { openSession, passkeyPerson } from './passkey-person.ts';
import { buildSesEvent, buildSesMail, tagsOf } from './ses-event-builder.ts';

/** What a later version needs to know of the story besides the items. */
export const storySchema = z.object({
  organizationId: z.string(),
  /** Of another organization, which was deleted, and waits for its purge. */
  deletedId: z.string(),
  keys: z.object({ manage: z.string(), send: z.string(), test: z.string() }),
  cookie: z.string(),
  signInLink: z.string(),
  templateId: z.string(),
  webhookId: z.string(),
  /** By what became of them. */
  sends: z.record(z.string(), z.string()),
  links: z.object({ click: z.string(), unsubscribe: z.string(), preferences: z.string() }),
  /** SES's event of a send in doubt, which nobody has got yet. */
  lateEvent: z.record(z.string(), z.unknown()),
});
export type Story = z.infer<typeof storySchema>;

/** The first line of a fixture; items follow. */
export const fixtureSchema = storySchema.extend({
  frozenAt: z.int(),
  /** How many entries its version listed, by path. */
  listed: z.record(z.string(), z.int().positive()),
});

/** What each version lists of the story. */
export const listedPaths = ({ webhookId }: Story): readonly string[] => [
  '/api/v1/sends?limit=100',
  '/api/v1/sends?to=dan@example.com',
  '/api/v1/sends?outcome=bounced',
  '/api/v1/sends?outcome=soft_bounced,bounced,delayed,complained',
  '/api/v1/sends?outcome=complained&test=true',
  '/api/v1/sends?search=welcome',
  '/api/v1/sends?test=true',
  '/api/v1/contacts',
  '/api/v1/suppressions',
  '/api/v1/templates',
  '/api/v1/webhooks',
  `/api/v1/webhooks/${webhookId}/deliveries?limit=100`,
  '/api/v1/domains',
  '/api/v1/api-keys',
  '/api/v1/people',
  '/api/v1/categories',
  '/api/v1/policies',
  '/api/v1/requests',
  '/api/v1/notice-targets',
  '/api/v1/audit?limit=100',
  '/resend/emails?limit=100',
  '/resend/templates',
];
export const listShape = z.object({ data: z.array(z.unknown()) });

/** Under which the story is told, and read. */
export const storySecrets = [
  { CONTACT_DIGEST_KEY: 'the-contact-digest-key-of-the-frozen-items' },
  JSON.stringify({ current: 'k1', k1: 'the-signing-key-of-the-frozen-items' }),
] as const;

const withId = z.object({ id: z.string() });
const withKey = z.object({ key: z.string() });
const sentShape = z.object({ sendId: sendIdSchema });
const messages = z.object({ MessageBody: z.string() });
const hour = 3_600_000;

const person = (name: string): string => `${name}@example.com`;
const simulated = (fate: string): string => `${fate}@simulator.amazonses.com`;

/** One organization uses all of the service, and leaves items of each kind, in each state. */
export async function tellStory(
  service: OrganizationAtWork,
  passTime: (ms: number) => void,
): Promise<Story> {
  const { aws, call, invoke } = service;
  const operate = (method: string, path: string, body?: unknown) =>
    call(method, path, { key: null, headers: { 'x-operator-secret': operatorSecret }, body });
  const create = async (name: string) => {
    const made = z
      .object({ organization: withId, apiKey: withKey })
      .parse(await operate('POST', '/api/v1/organizations', { name }));
    return { id: made.organization.id, key: made.apiKey.key };
  };

  const { id: organizationId, key: manage } = await create('Example Ltd');
  const as = (method: string, path: string, body?: unknown, headers = {}) =>
    call(method, path, { key: manage, body, headers });
  await operate('PATCH', `/api/v1/organizations/${organizationId}`, {
    attachmentsEnabled: true,
    limits: { recipientsPerDay: 40_000 },
  });

  // Domains: the default, which is active; another, which waits for its records; one of a deleted organization.
  const identityPath = '/api/v1/organization/identity';
  const domain = 'mail.example.com';
  await as('PUT', identityPath, { domain, fromEmail: `hello@${domain}` });
  const { zoneFile } = z.object({ zoneFile: z.string() }).parse(await as('GET', identityPath));
  aws.account.dns.publish(zoneFile);
  await as('GET', identityPath);
  await as('POST', '/api/v1/domains', { domain: 'other.example.com' });
  const deleted = await create('Gone Ltd');
  await call('PUT', identityPath, {
    key: deleted.key,
    body: { domain: 'gone.example.com', fromEmail: 'a@gone.example.com' },
  });
  await operate('DELETE', `/api/v1/organizations/${deleted.id}?name=Gone%20Ltd`);

  // Settings and keys.
  await as('PATCH', '/api/v1/organization', {
    footerText: 'Example Ltd, 1 Example Street',
    replyTo: person('help'),
    noticeEmail: person('notices'),
    keepRefusedShapes: true,
  });
  // Nobody listens there.
  await as('PUT', '/api/v1/notice-targets/on-call', {
    type: 'slack',
    url: 'http://localhost:9/services/T0',
  });
  await as('POST', '/api/v1/organization/notice-email/confirmation');
  const email = person('carol');
  const { id: invited } = withId.parse(
    await as('POST', '/api/v1/people', { email, role: 'support' }),
  );
  await addPasskey(service, apiKeyIdSchema.parse(invited));
  await call('POST', '/console/sign-in', { key: null, body: { email } });
  await comeFromIssuer(service, organizationId);
  const newKey = async (body: object) => withKey.parse(await as('POST', '/api/v1/api-keys', body));
  const { key: send } = await newKey({ name: 'send', perMinuteCap: 600, dailyCap: 5_000 });
  const { key: test } = await newKey({ name: 'test', test: true });
  const { id: revoked } = withId.parse(await as('POST', '/api/v1/api-keys', { name: 'revoked' }));
  await as('DELETE', `/api/v1/api-keys/${revoked}`);

  // Preferences, templates, webhooks.
  await as('POST', '/api/v1/categories', { key: 'news', name: 'News' });
  await as('PUT', '/api/v1/policies/newsletter', { kind: 'bulk', categoryKey: 'news' });
  const templateId = await writeTemplates(as);
  const newWebhook = async (url: string, body: object) =>
    withId.parse(await as('POST', '/api/v1/webhooks', { url, ...body })).id;
  const webhookId = await newWebhook(`${service.receiverUrl}/204`, {
    description: 'Some',
    eventTypes: ['email.sent', 'email.bounced', 'suppression.added'],
  });
  await newWebhook(`${service.receiverUrl}/500`, { eventTypes: ['email.bounced'] });
  const disabled = await newWebhook(`${service.receiverUrl}/204`, {
    tags: ['kind:reset'],
    description: 'Off',
  });
  await as('PATCH', `/api/v1/webhooks/${disabled}`, { enabled: false });
  await as('POST', `/api/v1/webhooks/${webhookId}/test`);

  // Sends in each state.
  const html = '<p><a href="https://example.com/start">Start</a></p>';
  const post = async (fields: object, idempotencyKey?: string, key = send, path = 'send') => {
    const answer = await call('POST', `/api/v1/emails/${path}`, {
      key,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      body: { subject: 'Hello', content: 'Hello', htmlContent: html, ...fields },
    });
    return sentShape.parse(answer).sendId;
  };
  const deliverEvents = async () => {
    await aws.settled();
    for (const event of aws.providerEvents.take()) await service.receiveProviderEvent(event);
  };

  const delivered = await post(
    { to: person('ann'), policyKey: 'newsletter', tags: { kind: 'news' }, metadata: { n: 1 } },
    'delivered',
  );
  const links = linksOf(aws.ses.requests.at(-1)?.body);
  const bounced = await post({ to: simulated('bounce'), templateId: undefined }, 'bounced');
  const complained = await post({ to: simulated('complaint') });
  const softBounced = await post({ to: simulated('ooto') });
  const global = await post({ to: person('eve') }, 'global', send, 'send-global');
  const copied = await post({
    to: [person('ben'), person('cara')],
    cc: person('dan'),
    bcc: person('bcc'),
  });
  await deliverEvents();
  await service.receiveProviderEvent(
    buildSesEvent('DeliveryDelay', {
      mail: buildSesMail({ messageId: await messageOf(as, copied), tags: tagsOf(copied) }),
      deliveryDelay: {
        delayType: 'MailboxFull',
        delayedRecipients: [{ emailAddress: person('ben'), status: '4.2.2' }],
        timestamp: new Date(Date.now()).toISOString(),
      },
    }),
  );
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  for (const link of [links.open, links.click]) {
    await call('GET', link, { key: null, headers: { 'user-agent': firefox } });
  }
  const byTemplate = await call('POST', '/api/v1/emails/send', {
    key: send,
    body: { to: person('fay'), templateId, variables: { name: 'Fay' } },
  });
  const suppressed = await post({ to: simulated('bounce') }, 'suppressed');

  aws.ses.inject({ operation: 'SendEmail', action: answerInstead(sesError('MessageRejected')) });
  await expect(post({ to: person('gus') }, 'failed')).rejects.toThrow('provider_rejected');

  // SES takes an email twice, as its event comes too late: a second message.
  const losing = { operation: 'SendEmail', times: 1, action: loseAnswer() };
  const inDoubt = async (name: string) => {
    aws.ses.inject(losing);
    await expect(post({ to: person(name) }, name)).rejects.toThrow('');
    await aws.settled();
    return aws.providerEvents.take();
  };
  const late = await inDoubt('twice');
  passTime(400_000);
  const twice = await post({ to: person('twice') }, 'twice');
  for (const event of late) await service.receiveProviderEvent(event);
  await deliverEvents();
  const [lateEvent] = await inDoubt('doubt');

  // Later sends: one that waits, one that is queued, one that was called off.
  const scheduled = await post({ to: person('hal'), sendAt: Date.now() + 24 * hour }, 'scheduled');
  const queued = await post({ to: person('ida'), mode: 'queued' }, 'queued');
  const canceled = await post({ to: person('jan'), sendAt: Date.now() + hour });
  await as('POST', `/api/v1/sends/${canceled}/cancel`);

  // Test emails.
  const tested = await post({ to: 'complained@resend.dev' }, 'tested', test);
  const played = aws.sqs.requests.flatMap(({ body }) => messages.safeParse(body).data ?? []);
  const body = played.findLast(({ MessageBody }) => MessageBody.includes('"events"'))?.MessageBody;
  await invoke('record-test-events', { Records: [{ messageId: '1', body }] });

  await as('POST', '/api/v1/attachments', { filename: 'a.pdf', size: 9 });

  // Recipients.
  await as('POST', '/api/v1/suppressions', { email: person('manual'), diagnostic: 'by phone' });
  await as('POST', '/api/v1/suppressions/import', `email,reason\n${person('csv')},bounce\n`, {
    'content-type': 'text/csv',
  });
  await as('POST', '/api/v1/suppressions', { email: person('lifted') });
  await as('DELETE', `/api/v1/suppressions/${person('lifted')}`);
  await call('POST', links.unsubscribe, { key: null });
  await call('POST', '/api/unsubscribe', { key: null, body: { email: person('eve') } });
  await as('POST', '/api/unsubscribe', { email: person('cara') });

  // What was refused, what runs by itself, and what the stream tells.
  await expect(post({ to: 'nobody' })).rejects.toThrow('400');
  for (let run = 0; run < 2; run += 1) {
    await invoke('retry-due-webhooks', { scheduledRun: true });
    await invoke('send-notices', { scheduledRun: true });
  }
  const Records = (await allItems(service.table)).map(({ pk, sk, ...attributes }, index) => ({
    dynamodb: {
      SequenceNumber: `${index + 1}`,
      Keys: marshall({ pk, sk }),
      NewImage: marshall({ pk, sk, ...attributes }),
    },
  }));
  await invoke('count-usage', { shardId: 'shard-1', Records });
  await invoke('index-contacts', { Records });
  await operate('PATCH', `/api/v1/organizations/${organizationId}`, {
    linkDomain: 'permitted.localhost',
  });
  const { cookie, signInLink } = await signIn(service, manage);
  return {
    organizationId,
    deletedId: deleted.id,
    keys: { manage, send, test },
    ...{ cookie, signInLink, templateId, webhookId, links },
    sends: {
      ...{ delivered, bounced, complained, softBounced, global, copied, suppressed, twice },
      ...{ scheduled, queued, canceled, tested, byTemplate: sentShape.parse(byTemplate).sendId },
    },
    lateEvent: { ...lateEvent },
  };
}

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<unknown>;

/** A session, and a link that nobody has used. */
async function signIn({ baseUrl, call }: OrganizationAtWork, key: string) {
  const answer = await fetch(`${baseUrl}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify({ key }),
  });
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  const made = z.object({ path: z.string() }).parse(await call('POST', '/console/links', { key }));
  return { cookie, signInLink: made.path.slice(made.path.indexOf('#') + 1) };
}

/** A template with a layout, an alias, a language, declared variables, three versions and a draft. */
async function writeTemplates(as: Call): Promise<string> {
  const layout = withId.parse(
    await as('POST', '/api/v1/templates', {
      name: 'Frame',
      kind: 'layout',
      htmlContent: '<b>{{{content}}}</b>',
      content: '{{{content}}}',
    }),
  );
  const { id } = withId.parse(
    await as('POST', '/api/v1/templates', {
      name: 'Welcome',
      alias: 'welcome',
      layout: layout.id,
      subject: 'Welcome {{name}}',
      htmlContent: '<p>Hello {{name}}</p>',
      content: 'Hello {{name}}',
      variables: { name: { type: 'string', fallback: 'you' } },
      locales: { de: { subject: 'Willkommen {{name}}', content: 'Hallo {{name}}' } },
    }),
  );
  const path = `/api/v1/templates/${id}`;
  await as('PUT', path, { subject: 'Welcome, {{name}}' });
  await as('PUT', path, { subject: 'A draft for {{name}}', draft: true });
  return id;
}

async function messageOf(as: Call, sendId: string): Promise<string> {
  const timeline = z.object({ messages: z.array(z.object({ providerMessageId: z.string() })) });
  const { messages: found } = timeline.parse(await as('GET', `/api/v1/sends/${sendId}`));
  return found[0]?.providerMessageId ?? '';
}

export async function allItems(table: Table): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  const scan = { TableName: table.name, ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: table.client }, scan)) {
    items.push(...Items);
  }
  return items;
}

/** An issuer makes somebody, who signs in. */
async function comeFromIssuer(
  { baseUrl }: Pick<OrganizationAtWork, 'baseUrl'>,
  organizationId: string,
): Promise<void> {
  const issuer = await startHostileIssuer('console');
  const restore = setEnvironment({
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: 'console',
    OIDC_ROLES: JSON.stringify(roleRulesFor(organizationId)),
  });
  const browser = openBrowser(baseUrl);
  const email = person('dora');
  const claims = { sub: 'dora', sid: 'a session there', email, groups: ['email-viewer'] };
  await browser.go(await issuer.answerTo(browser, { claims }), {}, `${baseUrl}/console/sign-in`);
  restore();
  await issuer.stop();
}

/** An item's kind: its key, without what differs from one item to the next. */
export function kindOf(item: Readonly<Record<string, unknown>>): string {
  const [pk, sk] = [`${item['pk']}`, `${item['sk']}`];
  const [first = ''] = sk.split('#');
  const ofKey = (text: string) =>
    text.split('#').map((part) => (/^[A-Z_]{3,}$/.test(part) ? part : '*'));
  const event = first === 'EVENT' ? ` ${sk.split('#')[1]}` : '';
  return `${ofKey(pk).join('#')} ${ofKey(sk).join('#')}${event}`;
}

async function addPasskey({ table, baseUrl }: OrganizationAtWork, id: ApiKeyId): Promise<void> {
  const { origin } = new URL(process.env['PUBLIC_BASE_URL'] ?? '');
  const person = passkeyPerson(baseUrl, origin);
  const session = person.withCookie(await openSession(table, id));
  const made = person.authenticator.create(await person.askToAdd(session));
  expect(await person.add(session, made)).toMatchObject({ status: 201 });
}
