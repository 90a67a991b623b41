import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  countDayOfKey,
  countDayOfTests,
  countMinuteOfKey,
  countSpanOfOrganization,
} from '#shared/access/rate-window-store';
import type { TenantState } from '#shared/organizations/organization';
import { organizationKey } from '#shared/table/keys';
import { dayOf } from '#shared/timing/day';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { openSendWorld, startOfWorld } from '../../support/send-world.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type Given = Parameters<typeof openSendWorld>[0];
type Fields = Readonly<Record<string, unknown>>;

/** In the order in which they are found. */
const faults = [
  ['a malformed key', 'invalid_api_key'],
  ['a revoked key', 'invalid_api_key'],
  ['an organization that is gone', 'invalid_api_key'],
  ['a key that may not send', 'missing_scope'],
  ['a minute that is used up', 'rate_limited'],
  ['an invalid field', 'validation_failed'],
  ['a pause', 'tenant_paused'],
  ['an organization without identity', 'no_active_identity'],
  ['attachments without a plan', 'plan_required'],
  ['an unknown policy', 'unknown_policy'],
] as const;

/** What a request with these faults is refused for. */
async function refusalFor(present: readonly (readonly [string, string])[]) {
  const has = (fault: (typeof faults)[number][0]) => present.some(([name]) => name === fault);
  const world = await openSendWorld({
    key: {
      scopes: [has('a key that may not send') ? 'read_sends' : 'send_email'],
      perMinuteCap: 1,
      ...(has('a revoked key') && { revokedAt: startOfWorld }),
    },
    organization: {
      paused: has('a pause'),
      ...(has('an organization without identity') && { identity: undefined }),
    },
  });
  const { organization, apiKeyId, now, sending } = world;
  const { client, name } = sending.table;
  if (has('a minute that is used up')) {
    await countMinuteOfKey(sending.table, apiKeyId, now, { recipients: 1, cap: 1 });
  }
  if (has('an organization that is gone')) {
    const Key = organizationKey(organization.id);
    await client.send(new DeleteCommand({ TableName: name, Key }));
  }
  const error = await serviceErrorOf(() =>
    world.send({
      ...(has('a malformed key') && { credential: 'nonsense' }),
      body: {
        ...(has('an invalid field') && { subject: '' }),
        ...(has('attachments without a plan') && { attachments: [buildAttachmentField()] }),
        ...(has('an unknown policy') && { policyKey: 'nope' }),
      },
    }),
  );
  return error.code;
}

/** What becomes of an email, or the code of its refusal. */
async function fateOf(given: Given, body?: Fields) {
  const world = await openSendWorld(given);
  return world.send({ ...(body && { body }) }).then(
    ({ response }) => response.status,
    ({ code }: { readonly code: string }) => code,
  );
}

describe('a request with many faults', () => {
  it.each(faults.map(([fault, code], place) => [fault, code, faults.slice(place)] as const))(
    'is refused for %s before all that follow, with %s',
    async (_fault, code, present) => {
      expect(await refusalFor(present)).toBe(code);
    },
  );
});

describe('an organization whose sending SES has paused', () => {
  it.each<[boolean, TenantState | undefined, string]>([
    [true, { sending: 'paused' }, 'tenant_paused'],
    [true, { sending: 'enabled' }, 'sent'],
    [true, undefined, 'sent'],
    // Without tenants, no sweep would ever clear the last status from SES.
    [false, { sending: 'paused' }, 'sent'],
  ])('(tenants: %s, status: %j) has its email %s', async (usesTenants, tenant, fate) => {
    const organization = { ...(tenant && { tenant }) };

    expect(await fateOf({ settings: { usesTenants }, organization })).toBe(fate);
  });

  it('gets the reason that SES gave', async () => {
    const tenant = { sending: 'paused', reason: 'High bounce rate' } as const;
    const world = await openSendWorld({
      settings: { usesTenants: true },
      organization: { tenant },
    });

    expect((await serviceErrorOf(() => world.send())).message).toContain('High bounce rate');
  });

  it('still sends tests', async () => {
    const tenant = { sending: 'paused' } as const;
    const given = { settings: { usesTenants: true }, organization: { tenant } };

    expect(await fateOf({ ...given, key: { test: true } })).toBe('sent');
  });
});

it('an email of an organization whose identity is pending is refused', async () => {
  const identity = { domain: 'd.example', fromEmail: 'a@d.example', status: 'pending' } as const;

  expect(await fateOf({ organization: { identity } })).toBe('no_active_identity');
});

describe('the policy of an email', () => {
  const contacts = [{ unsubscribe: { at: 1 } }];

  it.each([
    [{}, undefined, 'sent'],
    [{}, 'bulk', 'suppressed'],
    [{ defaultPolicyKey: 'bulk' }, undefined, 'suppressed'],
    [{ defaultPolicyKey: 'bulk' }, 'transactional', 'sent'],
  ])(
    'is the one it names, else the default of its organization: %j, %s → %s',
    async (organization, policyKey, fate) => {
      expect(await fateOf({ organization, contacts }, { policyKey })).toBe(fate);
    },
  );

  it('is stored by its key', async () => {
    const world = await openSendWorld({ organization: { defaultPolicyKey: 'bulk' } });

    await world.send();

    expect(world.stored().policyKey).toBe('bulk');
  });

  it('is refused when it is unknown, with the names of the others', async () => {
    const policies = { welcome: { kind: 'transactional' } } as const;
    const world = await openSendWorld({ organization: { policies } });

    const error = await serviceErrorOf(() => world.send({ body: { policyKey: '__proto__' } }));

    expect(error.code).toBe('unknown_policy');
    expect(error.errors).toEqual([
      {
        path: 'policyKey',
        message: 'unknown policy: use one of welcome, transactional, bulk',
      },
    ]);
  });
});

describe('a bulk email', () => {
  it.each([
    ['to', { to: ['ann@example.com', 'bob@example.com'] }],
    ['cc', { cc: ['bob@example.com'], bcc: ['cy@example.com'] }],
    ['bcc', { bcc: 'bob@example.com' }],
  ])("with others in %s is refused: they couldn't unsubscribe", async (path, others) => {
    const world = await openSendWorld();

    const error = await serviceErrorOf(() =>
      world.send({ body: { policyKey: 'bulk', ...others } }),
    );

    expect(error.code).toBe('bulk_needs_one_recipient');
    expect(error.errors).toEqual([{ path, message: expect.any(String) }]);
  });

  it('whose cc repeats the recipient goes to that one', async () => {
    const world = await openSendWorld();

    await world.send({ body: { policyKey: 'bulk', cc: 'ANN@example.com' } });

    expect(world.mailbox).toMatchObject([{ to: [{ address: 'ann@example.com' }], cc: [] }]);
  });
});

describe('the caps of a key', () => {
  const key = { perMinuteCap: 60, dailyCap: 90 };
  const usedOf = async ({
    context,
    sending,
    apiKeyId,
    now,
  }: Awaited<ReturnType<typeof openSendWorld>>) => ({
    minute: 60 - (context.rateLimit?.remaining ?? 60),
    day: await countDayOfKey(sending.table, apiKeyId, now, 1),
  });

  it('are neither counted nor shown if it has none', async () => {
    const world = await openSendWorld();

    await world.send();

    expect(world.context.rateLimit).toBeUndefined();
    expect(await usedOf(world)).toEqual({ minute: 0, day: 0 });
  });

  it.each([
    ['to, cc and bcc', [], { cc: ['b@example.com'], bcc: ['c@example.com'] }, 3],
    [
      'nobody who is left out',
      [{ email: 'c@example.com', bounce: { at: 1 } }],
      { cc: ['b@example.com'], bcc: ['c@example.com'] },
      2,
    ],
    ['one if nobody gets it', [{ bounce: { at: 1 } }], { cc: ['b@example.com'] }, 1],
  ])('count %s', async (_what, contacts, body, recipients) => {
    const world = await openSendWorld({ key, contacts });

    await world.send({ body });

    expect(await usedOf(world)).toEqual({ minute: recipients, day: recipients });
  });

  it.each<[string, Given, Fields]>([
    ['a field is at fault', {}, { to: 'nobody' }],
    ['the organization is paused', { organization: { paused: true } }, {}],
    ['attachments are refused', {}, { attachments: [buildAttachmentField()] }],
    ['the policy is unknown', {}, { policyKey: 'nope' }],
  ])('count one and are shown when %s', async (_what, given, body) => {
    const world = await openSendWorld({ key, ...given });

    await serviceErrorOf(() => world.send({ body }));

    expect(world.context.rateLimit).toMatchObject({ limit: 60, remaining: 59 });
    expect(await usedOf(world)).toEqual({ minute: 1, day: 1 });
  });

  it.each<[string, NonNullable<Given>['key'], string | undefined]>([
    ['a wrong key', {}, buildApiKey().text],
    ['a revoked key', { revokedAt: startOfWorld }, undefined],
    ['a key without the scope', { scopes: ['read_sends'] }, undefined],
  ])('count no request of %s', async (_what, settings, credential) => {
    const world = await openSendWorld({ key: { ...key, ...settings } });

    await serviceErrorOf(() => world.send({ ...(credential && { credential }) }));

    expect(world.context.rateLimit).toBeUndefined();
    expect(await usedOf(world)).toEqual({ minute: 0, day: 0 });
  });
});

describe('an email that nobody gets', () => {
  const organization = { limits: { sendsPerSecond: 1 } };
  const contacts = [{ bounce: { at: 1 } }];

  it.each([
    ['counts towards the day of tests, if a test key sends it', { test: true as const }, [1, 0]],
    ['counts towards nothing of its organization, if it is real', {}, [0, 0]],
  ])('%s', async (_what, key, counts) => {
    const world = await openSendWorld({ key, organization, contacts });
    const { id } = world.organization;
    const { table } = world.sending;

    expect((await world.send()).response.status).toBe('suppressed');

    expect([
      await countDayOfTests(table, id, world.now, 1),
      await countSpanOfOrganization(table, id, world.now, 1),
    ]).toEqual(counts);
  });
});

describe('the daily limit of stored emails', () => {
  it.each([
    ['goes to a suppressed address', {}, [{ bounce: { at: 1 } }]],
    ['goes out later', { sendAt: startOfWorld + 60_000 }, []],
  ])('refuses an email that %s as well, once it is used up', async (_what, body, contacts) => {
    const organization = {
      limits: { recipientsPerDay: 3 },
      dayUse: { day: dayOf(startOfWorld), recipients: 0, stored: 3 },
    };

    expect(await fateOf({ organization, contacts }, body)).toBe('daily_recipients_exhausted');
  });
});
