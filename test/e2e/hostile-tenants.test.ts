import { once } from 'node:events';
import { createServer, IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  GetSuppressedDestinationCommand,
  PutSuppressedDestinationCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { type NoticeContent, newNotice, sendKeyOf } from '#shared/notices/notice';
import { storeNotice } from '#shared/notices/notice-store';

import { organizationKey } from '#shared/table/keys';
import { openTable } from '#shared/table/table-client';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { listen } from '../../infra/local/server.ts';
import { confirmationLinks } from '../support/confirmed-address.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { dueNoticesIn } from '../support/notice-builder.ts';
import { patience } from '../support/patience.ts';
import {
  buildSesEvent,
  buildSesMail,
  type SesEventType,
  tagsOf,
} from '../support/ses-event-builder.ts';
import { useTwin } from '../support/twin.ts';

// What tenants, strangers, recipients and stolen credentials try, against the whole service on the local twin. Each
// case is one attack and says what it gets. SECURITY.md names them.

const stack = await useTwin({ hasStream: true });

const { baseUrl, operatorSecret, manageKey } = stack;

type Call = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

/** Calls the service without credentials, unless the headers have some. */
async function call(method: string, path: string, { body, headers }: Call = {}) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const asOperator = { 'x-operator-secret': operatorSecret };

/** A new tenant as the operator creates it, with its manager key and no domain yet. */
async function newTenant(name: string) {
  const { json } = await call('POST', '/api/v1/organizations', {
    headers: asOperator,
    body: { name },
  });
  const { organization, apiKey } = z
    .object({
      organization: z.object({ id: z.string() }),
      apiKey: z.object({ id: z.string(), key: z.string() }),
    })
    .parse(json);
  return { organizationId: organization.id, key: apiKey.key, as: bearer(apiKey.key) };
}

describe('a tenant', () => {
  it('finds nothing of another tenant by its ids', async () => {
    const thief = await newTenant('Thief Ltd');
    const { json } = await call('POST', '/api/v1/webhooks', {
      headers: bearer(manageKey),
      body: { url: 'https://example.com/hooks' },
    });
    const { id } = z.object({ id: z.string() }).parse(json);

    const answer = await call('GET', `/api/v1/webhooks/${id}`, { headers: thief.as });

    expect(answer).toMatchObject({ status: 404, json: { code: 'webhook_not_found' } });
  });
});

// Notices and idempotency keys.

const inboxUrl = stack.inboxUrl;
const mailTo = async (address: string) =>
  (await readInbox(inboxUrl)).filter(({ destination }) => destination.to.includes(address));

/** Creates the tenant's notices as the service does, and waits until they are settled. */
async function fileNotices(organizationId: OrganizationId, ...contents: readonly NoticeContent[]) {
  const table = openTable(stack.tableName);
  for (const content of contents) {
    await storeNotice(table, newNotice(organizationId, content, Date.now()));
  }
  await vi.waitUntil(async () => {
    const due = await dueNoticesIn(table, Date.now());
    return due.every((notice) => notice.organizationId !== organizationId);
  }, patience);
}

/** Stores an address as confirmed, as only a few tries a day are allowed. */
async function confirmAddress(organizationId: OrganizationId, address: string) {
  const table = openTable(stack.tableName);
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: organizationKey(organizationId),
      UpdateExpression: 'SET noticeEmail = :address, noticeEmailState = :confirmed',
      ExpressionAttributeValues: { ':address': address, ':confirmed': 'confirmed' },
    }),
  );
}

describe('notices', () => {
  const own = organizationIdSchema.parse(stack.organizationId);
  const setAddress = (noticeEmail: string, as: { authorization: string }) =>
    call('PATCH', '/api/v1/organization', { headers: as, body: { noticeEmail } });

  it('never reach a third party whom a tenant without a domain names as its address', async () => {
    const thief = await newTenant('Spam Ltd');
    const stranger = 'stranger@example.net';
    await setAddress(stranger, thief.as);

    const causes = ['webhook_disabled', 'identity_lost', 'tenant_paused'] as const;
    await fileNotices(
      organizationIdSchema.parse(thief.organizationId),
      ...causes.map((cause) => ({ cause, about: 'x', subject: 'Buy now', text: 'Buy now' })),
    );
    const asked = await call('POST', '/api/v1/organization/notice-email/confirmation', {
      headers: thief.as,
    });

    expect(asked).toMatchObject({ status: 403, json: { code: 'no_active_identity' } });
    expect(await mailTo(stranger)).toEqual([]);
  });

  it('reach an address only after somebody pressed the button behind its link: a scanner that opens the link confirms nothing', async () => {
    const address = 'reader@example.com';
    const as = bearer(manageKey);
    const content = (about: string) =>
      ({ cause: 'key_spiking', about, subject: about, text: about }) as const;
    await setAddress(address, as);
    const link = await vi.waitUntil(
      async () => (await confirmationLinks(inboxUrl, address))[0],
      patience,
    );

    const scanned = await fetch(link, { headers: { accept: 'text/html' } });
    await fileNotices(own, content('before'));
    const pressed = await fetch(link, { method: 'POST', headers: { accept: 'text/html' } });
    await fileNotices(own, content('after'));
    await setAddress('elsewhere@example.com', as);
    const stale = await fetch(link, { method: 'POST' });
    const audit = await call('GET', '/api/v1/audit?limit=5', { headers: as });

    expect([scanned.status, pressed.status, stale.status]).toEqual([200, 200, 404]);
    const subjects = (await mailTo(address)).map(({ subject }) => subject);
    expect(subjects).toContain('after');
    expect(subjects).not.toContain('before');
    expect(audit.text).toContain('notice_email');
    expect(audit.text).not.toContain('@example.com');
  });

  it('reach a third party at most three times a day, however often a tenant sets the address', async () => {
    const stranger = 'often@example.net';
    for (const tag of ['', '+1', '+2', '+3', '+4']) {
      await setAddress(stranger.replace('@', `${tag}@`), bearer(manageKey));
    }

    const again = await call('POST', '/api/v1/organization/notice-email/confirmation', {
      headers: bearer(manageKey),
    });

    expect(again).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  });

  it("report a leaked key even when the thief has used the notice's idempotency key", async () => {
    const address = 'alarm@example.com';
    await confirmAddress(own, address);
    const content = { cause: 'key_spiking', about: 'key_x', subject: 'Alarm', text: '!' } as const;
    const { status } = await call('POST', '/api/v1/emails/send', {
      headers: {
        ...bearer(stack.apiKey),
        'idempotency-key': sendKeyOf(newNotice(own, content, Date.now())),
      },
      body: { to: 'thief@example.com', subject: 'Hi', content: 'Hi' },
    });

    await fileNotices(own, content);

    expect(status).toBe(200);
    expect((await mailTo(address)).map(({ subject }) => subject)).toEqual(['Alarm']);
  });

  it('are limited to 20 a day, and webhook notices leave room for an alarm', async () => {
    const address = 'flood@example.com';
    await confirmAddress(own, address);
    const hook = { cause: 'webhook_disabled', subject: 'Hook', text: 'Hook' } as const;
    const alarm = { cause: 'key_spiking', about: 'key_y', subject: 'Alarm', text: '!' } as const;
    const hooks = Array.from({ length: 12 }, (_, endpoint) => ({ ...hook, about: `${endpoint}` }));
    await fileNotices(own, ...hooks, alarm);

    const subjects = (await mailTo(address)).map(({ subject }) => subject);

    expect(subjects.filter((subject) => subject === 'Hook').length).toBeLessThanOrEqual(10);
    expect(subjects.at(-1)).toBe('Alarm');
  });
});

describe('a leaked key that has used the idempotency key of another program', () => {
  const send = (key: string, idempotencyKey: string, to: string) =>
    call('POST', '/api/v1/emails/send', {
      headers: { ...bearer(key), 'idempotency-key': idempotencyKey },
      body: { to, subject: 'Hi', content: 'Hi' },
    });

  it("doesn't keep it: the error names the cause, a manager frees the key, and the thief’s send stays as evidence", async () => {
    const { json } = await call('POST', '/api/v1/api-keys', {
      headers: bearer(manageKey),
      body: { name: 'Leaked' },
    });
    const leaked = z.object({ id: z.string(), key: z.string() }).parse(json);
    const stolen = await send(leaked.key, 'order/4711', 'thief@example.com');
    const { sendId } = z.object({ sendId: z.string() }).parse(stolen.json);

    const refused = await send(stack.apiKey, 'order/4711', 'ann@example.com');
    const byThief = await call('DELETE', '/api/v1/idempotency-keys/order%2F4711', {
      headers: bearer(leaked.key),
    });
    const freed = await call('DELETE', '/api/v1/idempotency-keys/order%2F4711', {
      headers: bearer(manageKey),
    });
    const sent = await send(stack.apiKey, 'order/4711', 'ann@example.com');
    const again = await send(stack.apiKey, 'order/4711', 'ann@example.com');
    const evidence = await call('GET', `/api/v1/sends/${sendId}`, { headers: bearer(manageKey) });

    expect(refused.status).toBe(422);
    expect(refused.text).toContain('another API key');
    expect(byThief.status).toBe(403);
    expect(freed.status).toBe(204);
    expect(sent.json).toMatchObject({ status: 'sent', reused: false });
    expect(again.json).toMatchObject({ reused: true });
    expect(evidence.status).toBe(200);
  });
});

// Tracked links and pages for recipients.

/** A tenant with its own domain, and the tokens from a bulk email that it sends to Ann. */
async function newMailingTenant(name: string) {
  const tenant = await newTenant(name);
  const domain = `${tenant.organizationId.slice('org_'.length)}.example`;
  const identity = { domain, fromEmail: `hello@${domain}` };
  const path = '/api/v1/organization/identity';
  const set = await call('PUT', path, { headers: tenant.as, body: identity });
  const { zoneFile } = z.object({ zoneFile: z.string() }).parse(set.json);
  await fetch(`${baseUrl}/_local/dns`, { method: 'POST', body: zoneFile });
  await call('GET', path, { headers: tenant.as });

  const to = `ann@${domain}`;
  const sent = await call('POST', '/api/v1/emails/send', {
    headers: tenant.as,
    body: {
      to,
      subject: 'Offer',
      content: 'Offer',
      htmlContent: '<a href="https://phish.example/login?next=%2F">Sign in</a>',
      policyKey: 'bulk',
    },
  });
  expect(sent.status).toBe(200);
  const email = (await readInbox(stack.inboxUrl)).find(({ destination }) =>
    destination.to.includes(to),
  );
  const headers = email?.headers.map(({ value }) => value).join(' ') ?? '';
  const pathIn = (text: string | undefined, start: string): string =>
    new RegExp(`${start}[\\w.-]+`).exec(text ?? '')?.[0] ?? 'none';
  return {
    ...tenant,
    to,
    sendId: z.object({ sendId: z.string() }).parse(sent.json).sendId,
    click: pathIn(email?.body.html, '/t/c/'),
    pixel: pathIn(email?.body.html, '/t/o/'),
    headerLink: pathIn(headers, '/api/unsubscribe\\?token='),
    footerLink: pathIn(email?.body.html, '/api/unsubscribe\\?token='),
    preferences: pathIn(email?.body.html, '/preferences\\?token='),
  };
}

type Tenant = Awaited<ReturnType<typeof newMailingTenant>>;

const operate = (organizationId: string, body: object) =>
  call('PATCH', `/api/v1/organizations/${organizationId}`, { headers: asOperator, body });

const asPerson = { accept: 'text/html' };
const eventTypesOf = async (sendId: string, as: Readonly<Record<string, string>>) => {
  const { json } = await call('GET', `/api/v1/sends/${sendId}`, { headers: as });
  const { events } = z.object({ events: z.array(z.object({ type: z.string() })) }).parse(json);
  return events.map(({ type }) => type);
};

describe('a stolen key', () => {
  it('sends nothing that it scheduled once it is revoked as leaked, even after a resume or a move', async () => {
    const tenant = await newMailingTenant('Robbed Ltd');
    const made = await call('POST', '/api/v1/api-keys', {
      headers: tenant.as,
      body: { name: 'Stolen' },
    });
    const stolen = z.object({ id: z.string(), key: z.string() }).parse(made.json);
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const emails = Array.from({ length: 50 }, (_, place) => ({
      to: `victim-${place}@${tenant.organizationId.slice('org_'.length)}.example`,
      subject: 'Phish',
      content: 'Phish',
      sendAt,
    }));
    const batch = await call('POST', '/api/v1/emails/batch', {
      headers: bearer(stolen.key),
      body: { emails },
    });
    expect(batch.status).toBe(200);

    await operate(tenant.organizationId, { linksDisabled: true });
    await operate(tenant.organizationId, { paused: true });
    const revoked = await call('DELETE', `/api/v1/api-keys/${stolen.id}?leaked=true`, {
      headers: tenant.as,
    });
    await operate(tenant.organizationId, { paused: false });
    await operate(tenant.organizationId, { linksDisabled: false });
    const listOf = async (status: string) => {
      const path = `/api/v1/sends?key=${stolen.id}&status=${status}&limit=100`;
      const { json } = await call('GET', path, { headers: tenant.as });
      return sendsSchema.parse(json).data;
    };
    const waiting = await listOf('scheduled');
    for (const { _id } of waiting) {
      const now = { sendAt: new Date().toISOString() };
      await call('PATCH', `/api/v1/sends/${_id}`, { headers: tenant.as, body: now });
    }
    await vi.waitUntil(async () => (await listOf('failed')).length === 50, patience);

    expect(revoked.status).toBe(204);
    expect(waiting).toHaveLength(50);
    const failed = await listOf('failed');
    expect(new Set(failed.map(({ failureReason }) => failureReason))).toEqual(
      new Set(['ApiKeyLeaked']),
    );
    const inbox = await readInbox(stack.inboxUrl);
    const stolenMail = inbox.filter(({ destination }) =>
      destination.to.some((to) => to.startsWith('victim-')),
    );
    expect(stolenMail).toEqual([]);
  });

  it('gains no other sender by changing the template of a waiting email', async () => {
    const tenant = await newMailingTenant('Bank Ltd');
    const domain = tenant.to.slice('ann@'.length);
    const template = { name: 'News', alias: 'news', subject: 'Hi', htmlContent: '<p>Hi</p>' };
    const from = { mine: `news@${domain}`, other: `ceo@${domain}` };
    const created = await call('POST', '/api/v1/templates', {
      headers: tenant.as,
      body: { ...template, from: from.mine },
    });
    const { id } = z.object({ id: z.string() }).parse(created.json);
    await call('POST', `/api/v1/templates/${id}/publish`, { headers: tenant.as });
    const made = await call('POST', '/api/v1/api-keys', {
      headers: tenant.as,
      body: { name: 'News', scopes: ['send_email', 'templates_manage'], allowedFrom: [from.mine] },
    });
    const { key } = z.object({ key: z.string() }).parse(made.json);
    const to = `robbed@${domain}`;
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const accepted = await call('POST', '/api/v1/emails/send', {
      headers: bearer(key),
      body: { to, template: id, sendAt },
    });
    const { sendId } = z.object({ sendId: z.string() }).parse(accepted.json);

    await call('PUT', `/api/v1/templates/${id}`, {
      headers: bearer(key),
      body: { from: from.other },
    });
    await call('POST', `/api/v1/templates/${id}/publish`, { headers: bearer(key) });
    await call('PATCH', `/api/v1/sends/${sendId}`, {
      headers: bearer(key),
      body: { sendAt: new Date().toISOString() },
    });
    const statusOf = async () => {
      const { json } = await call('GET', `/api/v1/sends/${sendId}`, { headers: tenant.as });
      return z.object({ send: sendSchema }).parse(json).send;
    };
    await vi.waitUntil(
      async () => !['scheduled', 'queued', 'sending'].includes((await statusOf()).status),
      patience,
    );

    expect(await statusOf()).toMatchObject({ status: 'failed', failureReason: 'from_not_allowed' });
    expect(await mailTo(to)).toEqual([]);
  });
});

const sendSchema = z.object({
  _id: z.string(),
  status: z.string(),
  failureReason: z.string().optional(),
});
const sendsSchema = z.object({ data: z.array(sendSchema) });

describe('a stranger who knows an address', () => {
  it('reads its preferences at most ten times an hour, and not at all if the tenant forbids it', async () => {
    const { as, to } = await newMailingTenant('Bare Ltd');
    const read = (email: string) =>
      call('GET', `/api/v1/preferences?email=${encodeURIComponent(email)}`);

    const open = await read(to);
    await call('PATCH', '/api/v1/organization', {
      headers: as,
      body: { preferencesByAddress: false },
    });
    const closed = await read(to);
    const unknown = await read(`nobody-${to}`);
    // Of 21 requests, at least eleven fall into one hour, even if a new hour starts in between.
    const many = await Promise.all(Array.from({ length: 21 }, () => read(to)));
    const leaving = await call('POST', '/api/unsubscribe', { body: { email: to } });

    expect(open.status).toBe(200);
    expect(closed).toMatchObject({ status: 404, json: { code: 'contact_not_found' } });
    expect(unknown.json).toMatchObject({ code: 'contact_not_found' });
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([404, 429]));
    expect(leaving).toMatchObject({ status: 200, json: { status: 'unsubscribed' } });
  });
});

describe('a stranger who reads the headers of an email', () => {
  const tokensIn = (text: string): string[] =>
    [...text.matchAll(/token=([\w.-]+)/g)].map(([, token = '']) => token);

  it('finds no stronger token on the page that its token opens, before or after', async () => {
    const { headerLink, preferences } = await newMailingTenant('Header Ltd');
    const [token = ''] = tokensIn(headerLink);

    const asking = await call('GET', headerLink, { headers: asPerson });
    const done = await call('POST', headerLink, { headers: asPerson });

    expect([asking.status, done.status]).toEqual([200, 200]);
    expect(new Set(tokensIn(asking.text + done.text))).toEqual(new Set([token]));
    const read = await call('GET', `/api/v1/preferences?token=${token}`);
    const page = await call('GET', `/preferences?token=${token}`, { headers: asPerson });
    expect([read.status, page.status]).toEqual([404, 404]);
    const strong = await call('GET', preferences, { headers: asPerson });
    expect(strong.status).toBe(200);
  });

  it("gets no stronger token from the redirect to the organization's own page", async () => {
    const { as, headerLink, footerLink } = await newMailingTenant('Own Page Ltd');
    await call('PATCH', '/api/v1/organization', {
      headers: as,
      body: { unsubscribePageUrl: 'https://shop.example.com/bye' },
    });

    const byHeader = await call('GET', headerLink, { headers: asPerson });
    const byFooter = await call('GET', footerLink, { headers: asPerson });

    expect(tokensIn(byHeader.headers.get('location') ?? '')).toEqual(tokensIn(headerLink));
    expect(tokensIn(byFooter.headers.get('location') ?? '')).toEqual(tokensIn(footerLink));
  });
});

describe('a tenant whose emails lead to a malicious site', () => {
  it('gets no redirects once it is paused: people see where the link leads', async () => {
    const { organizationId, click, headerLink } = await newMailingTenant('Paused Ltd');
    const before = await call('GET', click, { headers: asPerson });
    await operate(organizationId, { paused: true });

    const page = await call('GET', click, { headers: asPerson });
    const program = await call('GET', click);
    const leaving = await call('POST', headerLink);

    expect(before.headers.get('location')).toBe('https://phish.example/login?next=%2F');
    expect(page.status).toBe(200);
    expect(page.headers.get('location')).toBeNull();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toContain('<b><bdi>phish.example</bdi></b>');
    expect(page.text).toContain('>https://phish.example/login?next=%2F</p>');
    expect(program).toMatchObject({ status: 403, json: { code: 'link_held' } });
    expect(leaving).toMatchObject({ status: 200, json: { status: 'unsubscribed' } });
  });

  it('loses its links at once when the operator disables them, and nothing is recorded', async () => {
    const tenant = await newMailingTenant('Disabled Ltd');
    const { organizationId, click, pixel, headerLink, sendId } = tenant;
    const disabled = await operate(organizationId, { linksDisabled: true });

    const clicked = await call('GET', click, { headers: asPerson });
    const asked = await call('HEAD', click);
    const opened = await call('GET', pixel);
    const leaving = await call('GET', headerLink, { headers: asPerson });
    const events = await eventTypesOf(sendId, tenant.as);
    const audited = await call('GET', '/api/v1/audit?limit=1', { headers: tenant.as });
    await operate(organizationId, { linksDisabled: false });
    const again = await call('GET', click, { headers: asPerson });

    expect(disabled.json).toMatchObject({ linksDisabled: true });
    expect(clicked.status).toBe(404);
    expect(clicked.text).not.toContain('phish.example');
    expect(asked.status).toBe(404);
    expect(opened).toMatchObject({ status: 200 });
    expect(opened.headers.get('content-type')).toBe('image/gif');
    expect(leaving.status).toBe(200);
    expect(events).not.toContain('opened');
    expect(events).not.toContain('clicked');
    expect(audited.json).toMatchObject({
      data: [{ action: 'organization.updated', actor: 'operator', after: { linksDisabled: true } }],
    });
    expect(again.status).toBe(302);
  });

  it('leaves no redirect behind when it is deleted, and its recipients learn that it is gone', async () => {
    const { organizationId, click, pixel, headerLink, preferences } =
      await newMailingTenant('Gone Ltd');
    await call('DELETE', `/api/v1/organizations/${organizationId}?name=Gone%20Ltd`, {
      headers: asOperator,
    });

    const clicked = await call('GET', click);
    const opened = await call('GET', pixel);
    const leaving = await call('POST', headerLink);
    const pages = await Promise.all(
      [headerLink, preferences].map((path) => call('GET', path, { headers: asPerson })),
    );

    expect(clicked).toMatchObject({ status: 404, json: { code: 'link_withdrawn' } });
    expect(opened.status).toBe(200);
    expect(leaving).toMatchObject({ status: 200, json: { status: 'unsubscribed' } });
    expect(pages.map(({ status }) => status)).toEqual([410, 410]);
    expect(pages[0]?.text).toContain('You won’t get any more email from this sender');
  });
});

describe('a link domain', () => {
  /** A browser's request to another host, which `fetch` doesn't let its caller name. */
  const callAt = async (host: string, method: string, path: string, headers: object = {}) => {
    const { hostname, port } = new URL(baseUrl);
    const asked = request({ hostname, port, method, path, headers: { host, ...headers } });
    const answered = once(asked, 'response');
    asked.end();
    const [response] = z.tuple([z.instanceof(IncomingMessage)]).parse(await answered);
    const answer = await text(response);
    return { status: response.statusCode, location: response.headers.location, text: answer };
  };
  const linksOf = async (to: string) => {
    const emails = await readInbox(stack.inboxUrl);
    const email = emails.findLast(({ destination }) => destination.to.includes(to));
    return `${email?.body.html} ${email?.headers.map(({ value }) => value).join(' ')}`;
  };
  const send = (as: Readonly<Record<string, string>>, to: string) =>
    call('POST', '/api/v1/emails/send', {
      headers: as,
      body: {
        ...{ to, subject: 'Offer', content: 'Offer', policyKey: 'bulk' },
        htmlContent: '<a href="https://shop.example/">Shop</a>',
      },
    });
  const tokensOf = ({ click, pixel, headerLink, footerLink, preferences }: Tenant) =>
    [
      ['GET', click],
      ['HEAD', click],
      ['GET', pixel],
      ['GET', headerLink],
      ['POST', headerLink],
      ['GET', footerLink],
      ['GET', preferences],
      ['POST', preferences],
    ] as const;

  it('has all links of its organization, and earlier links keep working on all its hosts', async () => {
    const tenant = await newMailingTenant('Linked Ltd');
    const { organizationId, as, to } = tenant;
    const { port } = new URL(baseUrl);
    const set = await operate(organizationId, { linkDomain: 'linked.localhost' });
    await send(as, to);
    const links = await linksOf(to);
    const moved = await operate(organizationId, { linkDomain: 'moved.localhost' });
    const [, path = ''] = /linked\.localhost:\d+(\/t\/c\/[\w.-]+)/.exec(links) ?? [];

    const clicked = await Promise.all(
      ['linked.localhost', `moved.localhost:${port}`, `127.0.0.1:${port}`].map((host) =>
        callAt(host, 'GET', path),
      ),
    );
    const back = await operate(organizationId, { linkDomain: null });
    const settings = await call('GET', '/api/v1/organization', { headers: as });
    const audited = await call('GET', '/api/v1/audit?limit=1', { headers: as });

    expect(set.json).toMatchObject({ linkDomain: 'linked.localhost' });
    for (const link of ['/t/c/', '/t/o/', '/api/unsubscribe?token=', '/preferences?token=']) {
      expect(links).toContain(`http://linked.localhost:${port}${link}`);
    }
    expect(links).not.toContain(`${baseUrl}/`);
    expect(moved.json).toMatchObject({
      linkDomain: 'moved.localhost',
      formerLinkDomains: ['linked.localhost'],
    });
    expect(clicked.map(({ status, location }) => [status, location])).toEqual(
      clicked.map(() => [302, 'https://shop.example/']),
    );
    expect(back.json).toMatchObject({ formerLinkDomains: ['moved.localhost', 'linked.localhost'] });
    expect(settings.json).not.toHaveProperty('linkDomain');
    expect(audited.json).toMatchObject({
      data: [{ before: { linkDomain: 'moved.localhost' }, after: { linkDomain: null } }],
    });
  });

  it('serves no token of another organization, however the host is written, and counts none', async () => {
    const owner = await newMailingTenant('Owner Ltd');
    const other = await newMailingTenant('Other Ltd');
    await operate(owner.organizationId, { linkDomain: 'owner.localhost' });
    const hosts = ['owner.localhost', 'OWNER.localhost.', 'owner.localhost:80', 'nobody.localhost'];

    const foreign = await Promise.all(
      hosts.flatMap((host) =>
        tokensOf(other).map(([method, path]) =>
          callAt(host, method, path, { ...asPerson, 'x-forwarded-host': 'localhost' }),
        ),
      ),
    );
    const own = await Promise.all(
      tokensOf(owner).map(([method, path]) => callAt('owner.localhost', method, path)),
    );

    expect(new Set(foreign.map(({ status }) => status))).toEqual(new Set([404]));
    for (const { text: page } of foreign) expect(page).not.toMatch(/phish\.example|Other Ltd/);
    expect(own.map(({ status }) => status)).not.toContain(404);
    expect(await eventTypesOf(other.sendId, other.as)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/clicked|opened|unsubscribed/)]),
    );
  });

  it('has no API, console or documents, and unsubscribes nobody by address alone', async () => {
    const { organizationId, as, to } = await newMailingTenant('Narrow Ltd');
    await operate(organizationId, { linkDomain: 'narrow.localhost' });
    const at = (method: string, path: string, headers: object = {}) =>
      callAt('narrow.localhost', method, path, { ...as, ...headers });

    const answers = await Promise.all([
      ...['/nothing', '/console', '/docs', '/openapi.json', '/api/v1/organization'].map((path) =>
        at('GET', path),
      ),
      at('GET', `/api/v1/preferences?email=${encodeURIComponent(to)}`),
      at('GET', '/notices/confirmation?token=x'),
      at('POST', '/api/unsubscribe'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });

  it('asks before it redirects while its organization is paused', async () => {
    const { organizationId, click } = await newMailingTenant('Slow Ltd');
    await operate(organizationId, { linkDomain: 'slow.localhost', paused: true });

    const page = await callAt('slow.localhost', 'GET', click, asPerson);

    expect(page).toMatchObject({ status: 200, location: undefined });
    expect(page.text).toContain('<b><bdi>phish.example</bdi></b>');
  });

  it('belongs to one organization at a time, until that gives it back or is deleted', async () => {
    const first = await newMailingTenant('First Ltd');
    const second = await newTenant('Second Ltd');
    const third = await newTenant('Third Ltd');
    const change = { linkDomain: 'one.localhost' };
    await operate(first.organizationId, change);
    const taken = await operate(second.organizationId, change);
    await operate(first.organizationId, { linkDomain: null });
    const stillTaken = await operate(second.organizationId, change);
    await operate(first.organizationId, { formerLinkDomains: [] });
    const [one, other] = await Promise.all(
      [second, third].map(({ organizationId }) => operate(organizationId, change)),
    );
    const winner = one?.status === 200 ? second : third;
    const loser = winner === second ? third : second;
    const old = await callAt('one.localhost', 'GET', first.click);
    const name = winner === second ? 'Second%20Ltd' : 'Third%20Ltd';
    await call('DELETE', `/api/v1/organizations/${winner.organizationId}?name=${name}`, {
      headers: asOperator,
    });
    const last = await operate(loser.organizationId, change);

    for (const refused of [taken, stillTaken]) {
      expect(refused).toMatchObject({ status: 409, json: { code: 'link_domain_taken' } });
    }
    expect([one?.status, other?.status].toSorted()).toEqual([200, 409]);
    expect(old.status).toBe(404);
    expect(last.status).toBe(200);
  });

  it.each([
    [{ linkDomain: 'links.example.com' }, 'linkDomain'],
    [{ linkDomain: 'a.b.localhost' }, 'linkDomain'],
    [{ linkDomain: 'localhost' }, 'linkDomain'],
    [{ linkDomain: '' }, 'linkDomain'],
    [{ formerLinkDomains: ['never.localhost'] }, 'formerLinkDomains'],
  ])(
    'is refused when it is not the deployment’s, or never was the organization’s: %j',
    async (body, field) => {
      const { organizationId } = await newTenant('Wishful Ltd');

      const refused = await operate(organizationId, body);

      expect(refused).toMatchObject({ status: 400, json: { code: 'validation_failed' } });
      expect(refused.text).toContain(field);
    },
  );

  it("can't be chosen by its organization", async () => {
    const { as } = await newTenant('Eager Ltd');

    const refused = await call('PATCH', '/api/v1/organization', {
      headers: as,
      body: { linkDomain: 'eager.localhost' },
    });

    expect(refused.status).toBe(400);
  });
});

// Suppressions, SES's lists, contacts.

describe("SES's own lists", () => {
  const ses = new SESv2Client({
    endpoint: stack.endpoints.sesv2,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const asOwner = bearer(manageKey);
  const listAtSes = (EmailAddress: string) =>
    ses.send(new PutSuppressedDestinationCommand({ EmailAddress, Reason: 'BOUNCE' }));

  const send = async (to: string, fields: object = {}) => {
    const { json } = await call('POST', '/api/v1/emails/send', {
      headers: asOwner,
      body: { to, subject: 'Your receipt', content: 'Thank you', ...fields },
    });
    return z
      .looseObject({ sendId: z.string(), status: z.string(), messageId: z.optional(z.string()) })
      .parse(json);
  };
  const bouncesOf = async (sendId: string) => {
    const { json } = await call('GET', `/api/v1/sends/${sendId}`, { headers: asOwner });
    const { events } = z
      .object({
        events: z.array(z.looseObject({ type: z.string(), reason: z.optional(z.string()) })),
      })
      .parse(json);
    return events.filter(({ type }) => type === 'bounced').map(({ reason }) => reason);
  };
  const report = (
    type: SesEventType,
    { sendId, messageId }: { sendId: string; messageId?: string | undefined },
    destination: readonly string[],
    details: object,
  ) =>
    call('POST', '/_local/provider-events', {
      body: buildSesEvent(type, {
        mail: buildSesMail({ messageId, destination, tags: tagsOf(sendId) }),
        ...details,
      }),
    });
  const suppressionsOf = async (email: string) => {
    const { json } = await call('GET', `/api/v1/recipients/${email}`, { headers: asOwner });
    return z.looseObject({ suppressions: z.array(z.unknown()) }).parse(json).suppressions;
  };

  it('reveal nothing to a tenant about an address that it only imported, and stay unchanged when it lifts that', async () => {
    const thief = await newTenant('Curious Ltd');
    const ann = 'ann.of.others@example.com';
    await listAtSes(ann);
    await fetch(`${baseUrl}/api/v1/suppressions/import?reason=bounce`, {
      method: 'POST',
      headers: { ...thief.as, 'content-type': 'text/csv' },
      body: `email\n${ann}\n`,
    });

    const explained = await call('GET', `/api/v1/recipients/${ann}`, { headers: thief.as });
    const lifted = await call('DELETE', `/api/v1/suppressions/${ann}`, { headers: thief.as });
    const { SuppressedDestination } = await ses.send(
      new GetSuppressedDestinationCommand({ EmailAddress: ann }),
    );

    expect(explained.json).toMatchObject({ providerList: { state: 'not_shown' } });
    expect(explained.text).not.toContain('The address is on Amazon SES’s own suppression list');
    expect(lifted.json).toMatchObject({ lifted: ['bounce'], providerList: 'untouched' });
    expect(SuppressedDestination).toMatchObject({ EmailAddress: ann });
  });

  it("hold one email back, but suppress no address, after another organization's bounce", async () => {
    const bob = 'bob.of.others@example.com';
    await listAtSes(bob);
    await call('POST', '/_local/ses', {
      body: { configurationSet: { suppressedReasons: ['BOUNCE'] } },
    });

    const { sendId } = await send(bob);
    await expect.poll(() => bouncesOf(sendId), patience).toEqual(['provider_suppressed']);
    await call('POST', '/_local/ses', { body: { configurationSet: { suppressedReasons: [] } } });
    const next = await send(bob);

    expect(next.status).toBe('sent');
    expect(await suppressionsOf(bob)).toEqual([]);
  });

  it("don't suppress an address because of a guess by Auto Validation", async () => {
    const cleo = 'cleo@example.com';
    const sent = await send(cleo);

    await report('Bounce', sent, [cleo], {
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'EmailValidationSuppressed',
        bouncedRecipients: [{ emailAddress: cleo }],
        timestamp: new Date().toISOString(),
      },
    });

    expect(await bouncesOf(sent.sendId)).toEqual(['address_guess']);
    expect((await send(cleo)).status).toBe('sent');
    expect(await suppressionsOf(cleo)).toEqual([]);
  });

  it("don't block password resets when one of several recipients complains", async () => {
    const [dora, emil] = ['dora@example.com', 'emil@example.com'];
    const sent = await send(dora, { cc: emil });

    await report('Complaint', sent, [dora, emil], {
      complaint: {
        complainedRecipients: [{ emailAddress: dora }, { emailAddress: emil }],
        complaintFeedbackType: 'abuse',
        timestamp: new Date().toISOString(),
      },
    });
    const resets = [await send(dora), await send(emil)];
    const news = [await send(dora, { policyKey: 'bulk' }), await send(emil, { policyKey: 'bulk' })];

    expect(resets.map(({ status }) => status)).toEqual(['sent', 'sent']);
    expect(news.map(({ status }) => status)).toEqual(['suppressed', 'suppressed']);
    expect(await suppressionsOf(emil)).toMatchObject([{ reason: 'complaint', possible: true }]);
  });

  it("don't block an address that a recipient names in a forged bounce", async () => {
    const [mallory, victim] = ['mallory@evil.example', 'ceo@customer.example'];
    const sent = await send(mallory);

    await report('Bounce', sent, [mallory], {
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [{ emailAddress: victim }],
        timestamp: new Date().toISOString(),
      },
    });

    expect((await send(victim)).status).toBe('sent');
    expect(await suppressionsOf(victim)).toEqual([]);
  });
});

describe('an import', () => {
  it('runs one at a time per tenant, even though its keys can make any number of requests', async () => {
    const tenant = await newTenant('Bulk Ltd');
    const rows = Array.from({ length: 400 }, (_, index) => `p${index}@example.com`);
    const body = ['email', ...rows].join('\n');
    const importAll = async () => {
      const answer = await fetch(`${baseUrl}/api/v1/suppressions/import?reason=bounce`, {
        method: 'POST',
        headers: { ...tenant.as, 'content-type': 'text/csv' },
        body,
      });
      const json: unknown = await answer.json();
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), json };
    };
    const startedAt = Date.now();

    const answers = await Promise.all([importAll(), importAll(), importAll()]);

    const byStatus = answers.toSorted((one, other) => one.status - other.status);
    // 200 rows a second, so that an import leaves capacity for everybody's sends.
    expect(Date.now() - startedAt).toBeGreaterThan(900);
    expect(byStatus).toMatchObject([
      { status: 200, json: { imported: 400, isComplete: true } },
      { status: 409, json: { code: 'import_in_progress' } },
      { status: 409, json: { code: 'import_in_progress' } },
    ]);
    expect(Number(byStatus[1]?.retryAfter)).toBeGreaterThan(0);
  });
});

// Domains.

describe('a domain', () => {
  const identityPath = '/api/v1/organization/identity';
  const identityShape = z.object({
    status: z.string(),
    zoneFile: z.string(),
    sendingAs: z.nullable(z.object({ domain: z.string() })),
  });
  const publish = (zoneFile: string) =>
    fetch(`${baseUrl}/_local/dns`, { method: 'POST', body: zoneFile });
  const linesOf = (zoneFile: string, kind: RegExp) =>
    zoneFile
      .split('\n')
      .filter((line) => kind.test(line))
      .join('\n');

  async function setDomain(as: Readonly<Record<string, string>>, domain: string) {
    const body = { domain, fromEmail: `hello@${domain}` };
    const answer = await call('PUT', identityPath, { headers: as, body });
    expect(answer.status).toBe(200);
    return identityShape.parse(answer.json);
  }
  const viewOf = async (as: Readonly<Record<string, string>>) =>
    identityShape.parse((await call('GET', identityPath, { headers: as })).json);

  it("stays its owner’s when another tenant sets it repeatedly, and that tenant doesn't learn that it has an owner", async () => {
    const owner = await newTenant('Owner Ltd');
    const squatter = await newTenant('Squatter Ltd');
    const { zoneFile } = await setDomain(owner.as, 'mail.owned.example');
    await publish(zoneFile);
    const before = await viewOf(owner.as);

    const first = await call('PUT', identityPath, {
      headers: squatter.as,
      body: { domain: 'mail.owned.example', fromEmail: 'hello@mail.owned.example' },
    });
    await setDomain(squatter.as, 'mail.owned.example');

    expect(before.status).toBe('active');
    expect(first).toMatchObject({ status: 200, json: { status: 'pending', sendingAs: null } });
    expect(first.text).not.toContain(owner.organizationId);
    expect((await viewOf(squatter.as)).status).toBe('pending');
    expect((await viewOf(owner.as)).status).toBe('active');
  });

  it('that a squatter set first goes to its owner, who alone can write its DNS', async () => {
    const squatter = await newTenant('Squatter Ltd');
    const owner = await newTenant('Owner Ltd');
    await setDomain(squatter.as, 'mail.squatted.example');
    const { zoneFile } = await setDomain(owner.as, 'mail.squatted.example');

    await publish(zoneFile);

    expect((await viewOf(squatter.as)).status).toBe('pending');
    expect(await viewOf(owner.as)).toMatchObject({
      status: 'active',
      sendingAs: { domain: 'mail.squatted.example' },
    });
  });

  it("can't be taken by the DKIM records that its last owner left in DNS", async () => {
    const leaver = await newTenant('Leaver Ltd');
    const thief = await newTenant('Thief Ltd');
    await publish((await setDomain(leaver.as, 'mail.left.example')).zoneFile);
    await viewOf(leaver.as);
    await call('DELETE', identityPath, { headers: leaver.as });

    const { zoneFile } = await setDomain(thief.as, 'mail.left.example');
    await publish(linesOf(zoneFile, / CNAME /));

    expect((await viewOf(thief.as)).status).toBe('pending');
  });

  it("can be changed at most 20 times an hour, so that no tenant uses up everyone's SES calls", async () => {
    const { as } = await newTenant('Busy Ltd');
    const answers: number[] = [];

    // Of 41 requests, at least 21 fall into one hour, even if a new hour starts in between.
    for (let count = 0; count < 41 && answers.at(-1) !== 429; count += 1) {
      const { status } = await call('PUT', identityPath, {
        headers: as,
        body: { domain: 'mail.busy.example', fromEmail: 'hello@mail.busy.example' },
      });
      answers.push(status);
    }
    const refused = await call('DELETE', identityPath, { headers: as });

    expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.at(-1)).toBe(429);
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

// Limits that the operator sets.

describe('a tenant with limits set by the operator', () => {
  const bound = (organizationId: string, limits: Readonly<Record<string, number | null>>) =>
    call('PATCH', `/api/v1/organizations/${organizationId}`, {
      headers: asOperator,
      body: { limits },
    });
  const createKey = (as: Readonly<Record<string, string>>) =>
    call('POST', '/api/v1/api-keys', { headers: as, body: { name: 'one more' } });

  it("can't create more keys than allowed, even by rotating", async () => {
    const tenant = await newTenant('Keys Ltd');
    await bound(tenant.organizationId, { apiKeys: 2 });

    const first = await createKey(tenant.as);
    const second = await createKey(tenant.as);

    expect(first.status).toBe(201);
    expect(second).toMatchObject({ status: 409, json: { code: 'too_many_api_keys' } });
  });

  it('can’t raise its own limits', async () => {
    const tenant = await newTenant('Greedy Ltd');

    const asManager = await call('PATCH', '/api/v1/organization', {
      headers: tenant.as,
      body: { limits: { apiKeys: 900 } },
    });
    const asOther = await call('PATCH', `/api/v1/organizations/${tenant.organizationId}`, {
      headers: tenant.as,
      body: { limits: { apiKeys: 900 } },
    });

    expect([asManager.status, asOther.status]).toEqual([400, 401]);
  });

  it("can't store more templates and webhooks than allowed, and the operator sees how many", async () => {
    const tenant = await newTenant('Templates Ltd');
    await bound(tenant.organizationId, { templates: 1, webhooks: 1 });
    const template = (name: string) =>
      call('POST', '/api/v1/templates', {
        headers: tenant.as,
        body: { name, subject: 'Hi', content: 'Hi' },
      });
    const webhook = (url: string) =>
      call('POST', '/api/v1/webhooks', { headers: tenant.as, body: { url } });

    const made = [await template('one'), await webhook('https://example.com/one')];
    const refused = [await template('two'), await webhook('https://example.com/two')];
    const shown = await call('GET', `/api/v1/organizations/${tenant.organizationId}`, {
      headers: asOperator,
    });

    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(refused).toMatchObject([
      { status: 409, json: { code: 'too_many_templates' } },
      { status: 409, json: { code: 'too_many_webhooks' } },
    ]);
    expect(shown.json).toMatchObject({
      limits: { templates: { limit: 1, isDefault: false }, apiKeys: { isDefault: true } },
      use: { templates: 1, webhooks: 1, apiKeys: 1 },
    });
  });
});

describe('a tenant that uploads', () => {
  it('gets upload tickets for at most its daily bytes, even with concurrent requests', async () => {
    const tenant = await newTenant('Uploads Ltd');
    const path = `/api/v1/organizations/${tenant.organizationId}`;
    const body = { attachmentsEnabled: true, limits: { uploadBytesPerDay: 100 } };
    await call('PATCH', path, { headers: asOperator, body });
    const upload = (size: number) =>
      call('POST', '/api/v1/attachments', {
        headers: tenant.as,
        body: { filename: 'a.pdf', size },
      });

    const answers = await Promise.all(Array.from({ length: 12 }, () => upload(30)));
    const rest = [await upload(10), await upload(1), await upload(101)];
    const shown = await call('GET', path, { headers: asOperator });

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused).toMatchObject({ status: 429, json: { code: 'upload_limit_reached' } });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rest.map(({ status }) => status)).toEqual([201, 429, 413]);
    expect(shown.json).toMatchObject({
      limits: { uploadBytesPerDay: { limit: 100, isDefault: false } },
      use: { uploadBytesPerDay: 100 },
    });
  });
});

describe('a tenant that changes things', () => {
  it('makes at most its daily number of changes, and can still revoke a key', async () => {
    const tenant = await newTenant('Changes Ltd');
    const path = `/api/v1/organizations/${tenant.organizationId}`;
    await call('PATCH', path, { headers: asOperator, body: { limits: { changesPerDay: 3 } } });
    const create = () =>
      call('POST', '/api/v1/api-keys', { headers: tenant.as, body: { name: 'one more' } });

    const answers = await Promise.all(Array.from({ length: 8 }, create));
    const created = answers.find(({ status }) => status === 201)?.json;
    const { id } = z.object({ id: z.string() }).parse(created);
    const wrong = await call('POST', '/api/v1/api-keys', { headers: tenant.as, body: {} });
    const revoked = await call('DELETE', `/api/v1/api-keys/${id}`, {
      headers: tenant.as,
    });
    const shown = await call('GET', path, { headers: asOperator });

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused).toMatchObject({ status: 429, json: { code: 'change_limit_reached' } });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(wrong.status).toBe(400);
    expect(revoked.status).toBe(204);
    expect(shown.json).toMatchObject({
      limits: { changesPerDay: { limit: 3, isDefault: false } },
      use: { changesPerDay: 3 },
    });
  });

  it('moves at most its daily number of test emails, and its real changes count separately', async () => {
    const tenant = await newTenant('Moves Ltd');
    const path = `/api/v1/organizations/${tenant.organizationId}`;
    await call('PATCH', path, { headers: asOperator, body: { limits: { changesPerDay: 3 } } });
    const create = () =>
      call('POST', '/api/v1/api-keys', { headers: tenant.as, body: { name: 'tests', test: true } });
    const { key } = z.object({ key: z.string() }).parse((await create()).json);
    const sent = await call('POST', '/api/v1/emails/send', {
      headers: bearer(key),
      body: { to: 'ann@example.com', subject: 'Hi', content: 'Hi', sendAt: Date.now() + 3_600_000 },
    });
    const { sendId } = z.object({ sendId: z.string() }).parse(sent.json);

    const statuses: number[] = [];
    for (let minute = 1; minute <= 5; minute += 1) {
      const body = { sendAt: Date.now() + minute * 60_000 };
      const moved = await call('PATCH', `/api/v1/sends/${sendId}`, { headers: bearer(key), body });
      statuses.push(moved.status);
    }
    const real = [await create(), await create(), await create()];

    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(real.map(({ status }) => status)).toEqual([201, 201, 429]);
  });

  it('requests at most its daily number of webhook messages, even when its changes are used up as well', async () => {
    const tenant = await newTenant('Cannon Ltd');
    const path = `/api/v1/organizations/${tenant.organizationId}`;
    const limits = { requestedDeliveriesPerDay: 2, changesPerDay: 1 };
    await call('PATCH', path, { headers: asOperator, body: { limits } });
    const made = await call('POST', '/api/v1/webhooks', {
      headers: tenant.as,
      body: { url: 'https://hooks.example.com/' },
    });
    const { id } = z.object({ id: z.string() }).parse(made.json);
    const test = () => call('POST', `/api/v1/webhooks/${id}/test`, { headers: tenant.as });
    const first = z.object({ id: z.string() }).parse((await test()).json);
    const redelivery = `/api/v1/webhooks/deliveries/${first.id}/redeliver`;

    const repeated = await call('POST', redelivery, { headers: tenant.as });
    const beyond = [await test(), await call('POST', redelivery, { headers: tenant.as })];

    expect(repeated.status).toBe(202);
    const refusal = { status: 429, json: { code: 'delivery_limit_reached' } };
    expect(beyond).toMatchObject([refusal, refusal]);
    expect(Number(beyond[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('makes at most its daily number of sign-in links, and can still sign in with its key', async () => {
    const tenant = await newTenant('Links Ltd');
    const path = `/api/v1/organizations/${tenant.organizationId}`;
    await call('PATCH', path, { headers: asOperator, body: { limits: { signInLinksPerDay: 1 } } });
    const link = () => call('POST', '/console/links', { headers: tenant.as });

    const links = [await link(), await link()];
    const session = await call('POST', '/console/session', {
      headers: { origin: baseUrl },
      body: { key: tenant.key },
    });

    expect(links).toMatchObject([
      { status: 201 },
      { status: 429, json: { code: 'sign_in_link_limit_reached' } },
    ]);
    expect(session.status).toBeLessThan(300);
  });

  it('imports at most its daily number of addresses', async () => {
    const tenant = await newTenant('Contacts Ltd');
    const path = `/api/v1/organizations/${tenant.organizationId}`;
    await call('PATCH', path, { headers: asOperator, body: { limits: { contactsPerDay: 3 } } });
    const addresses = (...names: readonly string[]) =>
      ['email,reason', ...names.map((name) => `${name}@example.com,bounce`), ''].join('\n');
    const importFile = (body: string) =>
      call('POST', '/api/v1/suppressions/import', {
        headers: { ...tenant.as, 'content-type': 'text/csv' },
        body,
      });

    const whole = await importFile(addresses('ann', 'ben', 'cy', 'dee'));
    const two = await importFile(addresses('ann', 'ben'));
    const oneMore = await importFile(addresses('cy'));
    const twoMore = await importFile(addresses('cy', 'dee'));
    const shown = await call('GET', path, { headers: asOperator });

    expect(whole).toMatchObject({ status: 429, json: { code: 'contact_limit_reached' } });
    expect(two).toMatchObject({ status: 200, json: { imported: 2 } });
    expect([oneMore.status, twoMore.status]).toEqual([200, 429]);
    expect(shown.json).toMatchObject({ use: { contactsPerDay: 3 } });
  });

  it('unsubscribes at most its daily number of addresses', async () => {
    const tenant = await newTenant('Unsubscribers Ltd');
    const path = `/api/v1/organizations/${tenant.organizationId}`;
    await call('PATCH', path, { headers: asOperator, body: { limits: { contactsPerDay: 1 } } });
    const unsubscribe = (email: string) =>
      call('POST', '/api/unsubscribe', { headers: tenant.as, body: { email } });

    const first = await unsubscribe('ann@example.com');
    const second = await unsubscribe('ben@example.com');
    const shown = await call('GET', '/api/v1/suppressions', { headers: tenant.as });

    expect(first.status).toBe(200);
    expect(second).toMatchObject({ status: 429, json: { code: 'contact_limit_reached' } });
    expect(shown.json).toMatchObject({ data: [{ email: 'ann@example.com' }] });
  });
});

describe('files behind a URL that never answers', () => {
  it("occupy at most a tenant's share of executions, and other emails are sent in between", async () => {
    const enable = { headers: asOperator, body: { attachmentsEnabled: true } };
    await call('PATCH', `/api/v1/organizations/${stack.organizationId}`, enable);
    const { promise: allAsked, resolve: noteAllAsked } = Promise.withResolvers<void>();
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      if (asked === 3) noteAllAsked();
      if (asked > 3) response.end('quick');
    });
    const { url, stop } = await listen(server, 0);
    onTestFinished(stop);
    const send = (fields: object = {}) =>
      call('POST', '/api/v1/emails/send', {
        headers: bearer(stack.apiKey),
        body: { to: 'ann@example.com', subject: 'Hi', content: 'Hi', ...fields },
      });
    const sendFile = () => send({ attachments: [{ filename: 'a.txt', url: `${url}/a` }] });

    const hanging = [sendFile(), sendFile(), sendFile()];
    await allAsked;
    const plain = await send();
    const first = await Promise.race(hanging);
    const another = await sendFile();
    server.closeAllConnections();
    const statuses = (await Promise.all(hanging)).map(({ status }) => status);
    const afterwards = await sendFile();

    expect(plain.status).toBe(200);
    expect(first).toMatchObject({ status: 429, json: { code: 'slow_fetch_limit_reached' } });
    expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
    // Now a lease is needed before the first byte.
    expect(another).toMatchObject({ status: 429, json: { code: 'slow_fetch_limit_reached' } });
    expect(asked).toBe(4);
    expect(statuses.toSorted()).toEqual([422, 422, 429]);
    expect(afterwards.status).toBe(200);
  });
});

describe('a tenant that sends', () => {
  const { organizationId } = stack;
  const mail = (to: string) =>
    call('POST', '/api/v1/emails/send', {
      headers: bearer(stack.apiKey),
      body: { to, subject: 'Hi', content: 'Hi' },
    });
  const bound = (limits: Readonly<Record<string, number | null>>) =>
    call('PATCH', `/api/v1/organizations/${organizationId}`, {
      headers: asOperator,
      body: { limits },
    });

  it('is stopped seconds after it exceeds its daily recipients, until the operator raises the limit', async () => {
    await bound({ recipientsPerDay: 1 });
    await mail('ann@example.com');

    const refused = await vi.waitFor(async () => {
      const answer = await mail('bob@example.com');
      expect(answer.status).toBe(429);
      return answer;
    }, patience);
    await bound({ recipientsPerDay: null });
    const allowed = await mail('cy@example.com');

    expect(refused.json).toMatchObject({ code: 'daily_recipients_exhausted' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(allowed.status).toBe(200);
  });

  it("can't exceed its rate per second, over all of its keys together", async () => {
    await bound({ sendsPerSecond: 1 });

    const beganAt = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => mail(`burst${index}@example.com`)),
    );
    // Ten seconds' worth for each ten-second period that they overlapped.
    const windows = Math.floor(Date.now() / 10_000) - Math.floor(beganAt / 10_000) + 1;
    await bound({ sendsPerSecond: null });

    const taken = answers.filter(({ status }) => status === 200);
    expect(taken.length).toBeGreaterThanOrEqual(10);
    expect(taken.length).toBeLessThanOrEqual(10 * windows);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 429, json: { code: 'organization_rate_limited' } });
    }
  });
});

describe('a tenant that schedules emails', () => {
  it('stores at most its daily bytes, even with concurrent requests, and can still send at once', async () => {
    const { organizationId } = stack;
    const path = `/api/v1/organizations/${organizationId}`;
    const bound = (waitingBytesPerDay: number | null) =>
      call('PATCH', path, { headers: asOperator, body: { limits: { waitingBytesPerDay } } });
    const later = { to: 'ann@example.com', subject: 'Hi', content: 'Hi', sendAt: Date.now() + 9e8 };
    const store = (idempotencyKey: string, more = {}) =>
      call('POST', '/api/v1/emails/send', {
        headers: { ...bearer(stack.apiKey), 'idempotency-key': idempotencyKey },
        body: { ...later, ...more },
      });
    const size = Buffer.byteLength(JSON.stringify(later));
    const before = await call('GET', path, { headers: asOperator });
    const { use } = z.object({ use: z.object({ waitingBytesPerDay: z.int() }) }).parse(before.json);
    await bound(use.waitingBytesPerDay + 3 * size);

    const keys = Array.from({ length: 12 }, (_, index) => `later-${index}`);
    const answers = await Promise.all(keys.map((key) => store(key)));
    const again = await Promise.all(
      keys.filter((_, index) => answers[index]?.status === 202).map((key) => store(key)),
    );
    const large = await store('later-large', {
      content: 'x'.repeat(use.waitingBytesPerDay + 4 * size),
    });
    const atOnce = await store('now', { sendAt: undefined });
    const shown = await call('GET', path, { headers: asOperator });
    await bound(null);

    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    const refused = answers.find(({ status }) => status !== 202);
    expect(refused).toMatchObject({ status: 429, json: { code: 'waiting_limit_reached' } });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(again).toMatchObject(again.map(() => ({ status: 202, json: { reused: true } })));
    expect(large).toMatchObject({ status: 413, json: { code: 'too_large' } });
    expect(atOnce.status).toBe(200);
    expect(shown.json).toMatchObject({
      use: { waitingBytesPerDay: use.waitingBytesPerDay + 3 * size },
    });
  });
});

describe("an email's recipients", () => {
  const people = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@example.com`);
  const mail = (key: string, bcc: readonly string[], idempotencyKey: string) =>
    call('POST', '/api/v1/emails/send', {
      headers: { ...bearer(key), 'idempotency-key': idempotencyKey },
      body: { to: 'ann@example.com', bcc, subject: 'Hi', content: 'Hi' },
    });
  const newKey = async (caps: { readonly dailyCap?: number; readonly perMinuteCap?: number }) => {
    const body = { name: 'capped', scopes: ['send_email'], ...caps };
    const { json } = await call('POST', '/api/v1/api-keys', { headers: bearer(manageKey), body });
    return z.object({ key: z.string() }).parse(json).key;
  };

  it('count towards a daily cap, so a key capped at one a day reaches nobody by bcc', async () => {
    const key = await newKey({ dailyCap: 1 });

    const answer = await mail(key, people(49), 'hostile-bcc-1');

    expect(answer).toMatchObject({ status: 400, json: { code: 'recipients_exceed_cap' } });
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  it('count towards the cap per minute, which its headers show', async () => {
    const key = await newKey({ dailyCap: 100, perMinuteCap: 60 });

    const first = await mail(key, people(39), 'hostile-bcc-2');
    // Of three requests, at least two fall into one minute, even if a new minute starts in between.
    const others = [
      await mail(key, people(39), 'hostile-bcc-3'),
      await mail(key, people(39), 'hostile-bcc-4'),
    ];

    const refused = others.find(({ status }) => status !== 200);
    expect(first.status).toBe(200);
    expect(first.headers.get('x-ratelimit-remaining')).toBe('20');
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    // A refused request counts as one.
    expect(refused?.headers.get('x-ratelimit-remaining')).toBe('19');
  });
});

// Sessions and keyless reading.

/** Signs in as a browser does, and returns the cookie. */
async function signIn(credential: { readonly key: string } | { readonly link: string }) {
  const answer = await call('POST', '/console/session', { body: credential });
  return cookieOf(answer);
}

const cookieOf = ({ headers }: { readonly headers: Headers }): string =>
  headers.get('set-cookie')?.split(';')[0] ?? 'no cookie';
const withCookie = (cookie: string) => ({ cookie, origin: baseUrl });

describe('a stolen session', () => {
  const newKey = { name: 'backdoor', scopes: ['manage_organization'] };

  it('can’t turn itself into a key that outlasts it', async () => {
    const { as } = await newTenant('Copied Ltd');
    const { json } = await call('POST', '/console/links', { headers: as });
    const link = z.object({ path: z.string() }).parse(json).path.split('#')[1] ?? '';
    const headers = withCookie(await signIn({ link }));

    const made = await call('POST', '/api/v1/api-keys', { headers, body: newKey });
    const link2 = await call('POST', '/console/links', { headers });

    expect(made).toMatchObject({ status: 403, json: { code: 'key_confirmation_required' } });
    expect(link2).toMatchObject({ status: 401, json: { code: 'invalid_api_key' } });
  });

  it("creates nothing that sends data out after it has ended, and can't export", async () => {
    const { as } = await newTenant('Leaky Ltd');
    const { json } = await call('POST', '/console/links', { headers: as });
    const link = z.object({ path: z.string() }).parse(json).path.split('#')[1] ?? '';
    const headers = withCookie(await signIn({ link }));
    const url = 'https://evil.example/hook';
    const made = await call('POST', '/api/v1/webhooks', { headers: as, body: { url } });
    const { id } = z.object({ id: z.string() }).parse(made.json);
    const asks: readonly (readonly [string, string, unknown?])[] = [
      ['POST', '/api/v1/webhooks', { url }],
      ['PATCH', `/api/v1/webhooks/${id}`, { url }],
      ['POST', `/api/v1/webhooks/${id}/rotate-secret`],
      ['PATCH', '/api/v1/organization', { replyTo: 'eve@evil.example' }],
      ['PATCH', '/api/v1/organization', { unsubscribePageUrl: 'https://evil.example' }],
      ['PATCH', '/api/v1/organization', { name: 'Leaky', noticeEmail: null }],
      ['PATCH', '/api/v1/organization', { keylessReading: true }],
      ['GET', '/api/v1/suppressions/export'],
      ['GET', '/api/v1/sends/export'],
      ['GET', '/api/v1/audit/export'],
    ];

    const answers: unknown[] = [];
    for (const [method, path, body] of asks) {
      answers.push(
        (await call(method, path, { headers, ...(body !== undefined && { body }) })).json,
      );
    }
    const harmless = await call('PATCH', '/api/v1/organization', {
      headers,
      body: { footerText: 'Mine' },
    });
    const disabled = await call('PATCH', `/api/v1/webhooks/${id}`, {
      headers,
      body: { enabled: false },
    });

    expect(answers).toMatchObject(asks.map(() => ({ code: 'key_confirmation_required' })));
    expect([harmless.status, disabled.status]).toEqual([200, 200]);
  });

  it('ends when its owner shows the key', async () => {
    const { key } = await newTenant('Careful Ltd');
    const copied = withCookie(await signIn({ key }));

    const confirmed = await call('POST', '/console/session/confirm', {
      headers: copied,
      body: { key },
    });
    const owner = withCookie(cookieOf(confirmed));
    const byOwner = await call('POST', '/api/v1/api-keys', { headers: owner, body: newKey });
    const byThief = await call('POST', '/api/v1/api-keys', { headers: copied, body: newKey });

    expect([confirmed.status, byOwner.status, byThief.status]).toEqual([200, 201, 401]);
  });

  it('leaves traces in the audit: sign-ins, exports and changes name the session', async () => {
    const { key, as } = await newTenant('Watched Ltd');
    const headers = withCookie(await signIn({ key }));
    await call('GET', '/api/v1/suppressions/export', { headers });
    await call('POST', '/api/v1/categories', { headers, body: { key: 'news', name: 'News' } });
    await call('DELETE', '/console/session', { headers });

    const { json } = await call('GET', '/api/v1/audit', { headers: as });

    const entry = z.object({ action: z.string(), session: z.optional(z.string()) });
    const { data } = z.object({ data: z.array(entry) }).parse(json);
    const inSession = data.filter(({ session }) => session !== undefined);
    expect(inSession.map(({ action }) => action)).toEqual([
      'session.ended',
      'category.created',
      'suppressions.exported',
      'session.started',
    ]);
    expect(new Set(inSession.map(({ session }) => session)).size).toBe(1);
  });
});

describe('a sign-in link to a stranger’s console', () => {
  it('names the organization it opens before it is used', async () => {
    const { as } = await newTenant('Phisher Ltd');
    const { json } = await call('POST', '/console/links', { headers: as });
    const link = z.object({ path: z.string() }).parse(json).path.split('#')[1] ?? '';

    const looked = await call('POST', '/console/links/look', { body: { link } });

    expect(looked).toMatchObject({ status: 200, json: { organization: { name: 'Phisher Ltd' } } });
    expect(await signIn({ link })).toMatch(/^session=ess_/);
  });
});

describe('someone who finds a send id in a log', () => {
  const newSend = async () => {
    const { json } = await call('POST', '/api/v1/emails/send', {
      headers: bearer(stack.apiKey),
      body: { to: 'ann@example.com', subject: 'Hi', content: 'Hi' },
    });
    return z.object({ sendId: z.string() }).parse(json).sendId;
  };
  const setKeylessReading = (keylessReading: boolean) =>
    call('PATCH', '/api/v1/organization', {
      headers: bearer(manageKey),
      body: { keylessReading },
    });

  it('reads nothing with it until the organization turns that on, while the key that made the send does', async () => {
    const path = `/api/v1/sends/${await newSend()}`;
    const finder = await call('GET', path);
    const maker = await call('GET', path, { headers: bearer(stack.apiKey) });

    await setKeylessReading(true);
    onTestFinished(async () => {
      await setKeylessReading(false);
    });
    const after = await call('GET', path);

    expect(after.status).toBe(200);
    expect(finder).toMatchObject({ status: 401, json: { code: 'invalid_api_key' } });
    expect(finder.text).not.toContain('ann@example.com');
    expect(maker.status).toBe(200);
  });
});
