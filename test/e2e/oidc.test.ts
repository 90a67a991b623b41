import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';
import { setEnvironment } from '../../infra/local/environment.ts';
import { roleRulesFor } from '../../infra/local/issuer.ts';
import { openBrowser } from '../support/issuer-browser.ts';
import { useTwinWithIssuer } from '../support/twin.ts';

// People sign in with an issuer that is certified for OpenID Connect (oidc-provider). SECURITY.md names what it's
// tried with in hostile-oidc.test.ts.

const { description: stack, issuer } = await useTwinWithIssuer();
if (issuer === undefined) throw new Error('There is no issuer');
const { baseUrl, organizationId } = stack;
const { accounts } = issuer;

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${stack.manageKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, json };
}

const otherSchema = z.object({ organization: z.object({ id: z.string() }) });

async function newOrganization(name: string) {
  const response = await fetch(`${baseUrl}/api/v1/organizations`, {
    method: 'POST',
    headers: { 'x-operator-secret': stack.operatorSecret, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return otherSchema.parse(await response.json()).organization.id;
}

// Before the first sign-in, when the function reads its rules.
const other = await newOrganization('Other Ltd');
setEnvironment({
  OIDC_ROLES: JSON.stringify([
    ...roleRulesFor(organizationId),
    { claim: 'groups', value: 'other-*', organizationId: other, role: 'viewer' },
    { claim: 'groups', value: 'other-support', organizationId: other, role: 'support' },
  ]),
});

const peopleSchema = z.object({
  data: z.array(
    z.object({
      id: apiKeyIdSchema,
      email: z.string(),
      role: z.string(),
      managedBy: z.string().optional(),
    }),
  ),
});

async function personOf(email: string) {
  const { data } = peopleSchema.parse((await call('GET', '/api/v1/people')).json);
  return data.find((one) => one.email === email);
}

const auditSchema = z.object({
  data: z.array(z.object({ action: z.string(), actor: z.string(), target: z.string() })),
});

async function auditOf(id: string | undefined): Promise<readonly string[]> {
  const { data } = auditSchema.parse((await call('GET', '/api/v1/audit?limit=100')).json);
  return data
    .filter(({ target }) => target === id)
    .map(({ actor, action }) => `${action} by ${actor === id ? 'them' : actor}`)
    .toReversed();
}

function newAccount(name: string, ...groups: readonly string[]) {
  const email = `${name}@example.com`;
  accounts.set(email, { email, email_verified: true, groups });
  return email;
}

describe('somebody who signs in with the issuer', () => {
  it('becomes a person with the role that their claims give, and gets a session', async () => {
    const email = newAccount('Ann', 'email-support');
    const browser = openBrowser(baseUrl);

    const visit = await browser.signIn(email, '?to=/console/emails%3Fstatus=failed');

    expect(visit.status).toBe(302);
    expect(visit.url.href).toBe(
      `${baseUrl}/console/sign-in?to=%2Fconsole%2Femails%3Fstatus%3Dfailed`,
    );
    const session = await browser.call('GET', '/console/session');
    expect(session.json).toMatchObject({
      organization: { id: organizationId },
      person: { email: 'ann@example.com', role: 'support' },
      isFromIssuer: true,
    });
    const person = await personOf('ann@example.com');
    expect(person).toMatchObject({ role: 'support', managedBy: 'issuer' });
    expect(await auditOf(person?.id)).toEqual([
      'person.created by issuer',
      'session.started by them',
    ]);
  });

  it('has a new role, or none anymore, once the claims say so', async () => {
    const email = newAccount('ben', 'email-support', 'email-developer');
    const browser = openBrowser(baseUrl);
    await browser.signIn(email);
    const first = await personOf(email);

    newAccount('ben', 'email-viewer');
    await browser.signIn(email);
    const second = await personOf(email);
    newAccount('ben', 'somebody-else');
    const refused = await browser.signIn(email);

    expect([first?.role, second?.role]).toEqual(['developer', 'viewer']);
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('No access') });
    expect(await personOf(email)).toBeUndefined();
    expect((await browser.call('GET', '/console/session')).status).toBe(401);
    expect(await auditOf(first?.id)).toEqual([
      'person.created by issuer',
      'session.started by them',
      'person.role_changed by issuer',
      'session.started by them',
      'person.removed by issuer',
    ]);
  });

  it('has the highest role of each organization, and comes to the one last used', async () => {
    const email = newAccount('cleo', 'other-support', 'other-viewer', 'email-viewer');
    const browser = openBrowser(baseUrl);
    await browser.signIn(email);
    const first = await browser.call('GET', '/console/session');

    newAccount('cleo', 'other-support');
    await browser.signIn(email);
    const second = await browser.call('GET', '/console/session');

    expect(first.status).toBe(200);
    expect(second.json).toMatchObject({ organization: { id: other }, person: { role: 'support' } });
    expect(await personOf(email)).toBeUndefined();
  });

  it('is the person whom somebody invited, and stays so without claims, in the role of the last', async () => {
    const email = newAccount('dan');
    await call('POST', '/api/v1/people', { email, role: 'developer' });
    const browser = openBrowser(baseUrl);

    await browser.signIn(email);
    const invited = await browser.call('GET', '/console/session');
    newAccount('dan', 'email-support');
    await browser.signIn(email);
    const named = await browser.call('GET', '/console/session');
    newAccount('dan');
    await browser.signIn(email);

    expect(invited.json).toMatchObject({ person: { email, role: 'developer' } });
    expect(named.json).toMatchObject({ person: { email, role: 'support' } });
    const person = await personOf(email);
    expect(person).toMatchObject({ role: 'support' });
    expect(person).not.toHaveProperty('managedBy');
  });

  it('keeps their role until the issuer changes it: others may only remove them', async () => {
    const email = newAccount('eve', 'email-viewer');
    const browser = openBrowser(baseUrl);
    await browser.signIn(email);
    const { id } = (await personOf(email)) ?? {};

    const changed = await call('PATCH', `/api/v1/people/${id}`, { role: 'admin' });
    const removed = await call('DELETE', `/api/v1/people/${id}`);
    const ended = await browser.call('GET', '/console/session');
    await browser.signIn(email);

    expect(changed).toMatchObject({ status: 409, json: { code: 'person_managed_by_issuer' } });
    expect([removed.status, ended.status]).toEqual([204, 401]);
    expect(await personOf(email)).toMatchObject({ id, role: 'viewer' });
  });

  it('takes their people along to a new address', async () => {
    accounts.set('finn', {
      email: 'finn@example.com',
      email_verified: true,
      groups: ['email-viewer'],
    });
    const browser = openBrowser(baseUrl);
    await browser.signIn('finn');

    accounts.set('finn', {
      email: 'finn@new.example',
      email_verified: true,
      groups: ['email-viewer'],
    });
    await browser.signIn('finn');

    expect(await personOf('finn@example.com')).toBeUndefined();
    expect(await personOf('finn@new.example')).toMatchObject({ role: 'viewer' });
  });
});

describe('what needs a recent sign-in', () => {
  it('is allowed once they have proved again who they are', async () => {
    const email = newAccount('gus', 'email-admin');
    const browser = openBrowser(baseUrl);
    const create = () =>
      browser.call('POST', '/api/v1/api-keys', { name: 'ci', scopes: ['send_email'] });
    await browser.signIn(email);
    const before = await create();

    await browser.signIn(email, '?fresh=1');
    const after = await create();

    expect(before).toMatchObject({ status: 403, json: { code: 'recent_sign_in_required' } });
    expect(after.status).toBe(201);
  });
});

describe('the end of a session', () => {
  it('here leads to the issuer, which ends its own session and tells the service by itself', async () => {
    const email = newAccount('hal', 'email-viewer');
    const [laptop, phone] = [openBrowser(baseUrl), openBrowser(baseUrl)];
    await laptop.signIn(email);
    await phone.signIn(email);

    const page = await laptop.go('/console/oidc/sign-out');
    const asked = await laptop.call('GET', '/console/session');
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? [];
    const body = new URLSearchParams({ xsrf, logout: 'yes' });
    const left = await laptop.go(`${issuer.url}/session/end/confirm`, { method: 'POST', body });
    const ended = await Promise.all(
      [laptop, phone].map((on) => on.call('GET', '/console/session')),
    );

    expect(page.url.origin).toBe(issuer.url);
    expect(asked.status).toBe(200);
    expect(left.url.href).toBe(`${baseUrl}/console`);
    // The issuer has told the service by itself, of the session at this browser.
    expect(ended.map(({ status }) => status)).toEqual([401, 200]);
    const { id } = (await personOf(email)) ?? {};
    expect((await auditOf(id)).at(-1)).toBe('session.ended by issuer');
  });
});

describe('the ways to sign in', () => {
  it('name the issuer', async () => {
    expect((await call('GET', '/console/sign-in/options')).json).toEqual({
      ways: { keys: true, issuer: { name: 'the local issuer' } },
    });
  });
});
