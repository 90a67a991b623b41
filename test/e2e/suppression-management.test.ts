import {
  GetSuppressedDestinationCommand,
  NotFoundException,
  PutSuppressedDestinationCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { describe, expect, it } from 'vitest';
import { sendAnswerSchema } from '#shared/sending/send';
import { endpoint as importSuppressionsEndpoint } from '../../functions/import-suppressions/import-suppressions.ts';
import { endpoint as liftSuppressionEndpoint } from '../../functions/lift-suppression/lift-suppression.ts';
import { endpoint as liftSuppressionsEndpoint } from '../../functions/lift-suppressions/lift-suppressions.ts';
import { endpoint as listSuppressionsEndpoint } from '../../functions/list-suppressions/list-suppressions.ts';
import { patience } from '../support/patience.ts';
import { buildSendBody } from '../support/send-body-builder.ts';
import { useTwin } from '../support/twin.ts';

const importSchema = importSuppressionsEndpoint.answers[200].body;
const liftSchema = liftSuppressionEndpoint.answers[200].body;
const liftManySchema = liftSuppressionsEndpoint.answers[200].body;
const listSchema = listSuppressionsEndpoint.answers[200].body;

const { baseUrl, apiKey, manageKey, endpoints } = await useTwin();

const ses = new SESv2Client({
  endpoint: endpoints.sesv2,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

const call = (method: string, path: string, body?: object | string, key = manageKey) =>
  fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && {
        'content-type': typeof body === 'string' ? 'text/csv' : 'application/json',
      }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

async function send(to: string) {
  const body = buildSendBody({ to });
  return sendAnswerSchema.parse(await (await call('POST', '/emails/send', body, apiKey)).json());
}

const list = async (query = '') =>
  listSchema.parse(await (await call('GET', `/suppressions${query}`)).json()).data;

describe('a bounced address', () => {
  it('is listed with its cause, and gets email again once it is lifted, from SES’s own list too', async () => {
    const to = 'bounce@simulator.amazonses.com';
    await send(to);
    await expect
      .poll(() => list('?reason=bounce'), patience)
      .toMatchObject([{ email: to, diagnostic: 'smtp; 550 5.1.1 user unknown' }]);
    expect((await send(to)).status).toBe('suppressed');
    // As SES does where the deployment wants that; it lists no address of its simulator.
    await ses.send(new PutSuppressedDestinationCommand({ EmailAddress: to, Reason: 'BOUNCE' }));

    const lifted = liftSchema.parse(await (await call('DELETE', `/suppressions/${to}`)).json());

    expect(lifted).toEqual({ lifted: ['bounce'], remaining: [], providerList: 'removed' });
    expect((await send(to)).status).toBe('sent');
    await expect.poll(() => list('?reason=bounce'), patience).toHaveLength(1);
    await call('DELETE', `/suppressions/${to}`);
  });

  it("is removed from SES's own list when the person is erased, but stays blocked here", async () => {
    const to = 'Bounce+erased@simulator.amazonses.com';
    await send(to);
    await expect.poll(() => list('?reason=bounce'), patience).toHaveLength(1);
    await ses.send(new PutSuppressedDestinationCommand({ EmailAddress: to, Reason: 'BOUNCE' }));

    const erased = await call('DELETE', `/contacts/${encodeURIComponent(to.toLowerCase())}`);

    expect(erased.status).toBe(204);
    await expect(
      ses.send(new GetSuppressedDestinationCommand({ EmailAddress: to })),
    ).rejects.toThrow(NotFoundException);
    expect((await send(to)).status).toBe('suppressed');
    await call('DELETE', `/suppressions/${encodeURIComponent(to)}`);
  });

  it('returns 404 when there is nothing to lift', async () => {
    const answer = await call('DELETE', '/suppressions/nobody@example.com');

    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'suppression_not_found' });
  });
});

describe('addresses moved from another service', () => {
  it('are imported, blocked, exported, and lifted by their cause, after a dry run', async () => {
    const file = [
      'status,reason,email,created',
      '5.7.26,"550 5.7.26 not authenticated, see policy",Dora@example.com,1700000000',
      '5.1.1,550 5.1.1 unknown,emil@example.com,1700000001',
      '5.1.1,550 5.1.1 unknown,nobody,1700000002',
    ].join('\r\n');
    await ses.send(
      new PutSuppressedDestinationCommand({ EmailAddress: 'Dora@example.com', Reason: 'BOUNCE' }),
    );

    const imports = [
      await call('POST', '/suppressions/import?reason=bounce', file),
      await call('POST', '/suppressions/import?reason=bounce', file),
    ];
    const [first, second] = await Promise.all(
      imports.map(async (answer) => importSchema.parse(await answer.json())),
    );
    const blocked = await send('dora@example.com');
    const exported = await call('GET', '/suppressions/export?reason=bounce');
    const window = {
      from: 1_700_000_000_000,
      until: 1_700_000_002_000,
      diagnostic: 'AUTHENTICATED',
    };
    const lift = async (fields: object = {}) =>
      liftManySchema.parse(
        await (await call('POST', '/suppressions/lift', { ...window, ...fields })).json(),
      );
    const dry = await lift();
    const done = await lift({ dryRun: false });
    const left = await list('?reason=bounce');

    expect(first).toMatchObject({ imported: 2, unchanged: 0, refused: [{ line: 4 }] });
    expect(second).toMatchObject({ imported: 0, unchanged: 2 });
    expect(blocked.status).toBe('suppressed');
    expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(exported.headers.get('content-disposition')).toBe(
      'attachment; filename="suppressions.csv"',
    );
    expect(await exported.text()).toContain('Dora@example.com,bounce,2023-11-14T22:13:20.000Z');
    expect(dry).toMatchObject({ matched: 1, lifted: 0, examples: [{ email: 'dora@example.com' }] });
    expect(done).toMatchObject({ matched: 1, lifted: 1, removedFromProviderList: 0 });
    expect(left.map(({ email }) => email)).toEqual(['emil@example.com']);
    expect((await send('dora@example.com')).status).toBe('sent');
  });

  it("are rejected as a whole when the file isn't CSV", async () => {
    const answer = await call('POST', '/suppressions/import', { email: 'ann@example.com' });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'unsupported_content_type' });
  });
});

describe('a manually suppressed address', () => {
  it('is returned, blocked, and listed', async () => {
    const created = await call('POST', '/suppressions', { email: 'Finn@example.com' });

    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ email: 'finn@example.com', reason: 'manual' });
    expect((await send('finn@example.com')).status).toBe('suppressed');
    expect(await list('?reason=manual')).toMatchObject([{ email: 'finn@example.com' }]);
  });
});
