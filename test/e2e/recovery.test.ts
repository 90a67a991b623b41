import { afterAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { openTable } from '#shared/table/table-client';
import { setEnvironment } from '../../infra/local/environment.ts';
import { roleRulesFor } from '../../infra/local/issuer.ts';
import { startHostileIssuer } from '../support/hostile-issuer.ts';
import { type Browser, openBrowser } from '../support/issuer-browser.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { operatorSession } from '../support/operator.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

// What the guide "People" and the runbook say to do when nobody can get in, step by step.

const stack = await useTwin();
const { baseUrl, inboxUrl, organizationId, manageKey } = stack;
const table = openTable(stack.tableName);
const clientId = 'console';
const issuer = await startHostileIssuer(clientId);
afterAll(
  setEnvironment({
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: clientId,
    OIDC_ROLES: JSON.stringify(roleRulesFor(organizationId)),
  }),
);

const withId = z.object({ id: z.string() });
const peopleIn = z.object({
  data: z.array(z.object({ id: z.string(), email: z.string(), managedBy: z.optional(z.string()) })),
});

/** With an API key. */
async function ask(key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, json };
}

const linksTo = async (email: string): Promise<readonly string[]> =>
  (await readInbox(inboxUrl))
    .filter(({ destination }) => destination.to.includes(email))
    .flatMap(({ body }) => /\/console\/sign-in#(\S+)/.exec(body.text ?? '')?.[1] ?? []);

/** By a mailed link. */
async function signIn(email: string): Promise<Browser> {
  const browser = openBrowser(baseUrl);
  const { length } = await linksTo(email);
  await browser.call('POST', '/console/sign-in', { email });
  await vi.waitUntil(async () => (await linksTo(email)).length > length, patience);
  const link = (await linksTo(email)).at(-1);
  expect(await browser.call('POST', '/console/session', { link })).toMatchObject({ status: 204 });
  return browser;
}

/** An operator's browser makes a manager's key for the organization, as the runbook says. */
async function keyFromOperator(): Promise<string> {
  const operator = openBrowser(baseUrl);
  operator.jar.set('session', await operatorSession(table));
  const made = await operator.call('POST', `/api/v1/organizations/${organizationId}/api-keys`);
  return z.object({ key: z.string() }).parse(made.json).key;
}

const invite = async (key: string, email: string, role = 'admin') =>
  withId.parse((await ask(key, 'POST', '/api/v1/people', { email, role })).json).id;

describe('when nobody can get in', () => {
  it('a person who lost their mailbox is invited with another address', async () => {
    const [old, another] = ['ann@old.example', 'ann@new.example'];
    const lost = await invite(manageKey, old, 'support');
    const tab = await signIn(old);
    const boss = await invite(manageKey, 'boss@old.example');
    const admin = await signIn('boss@old.example');

    const invited = await admin.call('POST', '/api/v1/people', { email: another, role: 'support' });
    const removed = await admin.call('DELETE', `/api/v1/people/${lost}`);
    const found = await (await signIn(another)).call('GET', '/console/session');

    expect([invited.status, removed.status]).toEqual([201, 204]);
    expect(found.json).toMatchObject({ person: { email: another, role: 'support' } });
    expect(await tab.call('GET', '/console/session')).toMatchObject({ status: 401 });
    await ask(manageKey, 'DELETE', `/api/v1/people/${boss}`);
  });

  it('an organization whose last admin has gone gets another by a key that the operator makes', async () => {
    const gone = await invite(manageKey, 'gone@example.com');
    await signIn('gone@example.com');

    const key = await keyFromOperator();
    await invite(key, 'next@example.com');
    const next = await signIn('next@example.com');
    const removed = await next.call('DELETE', `/api/v1/people/${gone}`);
    const audit = await next.call('GET', '/api/v1/audit?limit=100');

    expect(removed.status).toBe(204);
    expect(JSON.stringify(audit.json)).toContain('"person":"operator@mail.example.com"');
  });

  it('people whom a lost identity provider has made are removed and invited', async () => {
    const email = 'carl@work.example';
    const browser = openBrowser(baseUrl);
    const claims = { sub: 'carl', email, groups: ['email-admin'] };
    await browser.go(await issuer.answerTo(browser, { claims }), {}, `${baseUrl}/console/sign-in`);
    const listed = await browser.call('GET', '/api/v1/people?limit=100');
    const made = peopleIn.parse(listed.json).data.find((one) => one.email === email);
    await issuer.stop();

    const key = await keyFromOperator();
    const again = await ask(key, 'POST', '/api/v1/people', { email, role: 'admin' });
    const removed = await ask(key, 'DELETE', `/api/v1/people/${made?.id}`);
    await invite(key, email);
    const session = await (await signIn(email)).call('GET', '/console/session');

    expect(made?.managedBy).toBe('issuer');
    expect(again).toMatchObject({ status: 409, json: { code: 'person_exists' } });
    expect(removed.status).toBe(204);
    expect(session.json).toMatchObject({ person: { email, role: 'admin' } });
  });
});
