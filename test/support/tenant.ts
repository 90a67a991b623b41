import * as z from 'zod';
import { confirmationText, newConfirmationRequest } from '#shared/notices/confirmation';
import { getOrganization } from '#shared/organizations/organization-store';

import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { operatorSecret } from './faulty-aws.ts';
import type { FaultyService } from './faulty-service.ts';

export type Call = {
  /** Of the API key; none without. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as CSV, anything else as JSON. */
  readonly body?: unknown;
};

const problemShape = z.object({
  code: z.string(),
  errors: z.array(z.object({ path: z.string() })).optional(),
});
const resendErrorShape = z.object({ statusCode: z.number(), name: z.string() });
const postmarkErrorShape = z.object({ ErrorCode: z.number().min(1), Message: z.string() });

/** Calls the service; the answer is one text of status line, headers and body. */
export async function callService(
  service: Pick<FaultyService, 'url'>,
  method: string,
  path: string,
  { key, headers, body }: Call = {},
) {
  const isText = typeof body === 'string';
  const response = await fetch(`${service.url()}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': isText ? 'text/csv' : 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type');
  const isJson = type?.includes('json') === true && text !== '';
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  const { code, errors = [] } = problemShape.safeParse(json).data ?? {};
  return {
    status: response.status,
    /** Under `/resend` it is the name of the error, which also says what is at fault; under `/postmark` its number. */
    code:
      code ??
      resendErrorShape.safeParse(json).data?.name ??
      postmarkErrorShape.safeParse(json).data?.ErrorCode.toString(),
    /** The invalid fields. */
    faulty: errors.map(({ path }) => path),
    json,
    whole: [...response.headers, text].join('\n'),
  };
}

/** A service on this machine, or deployed. */
export type TenantService = Pick<
  FaultyService,
  'url' | 'account' | 'inbox' | 'table' | 'keyring'
> & {
  readonly operatorSecret?: string;
};

export type Tenant = Awaited<ReturnType<typeof createTenant>>;

/**
 * Makes an organization that has one of everything, two of what stands in lists. Its word stands in every
 * name, address and text of it, its own part in every id.
 */
export async function createTenant(service: TenantService, word: string) {
  const organization = await createOrganization(service, word);
  const { key } = organization;
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await callService(service, method, path, { key, body });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.whole}`);
    return answer.json;
  };
  const create = async <Id extends string>(name: Id, path: string, body?: unknown) =>
    z.object({ [name]: z.string() }).parse(await ask('POST', path, body))[name] ?? '';

  const domain = `mail.${word}.example`;
  const identity = { domain, fromEmail: `hello@${domain}` };
  const { zoneFile } = zoneShape.parse(await ask('PUT', '/api/v1/organization/identity', identity));
  service.account.dns.publish(zoneFile);
  await ask('GET', '/api/v1/organization/identity');

  await ask('PATCH', '/api/v1/organization', {
    noticeEmail: `ops@${word}.example`,
    keepContentDays: 7,
  });
  const beside = `beside.${word}.example`;
  await ask('POST', '/api/v1/domains', { domain: beside });
  const third = `third.${word}.example`;
  await ask('POST', '/api/v1/domains', { domain: third });

  const category = `category-${word}`;
  const policy = `policy-${word}`;
  await ask('POST', '/api/v1/categories', { key: category, name: `Category ${word}` });
  await ask('PUT', `/api/v1/policies/${policy}`, { kind: 'bulk', categoryKey: category });

  const url = `https://hooks.${word}.example/`;
  const webhook = await create('id', '/api/v1/webhooks', { url, description: `Hook ${word}` });
  const resendWebhook = await create('id', '/api/v1/webhooks', { url, format: 'resend' });
  const [template] = [
    await create('id', '/api/v1/templates', { ...text(word), name: `Template ${word}` }),
    await create('id', '/api/v1/templates', { ...text(word), name: `Another ${word}` }),
  ];
  const resendTemplate = await create('id', '/api/v1/templates', {
    ...text(word),
    name: `Third ${word}`,
  });
  const contact = `ann@${word}.example`;
  const mail = { to: contact, policyKey: policy, ...text(word) };
  const [send] = [
    await create('sendId', '/api/v1/emails/send', mail),
    await create('sendId', '/api/v1/emails/send', { ...mail, idempotencyKey: `order-${word}` }),
  ];
  const waiting = await create('sendId', '/api/v1/emails/send', {
    ...mail,
    sendAt: Date.now() + 3_600_000,
  });
  const alsoWaiting = await create('sendId', '/api/v1/emails/send', {
    ...mail,
    sendAt: Date.now() + 3_600_000,
  });
  const suppressed = `bad@${word}.example`;
  const resendSuppressed = `worst@${word}.example`;
  const toBeLifted = `worse@${word}.example`;
  for (const email of [suppressed, resendSuppressed, toBeLifted]) {
    await ask('POST', '/api/v1/suppressions', { email, diagnostic: `Diagnostic of ${email}` });
  }
  return {
    ...organization,
    word,
    identity,
    beside,
    third,
    category,
    policy,
    webhook,
    resendWebhook,
    template,
    resendTemplate,
    contact,
    send,
    waiting,
    alsoWaiting,
    suppressed,
    resendSuppressed,
    toBeLifted,
    resendEvent: await create('id', `/api/v1/webhooks/${resendWebhook}/test`),
    delivery: await create('id', `/api/v1/webhooks/${webhook}/test`),
    otherKey: await create('id', '/api/v1/api-keys', { name: `Key ${word}` }),
    thirdKey: await create('id', '/api/v1/api-keys', { name: `Third ${word}` }),
    person: await create('id', '/api/v1/people', {
      email: `carol@${word}.example`,
      role: 'support',
    }),
    upload: await create('uploadId', '/api/v1/attachments', { filename: 'a.pdf', size: 9 }),
    links: {
      ...linksIn(
        (await service.inbox()).findLast(({ destination }) => destination.to.includes(contact)),
      ),
      notices: await noticesLink(service, organization.organizationId),
    },
  };
}

const text = (word: string) => ({
  subject: `Subject ${word}`,
  content: `Content ${word}`,
  htmlContent: `<p><a href="https://${word}.example/">Content ${word}</a></p>`,
});

const zoneShape = z.object({ zoneFile: z.string() });
const createdShape = z.object({
  organization: z.object({ id: organizationIdSchema }),
  apiKey: z.object({ id: z.string(), key: z.string() }),
});

async function createOrganization(service: TenantService, word: string) {
  const body = { name: `Organization ${word}`, attachmentsEnabled: true };
  const headers = { 'x-operator-secret': service.operatorSecret ?? operatorSecret };
  const path = '/api/v1/organizations';
  const { json } = await callService(service, 'POST', path, { headers, body });
  const { organization, apiKey } = createdShape.parse(json);
  const stored = await getOrganization(service.table, organization.id);
  if (stored === undefined) throw new Error('The organization was not stored');
  return {
    organizationId: organization.id,
    name: body.name,
    /** What every id of it has. */
    part: organization.id.slice('org_'.length),
    managerKeyId: apiKey.id,
    key: apiKey.key,
    cursorOwner: { id: organization.id, secret: stored.cursorSecret },
  };
}

/** The token of the link that is mailed to its address for notices. */
async function noticesLink({ table, keyring }: TenantService, id: OrganizationId) {
  const organization = await getOrganization(table, id);
  if (organization === undefined) throw new Error('The organization was not stored');
  const request = newConfirmationRequest(organization, Date.now());
  const text = confirmationText(request, organization, { baseUrl: '', keyring });
  return /token=([\w.-]+)/.exec(text)?.[1] ?? '';
}

/** The tokens in a mail's links. */
function linksIn(email: Awaited<ReturnType<FaultyService['inbox']>>[number] | undefined) {
  const whole = [email?.body.html, ...(email?.headers ?? []).map(({ value }) => value)].join(' ');
  const find = (link: RegExp): string => {
    const [, token] = link.exec(whole) ?? [];
    if (token === undefined) throw new Error(`The mail has no link ${link}`);
    return token;
  };
  return {
    click: find(/\/t\/c\/([\w.-]+)/),
    open: find(/\/t\/o\/([\w.-]+)/),
    unsubscribe: find(/\/api\/unsubscribe\?token=([\w.-]+)/),
    preferences: find(/\/preferences\?token=([\w.-]+)/),
  };
}
