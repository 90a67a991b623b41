import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { admitSession } from '#shared/access/admit-caller';
import { getApiKey, replaceSignIns } from '#shared/access/api-key-store';
import { enteredMs, enterOrganization } from '#shared/access/operator-store';
import { keyShownMs, newSession, withSignIn } from '#shared/access/sign-in';
import { listAuditEntries } from '#shared/audit/audit-store';
import { openTable } from '#shared/table/table-client';
import {
  apiKeyIdSchema,
  enteredKeyIdOf,
  operatorsId,
  organizationIdSchema,
  personalKeyIdOf,
} from '#shared/tokens/resource-id';
import { readInbox } from '../support/mailbox-inbox.ts';
import { localOperator, operatorHeaders, operatorSession } from '../support/operator.ts';
import { patience } from '../support/patience.ts';
import { presenting } from '../support/presenting.ts';
import { useTwin } from '../support/twin.ts';

// What is tried against the people who operate the deployment, and by them. SECURITY.md names these.

const stack = await useTwin();
const { baseUrl, inboxUrl, manageKey, operatorSecret } = stack;
const table = openTable(stack.tableName);
const organizationId = organizationIdSchema.parse(stack.organizationId);
const reason = 'Ticket 4711: bounces';

type Headers = Readonly<Record<string, string>>;

async function call(method: string, path: string, headers: Headers, body?: unknown) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? [];
  return { status: response.status, json, cookie };
}

const codeOf = (json: unknown) => z.object({ code: z.string() }).safeParse(json).data?.code;

/** The status of an answer, and its code if it's a refusal. */
async function ask(method: string, path: string, headers: Headers, body?: unknown) {
  const { status, json } = await call(method, path, headers, body);
  return [status, ...(status >= 400 ? [codeOf(json)] : [])].join(' ');
}

const asManager = { authorization: `Bearer ${manageKey}` };
const asProgram = { 'x-operator-secret': operatorSecret };
const withCookie = (cookie: string) => ({ cookie, origin: baseUrl });
const operator = (options = {}) => operatorHeaders(table, baseUrl, options);

/** Somebody signed in with their address. */
async function memberHeaders(name: string, role: string, email = `${name}@people.example`) {
  const made = await call('POST', '/api/v1/people', asManager, { email, role });
  const id = apiKeyIdSchema.parse(z.object({ id: z.string() }).parse(made.json).id);
  const apiKey = (await getApiKey(table, id))?.apiKey;
  if (apiKey === undefined) throw new Error('Nobody was invited');
  const now = Date.now();
  const { text, signIn } = newSession(apiKey, { by: 'mail' }, now);
  await replaceSignIns(table, apiKey, withSignIn(apiKey.signIns, signIn, now));
  return withCookie(`session=${text}`);
}

const enter = (headers: Headers, body: unknown = { organizationId, reason }) =>
  call('POST', '/console/operator/enter', headers, body);

/** An operator's browser, once they're in the organization. */
const entered = async () => withCookie((await enter(await operator())).cookie);

/** Each of the operators' endpoints. */
const operatorRequests = [
  ['GET', '/api/v1/organizations'],
  ['GET', `/api/v1/organizations/${organizationId}`],
  ['GET', '/api/v1/organization-usage'],
  ['GET', '/api/v1/domain-claims'],
  ['POST', '/api/v1/organizations', { name: 'Mine' }],
  ['PATCH', `/api/v1/organizations/${organizationId}`, { paused: true }],
  ['POST', `/api/v1/organizations/${organizationId}/api-keys`],
  ['POST', '/api/v1/domain-claims', { domain: 'mine.example', organizationId }],
  ['DELETE', `/api/v1/domain-claims/mine.example?organizationId=${organizationId}`],
  ['DELETE', `/api/v1/organizations/${organizationId}?name=Example%20Ltd`],
] as const;

const askAll = async (headers: Headers) =>
  new Set(
    await Promise.all(
      operatorRequests.map(([method, path, body]) => ask(method, path, headers, body)),
    ),
  );

describe('an organization’s admin', () => {
  it('operates nothing, neither by a session nor by a key, whatever its organization is called', async () => {
    const admin = await memberHeaders('ann', 'admin');
    await call('PATCH', `/api/v1/organizations/${organizationId}`, asProgram, {
      name: 'Operators',
    });
    onTestFinished(async () => {
      const name = 'Example Ltd';
      await call('PATCH', `/api/v1/organizations/${organizationId}`, asProgram, { name });
    });

    expect(await askAll(admin)).toEqual(new Set(['403 missing_scope']));
    expect(await askAll(asManager)).toEqual(new Set(['401 invalid_operator_secret']));
    expect((await enter(admin)).status).toBe(403);
    expect((await enter(asManager)).status).toBe(401);
  });

  it('makes nobody an operator: there’s no such role to give', async () => {
    const email = 'bo@people.example';

    const invited = await ask('POST', '/api/v1/people', asManager, { email, role: 'operator' });

    expect(invited).toBe('400 validation_failed');
  });

  it('who invites an operator’s address gets nothing of the operator, and gives nothing to them', async () => {
    const asAdmin = await memberHeaders('', 'admin', localOperator);
    const asOperator = await operator();

    expect(await askAll(asAdmin)).toEqual(new Set(['403 missing_scope']));
    expect(await ask('GET', '/api/v1/sends', asAdmin)).toBe('200');
    expect(await ask('GET', '/api/v1/sends', asOperator)).toBe('403 missing_scope');
    expect(enteredKeyIdOf(organizationId, localOperator)).not.toBe(
      personalKeyIdOf(organizationId, localOperator),
    );
  });

  it('can end an operator’s visit, but not make it more than support', async () => {
    const visitor = await entered();
    const id = enteredKeyIdOf(organizationId, localOperator);

    const raised = await ask('PATCH', `/api/v1/people/${id}`, asManager, { role: 'admin' });
    const before = await ask('GET', '/api/v1/sends', visitor);
    const removed = await ask('DELETE', `/api/v1/people/${id}`, asManager);

    expect([raised, before, removed]).toEqual(['404 person_not_found', '200', '204']);
    expect(await ask('GET', '/api/v1/sends', visitor)).toBe('401 invalid_api_key');
  });
});

describe('an operator', () => {
  it('reads no organization’s data without entering it', async () => {
    const headers = await operator();
    const paths = ['sends', 'contacts', 'suppressions', 'webhooks', 'api-keys', 'people', 'audit'];

    const answers = await Promise.all(paths.map((path) => ask('GET', `/api/v1/${path}`, headers)));

    expect(new Set(answers)).toEqual(new Set(['403 missing_scope']));
    expect(await ask('GET', '/api/v1/organizations', headers)).toBe('200');
  });

  it('changes nothing by a page of another site', async () => {
    const { cookie } = await operator();
    const path = `/api/v1/organizations/${organizationId}`;

    const answers = await Promise.all(
      [{ origin: 'https://evil.example' }, { origin: 'null' }, {}].map(async (from) => [
        await ask('PATCH', path, { cookie, ...from }, { paused: true }),
        (await enter({ cookie, ...from })).status,
      ]),
    );

    expect(answers).toEqual(answers.map(() => ['401 invalid_operator_secret', 401]));
  });

  it('changes nothing with a cookie from more than five minutes ago', async () => {
    const headers = await operator({ at: Date.now() - keyShownMs - 1_000 });
    const path = `/api/v1/organizations/${organizationId}`;

    const changed = await ask('PATCH', path, headers, { paused: true });
    const visit = await enter(headers);

    expect(changed).toBe('403 recent_sign_in_required');
    expect(codeOf(visit.json)).toBe('recent_sign_in_required');
    expect(await ask('GET', path, headers)).toBe('200');
  });

  it('enters no organization without a reason, none that isn’t there, and not the operators’ own', async () => {
    const headers = await operator();
    const unknown = `org_${'b'.repeat(16)}`;

    const answers = await Promise.all(
      [
        { organizationId },
        { organizationId, reason: '  ' },
        { organizationId, reason: 'a'.repeat(201) },
        { organizationId: unknown, reason },
        { organizationId: operatorsId, reason },
      ].map(async (body) => codeOf((await enter(headers, body)).json)),
    );

    expect(answers).toEqual([
      ...Array(3).fill('validation_failed'),
      ...Array(2).fill('organization_not_found'),
    ]);
  });

  it('who isn’t in the setting anymore is out at the next request, also of an organization entered before', async () => {
    const email = 'former@ops.example';
    vi.stubEnv('OPERATORS', `${localOperator},${email}`);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const own = await operator({ email });
    const visit = withCookie((await enter(own)).cookie);
    const before = [
      await ask('GET', '/api/v1/organizations', own),
      await ask('GET', '/api/v1/sends', visit),
    ];

    vi.stubEnv('OPERATORS', localOperator);
    const after = [
      ...(await askAll(own)),
      await ask('GET', '/console/session', own),
      await ask('GET', '/api/v1/sends', visit),
    ];
    await call('POST', '/console/sign-in', {}, { email });
    await call('POST', '/console/sign-in', {}, { email: localOperator });
    const mailed = async (address: string) =>
      (await readInbox(inboxUrl)).filter(
        ({ destination, subject }) =>
          destination.to.includes(address) && subject === 'Sign in to Operators',
      );
    await vi.waitUntil(async () => (await mailed(localOperator)).length > 0, patience);

    expect(before).toEqual(['200', '200']);
    expect(new Set(after)).toEqual(new Set(['401 invalid_api_key']));
    expect(await mailed(email)).toEqual([]);
  });
});

describe('the operators’ own organization', () => {
  it('is in no list, and nothing changes it, deletes it or makes a key of it', async () => {
    await operator();
    const path = `/api/v1/organizations/${operatorsId}`;
    const listed = await call('GET', '/api/v1/organizations?limit=100', asProgram);

    const answers = await Promise.all([
      ask('GET', path, asProgram),
      ask('PATCH', path, asProgram, { name: 'Mine' }),
      ask('POST', `${path}/api-keys`, asProgram),
      ask('DELETE', `${path}?name=Operators`, asProgram),
    ]);

    expect(JSON.stringify(listed.json)).not.toContain(operatorsId);
    expect(new Set(answers)).toEqual(new Set(['404 organization_not_found']));
  });
});

describe('an operator who has entered an organization', () => {
  it('may do what support may, and no more', async () => {
    const visitor = await entered();
    const person = { email: 'cy@people.example', role: 'admin' };

    const allowed = await Promise.all(
      ['sends', 'contacts', 'webhooks'].map((path) => ask('GET', `/api/v1/${path}`, visitor)),
    );
    const refused = await Promise.all([
      ask('GET', '/api/v1/api-keys', visitor),
      ask('POST', '/api/v1/api-keys', visitor, { name: 'mine' }),
      ask('GET', '/api/v1/people', visitor),
      ask('POST', '/api/v1/people', visitor, person),
      ask('GET', '/api/v1/sends/export', visitor),
      ask('POST', '/api/v1/emails/send', visitor, { to: 'a@b.example', content: 'x' }),
      ask('PATCH', '/api/v1/organization', visitor, { replyTo: 'me@evil.example' }),
      enter(visitor).then(({ status, json }) => `${status} ${codeOf(json)}`),
    ]);

    expect(new Set(allowed)).toEqual(new Set(['200']));
    expect(new Set(refused)).toEqual(new Set(['403 missing_scope']));
    expect(await askAll(visitor)).toEqual(new Set(['403 missing_scope']));
    expect(await ask('POST', '/console/links', visitor)).not.toMatch(/^2/);
  });

  it('is named in the audit of the organization, with the reason, and in the operators’', async () => {
    const visitor = await entered();
    const email = 'dee@example.com';
    await call('POST', '/api/v1/suppressions', visitor, { email });

    const { json } = await call('GET', '/api/v1/audit?limit=2', asManager);
    const range = { before: undefined, limit: 1 };
    const { entries } = await listAuditEntries(table, operatorsId, range, Date.now());

    const id = enteredKeyIdOf(organizationId, localOperator);
    const by = { actor: id, person: localOperator };
    expect(json).toMatchObject({
      data: [
        { ...by, session: expect.stringMatching(/^ses_/), action: 'suppression.created' },
        { ...by, action: 'operator.entered', target: organizationId, after: { reason } },
      ],
    });
    const actor = personalKeyIdOf(operatorsId, localOperator);
    expect(entries).toMatchObject([
      { actor, action: 'operator.entered', target: organizationId, after: { reason } },
    ]);
  });

  it('leaves, and is back in their own session, which the other one’s cookie never used', async () => {
    const own = await operator();
    const { cookie } = await enter(own);
    const visitor = withCookie(cookie);
    const inside = await call('GET', '/console/session', visitor);

    const left = await call('DELETE', '/console/session', visitor);
    const back = await call('GET', '/console/session', withCookie(left.cookie));
    const copy = await ask('GET', '/api/v1/sends', visitor);

    expect(inside.json).toMatchObject({
      organization: { id: organizationId },
      person: { email: localOperator, role: 'support', entered: { reason } },
    });
    expect(left.cookie).toBe(own.cookie);
    expect(back.json).toMatchObject({ person: { email: localOperator, role: 'operator' } });
    expect(copy).toBe('401 invalid_api_key');
  });

  it('is out with the session from which they entered, and can’t turn the visit into another one', async () => {
    const own = await operator();
    const visitor = withCookie((await enter(own)).cookie);
    const tries = () =>
      Promise.all([
        ask('GET', '/api/v1/sends', visitor),
        ask('POST', '/console/session/switch', visitor, { organizationId: operatorsId }),
        ask('POST', '/console/passkeys/options', visitor),
      ]);

    const before = await tries();
    // In another browser, or by the issuer.
    await call('DELETE', '/console/session', own);
    const after = await tries();

    expect(before).toEqual(['200', '404 organization_not_found', '403 person_required']);
    expect(after).toEqual([
      '401 invalid_api_key',
      '404 organization_not_found',
      '401 invalid_api_key',
    ]);
  });

  it('gets no session that isn’t theirs by leaving', async () => {
    const { cookie } = await memberHeaders('eli', 'viewer');
    const own = (await operator()).cookie.slice('session='.length);

    const left = await call('DELETE', '/console/session', withCookie(`${cookie}.${own}x`));
    const forged = await call('DELETE', '/console/session', withCookie('session=ess_a.ess_b'));

    expect([left.cookie, forged.cookie]).toEqual(['session=', 'session=']);
  });

  it('is out after an hour', async () => {
    const at = Date.now() - enteredMs - 1_000;
    const service = { table, now: () => at };
    const caller = await admitSession(presenting(await operatorSession(table, { at })), service);
    const { text } = await enterOrganization(caller, { organizationId, reason }, service);

    const answer = await ask('GET', '/api/v1/sends', withCookie(`session=${text}`));

    expect(answer).toBe('401 invalid_api_key');
  });
});
