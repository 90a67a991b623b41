import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { serve, serveUnadmitted } from '#shared/endpoints/serve';
import { putOrganization } from '#shared/organizations/organization-store';
import { endpoints } from '../../../functions/endpoints.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

// A person signs in, looks, changes something and signs out, through the handlers and the table.

const table = openStoreTable();
vi.stubEnv('TABLE_NAME', inject('tableName'));
vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'SILENT');
const createSession = serveUnadmitted(endpoints['create-session']);
const getSession = serve(endpoints['get-session']);
const deleteSession = serveUnadmitted(endpoints['delete-session']);
const createLink = serveUnadmitted(endpoints['create-sign-in-link']);
const createCategory = serve(endpoints['create-category']);
const listPolicies = serve(endpoints['list-policies']);

afterAll(() => {
  vi.unstubAllEnvs();
});

const host = 'mail.example.com';
const ownOrigin = `https://${host}`;

type Handler = typeof getSession;
type Asked = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookie?: string | undefined;
  readonly body?: object;
};

async function ask(handler: Handler, method: string, { headers, cookie, body }: Asked = {}) {
  const event: APIGatewayProxyEventV2 = buildHttpEvent({
    headers: { host, 'content-type': 'application/json', ...headers },
    ...(cookie !== undefined && { cookies: [cookie] }),
    ...(body && { body: JSON.stringify(body) }),
  });
  event.requestContext.http.method = method;
  const { statusCode, headers: answered, body: text } = await handler(event, lambdaContext());
  return {
    status: statusCode,
    headers: answered,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

async function prepare() {
  const organization = buildOrganization();
  const manager = buildApiKey({ organizationId: organization.id, scopes: ['manage_organization'] });
  await putOrganization(table, organization);
  await putApiKey(table, manager.apiKey);
  return { organization, manager };
}

const cookieIn = ({ headers }: Awaited<ReturnType<typeof ask>>): string | undefined =>
  headers['Set-Cookie']?.split(';')[0];

describe('a console session', () => {
  it('represents its key until its holder signs out', async () => {
    const { organization, manager } = await prepare();
    const signedIn = await ask(createSession, 'POST', { body: { key: manager.text } });
    const cookie = cookieIn(signedIn);
    const category = (key: string) => ({ cookie, body: { key, name: 'News' } });
    const origin = { origin: ownOrigin };

    const session = await ask(getSession, 'GET', { cookie });
    const read = await ask(listPolicies, 'GET', { cookie });
    const own = await ask(createCategory, 'POST', { ...category('news'), headers: origin });
    const foreign = await ask(createCategory, 'POST', {
      ...category('other'),
      headers: { origin: 'https://evil.example.com' },
    });
    const left = await ask(deleteSession, 'DELETE', { cookie, headers: origin });
    const after = await ask(getSession, 'GET', { cookie });

    expect(signedIn.status).toBe(204);
    expect(session).toMatchObject({
      status: 200,
      body: {
        organization: { id: organization.id, name: organization.name },
        keyId: manager.apiKey.id,
      },
    });
    expect([read.status, own.status, foreign.status]).toEqual([200, 201, 401]);
    expect([left.status, cookieIn(left)]).toEqual([204, '__Host-session=']);
    expect(after).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
  });

  it('is started only once by a link', async () => {
    const { manager } = await prepare();
    const headers = { authorization: `Bearer ${manager.text}` };
    const made = await ask(createLink, 'POST', { headers });
    const link = `${made.body.path}`.split('#')[1];

    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => ask(createSession, 'POST', { body: { link } })),
    );

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404]);
    const winner = outcomes.find(({ status }) => status === 204);
    const cookie = winner && cookieIn(winner);
    expect(await ask(getSession, 'GET', { cookie })).toMatchObject({ status: 200 });
  });

  it("can't be ended by another site", async () => {
    const { manager } = await prepare();
    const cookie = cookieIn(await ask(createSession, 'POST', { body: { key: manager.text } }));

    await ask(deleteSession, 'DELETE', { cookie, headers: { origin: 'https://evil.example.com' } });

    expect(await ask(getSession, 'GET', { cookie })).toMatchObject({ status: 200 });
  });
});
