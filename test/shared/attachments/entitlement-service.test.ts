import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import {
  createEntitlementCheck,
  createEntitlementService,
} from '#shared/attachments/entitlement-service';
import { attachmentEnvironment } from '#shared/config/environment';
import { holdTimeout } from '../../support/held-timeout.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serveUntilEnd } from '../../support/server-until-end.ts';

type Question = { readonly headers: IncomingMessage['headers']; readonly body: unknown };

const now = 1_750_000_000_000;

/** An entitlement service until the test ends; `attempt` counts from 1. */
async function startEntitlements(
  answer: (response: ServerResponse, attempt: number) => void,
  settings: { readonly timeoutMs?: number } = {},
) {
  const questions: Question[] = [];
  const server = createServer(async (request, response) => {
    questions.push({ headers: request.headers, body: await json(request) });
    answer(response, questions.length);
  });
  const { url, stop } = await serveUntilEnd(server);
  const check = createEntitlementService({
    url: `${url}/check`,
    secret: async () => 'entitlement-secret',
    ...settings,
  });
  return { check, questions, stop };
}

const answering =
  (body: unknown, status = 200) =>
  (response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

const checkOf = (variables: Readonly<Record<string, string>> = {}) =>
  createEntitlementCheck(
    attachmentEnvironment.parse({
      ATTACHMENTS_BUCKET_URL: 'https://uploads.example.com',
      AWS_REGION: 'eu-west-1',
      ...variables,
    }),
  );

describe('a deployment', () => {
  it.each([true, false])(
    "without an entitlement service asks the organization's own setting: %s",
    async (attachmentsEnabled) => {
      const entitlement = await checkOf()(buildOrganization({ attachmentsEnabled }), now);

      expect(entitlement).toEqual({ allowed: attachmentsEnabled });
    },
  );

  it('does not start with an entitlement service and no secret for it', () => {
    expect(() => checkOf({ ENTITLEMENTS_URL: 'https://plans.example.com/check' })).toThrow(
      'ENTITLEMENTS_SECRET_ID',
    );
  });
});

describe('the entitlement service', () => {
  it('is asked for the organization and the feature, with the bearer secret', async () => {
    const { check, questions } = await startEntitlements(answering({ allowed: true }));
    const organization = buildOrganization();

    const entitlement = await check(organization, now);

    expect(entitlement).toEqual({ allowed: true });
    expect(questions).toMatchObject([
      {
        headers: { authorization: 'Bearer entitlement-secret', 'content-type': 'application/json' },
        body: { customer_id: organization.id, feature_id: 'attachments', with_preview: true },
      },
    ]);
  });

  it('may deny, with a preview of what would allow it', async () => {
    const preview = { title: 'Upgrade', products: [{ id: 'pro' }] };
    const { check } = await startEntitlements(answering({ allowed: false, preview, code: 'x' }));

    expect(await check(buildOrganization(), now)).toEqual({ allowed: false, preview });
  });

  it.each([
    ['500', answering({ allowed: true }, 500)],
    ['401', answering({ allowed: true }, 401)],
    ['no JSON', answering('<html>')],
    ['JSON cut off', answering('{"allowed":tr')],
    ['other JSON', answering({ allowed: 'yes' })],
    ['nothing', answering('')],
    [
      'a redirect',
      (response: ServerResponse) => response.writeHead(307, { location: '/other' }).end(),
    ],
  ])('answering %s is a no, asked for once', async (_what, answer) => {
    const { check, questions } = await startEntitlements(answer);

    expect(await check(buildOrganization(), now)).toEqual({
      allowed: false,
      failure: expect.any(Error),
    });
    expect(questions).toHaveLength(1);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['before any answer', () => {}],
    ['in the middle of an answer', (response) => response.writeHead(200).write('{"allo')],
  ])('silent %s is a no after the timeout, asked for once', async (_when, answer) => {
    const timeout = holdTimeout();
    const { check, questions } = await startEntitlements(
      (response) => {
        answer(response);
        timeout.end();
      },
      { timeoutMs: 200 },
    );

    const { allowed } = await check(buildOrganization(), now);

    expect(allowed).toBe(false);
    expect(timeout.asked).toHaveBeenCalledExactlyOnceWith(200);
    expect(questions).toHaveLength(1);
  });

  it('has two seconds unless told otherwise, its second question included', async () => {
    const timeout = holdTimeout();
    const { check } = await startEntitlements((response, attempt) =>
      attempt === 1 ? response.destroy() : answering({ allowed: true })(response),
    );

    await check(buildOrganization(), now);

    expect(timeout.asked).toHaveBeenCalledExactlyOnceWith(2_000);
  });

  it('that nobody can connect to is a no', async () => {
    const { check, stop } = await startEntitlements(answering({ allowed: true }));
    await stop();

    expect(await check(buildOrganization(), now)).toMatchObject({ allowed: false });
  });

  it('is asked once more, and no more, when the connection breaks', async () => {
    const breaking = await startEntitlements((response) => response.destroy());
    const recovering = await startEntitlements((response, attempt) =>
      attempt === 1 ? response.destroy() : answering({ allowed: true })(response),
    );

    const broken = await breaking.check(buildOrganization(), now);
    const recovered = await recovering.check(buildOrganization(), now);

    expect([broken.allowed, breaking.questions.length]).toEqual([false, 2]);
    expect([recovered.allowed, recovering.questions.length]).toEqual([true, 2]);
  });
});

describe('an answer of the entitlement service', () => {
  it('counts for 60 seconds, for its organization', async () => {
    const { check, questions } = await startEntitlements((response, attempt) =>
      answering({ allowed: attempt === 1 })(response),
    );
    const [one, other] = [buildOrganization(), buildOrganization()];

    const answers = [
      await check(one, now),
      await check(one, now + 59_999),
      await check(one, now + 60_000),
      await check(other, now),
    ];

    expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, false, false]);
    expect(questions).toHaveLength(3);
  });

  it.each([
    ['a yes', 200, true],
    ['a failure', 500, false],
  ])('counts for all who ask at the same time: %s', async (_what, status, allowed) => {
    const { check, questions } = await startEntitlements(answering({ allowed: true }, status));
    const organization = buildOrganization();

    const answers = await Promise.all(Array.from({ length: 100 }, () => check(organization, now)));

    expect(answers.filter((answer) => answer.allowed === allowed)).toHaveLength(100);
    expect(questions).toHaveLength(1);
  });

  it('is not kept when it was none', async () => {
    const { check } = await startEntitlements((response, attempt) =>
      answering({ allowed: true }, attempt === 1 ? 500 : 200)(response),
    );
    const organization = buildOrganization();

    const first = await check(organization, now);
    const second = await check(organization, now);

    expect([first.allowed, second.allowed]).toEqual([false, true]);
  });
});
