import { describe, expect, it } from 'vitest';
import type { ApiKey } from '#shared/access/api-key';
import type { RateLimit } from '#shared/access/rate-window';
import { ServiceError } from '#shared/errors/service-error';
import {
  type AdmissionObserver,
  admit,
  admitAgain,
  readGroundsOfOne,
} from '#shared/sending/admission';
import { parseSendRequest } from '#shared/sending/request/send-request';
import { dayOf } from '#shared/timing/day';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import { keyedOrganization, otherDigestKey, useDigestKey } from '../../support/digest-key.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import {
  type Effect,
  fakeSending,
  type SendingOverrides,
  type SendingWorld,
  sendingNow,
} from '../../support/sending-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type Scenario = {
  readonly credential?: string;
  readonly key?: Parameters<typeof buildApiKey>[0];
  readonly world?: Omit<SendingWorld, 'apiKey'>;
  readonly overrides?: SendingOverrides;
  readonly body?: unknown;
};

/** Admits a request; by default a valid one, with a key without scopes. */
function prepare({ key = {}, world = {}, overrides, body = buildSendBody(), ...rest }: Scenario) {
  const { text, apiKey } = buildApiKey(key);
  const { sending, effects } = fakeSending({ ...world, apiKey }, overrides);
  const credential = 'credential' in rest ? rest.credential : text;
  const rateLimits: RateLimit[] = [];
  const observer: AdmissionObserver = {
    onKey: () => {},
    onRateLimit: (rateLimit) => rateLimits.push(rateLimit),
    onAttachments: () => {},
  };
  const run = async () => {
    const request = parseSendRequest(body, undefined);
    const grounds = await readGroundsOfOne(credential, request, sendingNow, sending, observer);
    return admit(request, grounds, sendingNow, sending, observer);
  };
  return { run, apiKey, effects, rateLimits };
}

const refusalOf = async (scenario: Scenario) => {
  const { code } = await serviceErrorOf(prepare(scenario).run);
  return code;
};

const namesOf = (effects: readonly Effect[]) => effects.map(({ name }) => name);

/** As accepted from the service itself. */
const acceptedEarlier = {
  acceptedAt: sendingNow,
  apiKeyId: undefined,
  fromEmail: 'hello@mail.example.com',
  isTest: false,
  now: sendingNow,
};

describe('admit, with a key for contact digests', () => {
  it('accepts contact ids stored under that key and from before it was set', async () => {
    const organization = keyedOrganization();

    expect(await prepare({ world: { organization } }).run()).toMatchObject({ organization });
    expect(
      await prepare({ world: { organization: buildOrganization({ id: oldId }) } }).run(),
    ).toBeDefined();
  });

  it.each([undefined, otherDigestKey])(
    'refuses contact ids stored under another key: %s',
    async (key) => {
      const organization = keyedOrganization();
      useDigestKey(key);

      expect(await refusalOf({ world: { organization } })).toBe('contact_digest_mismatch');
    },
  );

  it('refuses a contact whose id and stored digest disagree', async () => {
    const { contactDigest, ...unmarked } = keyedOrganization();
    const marked = buildOrganization({ id: oldId, ...(contactDigest && { contactDigest }) });

    expect(await refusalOf({ world: { organization: unmarked } })).toBe('contact_digest_mismatch');
    expect(await refusalOf({ world: { organization: marked } })).toBe('contact_digest_mismatch');
  });
});

const oldId = organizationIdSchema.parse('org_aaaaaaaaaaaaaaaa');

describe('admit', () => {
  it('admits a valid request', async () => {
    const organization = buildOrganization();
    const { run, apiKey } = prepare({ world: { organization } });

    expect(await run()).toMatchObject({
      apiKey,
      organization,
      sender: { fromEmail: 'hello@mail.example.com', fromName: undefined },
      request: { subject: 'Your receipt' },
      recipients: { suppressed: [], isToSuppressed: false },
    });
  });

  it('checks key, organization, scope, rate, request, sender, attachments and policy in this order', async () => {
    const withKey: Scenario = {
      key: { scopes: ['read_sends'], revokedAt: sendingNow, perMinuteCap: 1 },
      body: buildSendBody({
        subject: '',
        attachments: [buildAttachmentField()],
        policyKey: 'nope',
      }),
      world: { organization: undefined },
      overrides: { rateWindows: { count: async () => ({ count: 2, fits: false }) } },
    };
    const faults: Scenario = { ...withKey, credential: 'nonsense' };
    const notRevoked: Scenario = { ...withKey, key: { scopes: ['read_sends'], perMinuteCap: 1 } };
    const { identity: _none, ...nameless } = buildOrganization();
    const ofOne: Scenario = {
      ...notRevoked,
      world: { organization: { ...nameless, paused: true } },
    };
    const withScope: Scenario = { ...ofOne, key: { scopes: ['send_email'], perMinuteCap: 1 } };
    const withinRate: Scenario = { ...withScope, overrides: {} };
    const valid: Scenario = {
      ...withinRate,
      body: buildSendBody({ attachments: [buildAttachmentField()], policyKey: 'nope' }),
    };
    const unidentified: Scenario = { ...valid, world: { organization: nameless } };
    const active: Scenario = { ...valid, world: { organization: buildOrganization() } };
    const withoutAttachments: Scenario = { ...active, body: buildSendBody({ policyKey: 'nope' }) };

    const codes = [];
    for (const scenario of [
      faults,
      withKey,
      notRevoked,
      ofOne,
      withScope,
      withinRate,
      valid,
      unidentified,
      active,
      withoutAttachments,
    ]) {
      codes.push(await refusalOf(scenario));
    }

    expect(codes).toEqual([
      'invalid_api_key',
      'invalid_api_key',
      'invalid_api_key',
      'missing_scope',
      'rate_limited',
      'validation_failed',
      'tenant_paused',
      'no_active_identity',
      'plan_required',
      'unknown_policy',
    ]);
  });

  it.each([
    [true, { sending: 'paused', reason: 'High bounce rate' } as const, 'tenant_paused'],
    [true, { sending: 'enabled' } as const, undefined],
    [true, undefined, undefined],
    // Without tenants, no sweep would ever clear the last status from SES.
    [false, { sending: 'paused' } as const, undefined],
  ])(
    'with usesTenants %j and tenant status %j results in %s',
    async (usesTenants, tenant, code) => {
      const organization = buildOrganization(tenant && { tenant });
      const { run } = prepare({ world: { organization }, overrides: { usesTenants } });

      const refusal = await run().then(
        () => undefined,
        (error: unknown) => error,
      );

      expect(refusal).toEqual(code === undefined ? undefined : expect.objectContaining({ code }));
      if (code !== undefined) expect(String(refusal)).toContain('High bounce rate');
    },
  );

  it.each([undefined, '', 'nonsense'])(
    'refuses the credential %j without reading the table',
    async (credential) => {
      const { apiKey } = buildApiKey();
      const { sending, effects } = fakeSending({ apiKey });
      const parsed = parseSendRequest(buildSendBody(), undefined);

      const error = await serviceErrorOf(() =>
        readGroundsOfOne(credential, parsed, sendingNow, sending, { onKey: () => {} }),
      );

      expect(error.code).toBe('invalid_api_key');
      expect(effects).toEqual([]);
    },
  );

  it('reports only the bad key to an unknown caller whose body is invalid too', async () => {
    const stranger = buildApiKey().text;

    const code = await refusalOf({ credential: stranger, body: { to: 'nobody' } });

    expect(code).toBe('invalid_api_key');
  });

  it("refuses an organization whose identity isn't verified yet", async () => {
    const identity = { domain: 'd.example', fromEmail: 'a@d.example', status: 'pending' } as const;

    const code = await refusalOf({ world: { organization: buildOrganization({ identity }) } });

    expect(code).toBe('no_active_identity');
  });

  it('reads key, organization and all recipients in parallel', async () => {
    const body = buildSendBody({ cc: 'bob@example.com', bcc: ['cy@example.com'] });
    const { run, apiKey, effects } = prepare({ body });

    await run();

    expect(effects).toEqual([
      {
        name: 'contexts.read',
        args: [
          apiKey.id,
          ['ann@example.com', 'bob@example.com', 'cy@example.com'].map((identity) =>
            expect.objectContaining({ identity }),
          ),
        ],
      },
    ]);
  });

  it.each([
    [
      'more than three recipients',
      buildSendBody({ cc: ['b@x.example', 'c@x.example', 'd@x.example'] }),
    ],
    ['a template', { to: 'ann@example.com', template: 'receipt' }],
  ])('reads only key and organization for %s before the key is known', async (_what, body) => {
    const forged = prepare({ body, credential: buildApiKey().text });
    const known = prepare({ body });

    const error = await serviceErrorOf(forged.run);
    await Promise.allSettled([known.run()]);

    expect(error.code).toBe('invalid_api_key');
    expect(forged.effects).toEqual([{ name: 'contexts.read', args: [expect.anything(), []] }]);
    expect(namesOf(known.effects).slice(0, 2)).toEqual(['contexts.read', 'contexts.readContacts']);
  });

  it.each([
    ['goes to a suppressed address', {}, [buildContact({ bounce: { at: 1 } })]],
    ['goes out later', { sendAt: sendingNow + 60_000 }, []],
  ])(
    'refuses an email that %s when the daily storage limit is used up',
    async (_what, fields, contacts) => {
      const organization = buildOrganization({
        limits: { recipientsPerDay: 3 },
        dayUse: { day: dayOf(sendingNow), recipients: 0, stored: 3 },
      });
      const world = { organization, contacts };

      expect(await refusalOf({ world, body: buildSendBody(fields) })).toBe(
        'daily_recipients_exhausted',
      );
    },
  );

  it('fails when the read fails, as it could miss a suppression', async () => {
    const { run } = prepare({
      overrides: {
        contexts: {
          read: async () => {
            throw new Error('unread');
          },
        },
      },
    });

    await expect(run()).rejects.toThrow('unread');
  });

  it('applies the policy that the request names', async () => {
    const contacts = [buildContact({ unsubscribe: { at: 1 } })];

    const byDefault = await prepare({ world: { contacts } }).run();
    const asBulk = await prepare({
      world: { contacts },
      body: buildSendBody({ policyKey: 'bulk' }),
    }).run();

    expect(byDefault.recipients.isToSuppressed).toBe(false);
    expect(asBulk.recipients.isToSuppressed).toBe(true);
  });

  it("applies the organization's default policy when the request names none", async () => {
    const contacts = [buildContact({ unsubscribe: { at: 1 } })];
    const organization = buildOrganization({ defaultPolicyKey: 'bulk' });

    const byDefault = await prepare({ world: { organization, contacts } }).run();
    const named = await prepare({
      world: { organization, contacts },
      body: buildSendBody({ policyKey: 'transactional' }),
    }).run();

    expect(byDefault).toMatchObject({ policyKey: 'bulk', recipients: { isToSuppressed: true } });
    expect(named).toMatchObject({
      policyKey: 'transactional',
      recipients: { isToSuppressed: false },
    });
  });

  it('reports the field of an unknown policy and lists the existing ones', async () => {
    const organization = buildOrganization({ policies: { welcome: { kind: 'transactional' } } });
    const body = buildSendBody({ policyKey: '__proto__' });
    const { run } = prepare({ world: { organization }, body });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('unknown_policy');
    expect(error.errors).toEqual([
      {
        path: 'policyKey',
        message: 'unknown policy: use one of welcome, transactional, bulk',
      },
    ]);
  });

  it.each([
    ['cc', { cc: ['bob@example.com'], bcc: ['cy@example.com'] }],
    ['bcc', { bcc: 'bob@example.com' }],
  ])(
    "refuses a bulk email with %s, whose recipients couldn't unsubscribe",
    async (path, others) => {
      const { run } = prepare({ body: buildSendBody({ policyKey: 'bulk', ...others }) });

      const error = await serviceErrorOf(run);

      expect(error.code).toBe('bulk_needs_one_recipient');
      expect(error.errors).toEqual([{ path, message: expect.any(String) }]);
    },
  );

  it('admits a bulk email whose cc repeats the recipient', async () => {
    const { run } = prepare({ body: buildSendBody({ policyKey: 'bulk', cc: 'ANN@example.com' }) });

    expect(await run()).toMatchObject({ recipients: { cc: [], bcc: [] } });
  });
});

describe('attachments', () => {
  const attachments = [buildAttachmentField()];

  it('are admitted when the organization has them', async () => {
    const organization = buildOrganization({ attachmentsEnabled: true });
    const { run } = prepare({ world: { organization }, body: buildSendBody({ attachments }) });

    const { request } = await run();

    expect(request.attachments).toMatchObject([{ filename: 'notes.txt' }]);
  });

  it('are checked only when there are some', async () => {
    const { run, effects } = prepare({ body: buildSendBody({ attachments: [] }) });

    await run();

    expect(namesOf(effects)).not.toContain('checkEntitlement');
  });
});

describe('the rate limit', () => {
  it('is neither counted nor reported when the key has no cap', async () => {
    const { run, effects, rateLimits } = prepare({});

    await run();

    expect(namesOf(effects)).not.toContain('rateWindows.count');
    expect(rateLimits).toEqual([]);
  });

  it('is counted once and reported when the key has a cap', async () => {
    const { run, effects, rateLimits, apiKey } = prepare({ key: { perMinuteCap: 60 } });

    await run();

    expect(effects.filter(({ name }) => name === 'rateWindows.count')).toEqual([
      { name: 'rateWindows.count', args: [apiKey.id, sendingNow, { recipients: 1, cap: 60 }] },
    ]);
    expect(rateLimits).toMatchObject([{ limit: 60, remaining: 59 }]);
  });

  it.each<[string, Scenario, number]>([
    [
      'to, cc and bcc',
      { body: buildSendBody({ cc: ['b@example.com'], bcc: ['c@example.com'] }) },
      3,
    ],
    [
      'nobody who is left out',
      {
        body: buildSendBody({ cc: ['b@example.com'], bcc: ['c@example.com'] }),
        world: {
          contacts: [buildContact({ email: 'c@example.com', bounce: { at: sendingNow } })],
        },
      },
      2,
    ],
    [
      'one where nobody gets it',
      {
        body: buildSendBody({ to: 'a@example.com', cc: ['b@example.com'] }),
        world: {
          contacts: [buildContact({ email: 'a@example.com', bounce: { at: sendingNow } })],
        },
      },
      1,
    ],
  ])('counts %s', async (_what, scenario, recipients) => {
    const { run, effects, apiKey } = prepare({
      key: { perMinuteCap: 60, dailyCap: 90 },
      ...scenario,
    });

    await run();

    expect(effects.filter(({ name }) => name.startsWith('rateWindows'))).toEqual([
      { name: 'rateWindows.count', args: [apiKey.id, sendingNow, { recipients, cap: 60 }] },
      {
        name: 'rateWindows.countOfDay',
        args: [apiKey.id, sendingNow, recipients, { most: 90 - recipients }],
      },
    ]);
  });

  it('is reported with a refusal too, with the time to wait', async () => {
    const { run, rateLimits } = prepare({
      key: { perMinuteCap: 60 },
      overrides: { rateWindows: { count: async () => ({ count: 61, fits: false }) } },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('rate_limited');
    expect(error.retryAfterSeconds).toBe(60 - ((sendingNow / 1000) % 60));
    expect(rateLimits).toMatchObject([{ limit: 60, remaining: 0, isExceeded: true }]);
  });

  it.each<[string, Scenario]>([
    ['a field is at fault', { body: {} }],
    [
      'the organization is paused',
      { world: { organization: buildOrganization({ paused: true }) } },
    ],
    ['attachments are refused', { body: buildSendBody({ attachments: [buildAttachmentField()] }) }],
    ['the policy is unknown', { body: buildSendBody({ policyKey: 'nope' }) }],
  ])('is counted first, and reported even when %s', async (_what, scenario) => {
    const { run, effects, rateLimits } = prepare({ key: { perMinuteCap: 60 }, ...scenario });

    await serviceErrorOf(run);

    expect(namesOf(effects).slice(0, 2)).toEqual(['contexts.read', 'rateWindows.count']);
    expect(rateLimits).toMatchObject([{ limit: 60, remaining: 59 }]);
  });

  it.each<[string, Scenario]>([
    ['a wrong key', { credential: buildApiKey().text }],
    ['a revoked key', { key: { perMinuteCap: 60, revokedAt: sendingNow } }],
    ['a key without the scope', { key: { perMinuteCap: 60, scopes: ['read_sends'] } }],
  ])('does not count the requests of %s', async (_what, scenario) => {
    const { run, effects, rateLimits } = prepare({ key: { perMinuteCap: 60 }, ...scenario });

    await serviceErrorOf(run);

    expect(namesOf(effects)).toEqual(['contexts.read']);
    expect(rateLimits).toEqual([]);
  });
});

describe('an email with no recipients left', () => {
  const organization = buildOrganization({ limits: { sendsPerSecond: 1 } });
  const contacts = [buildContact({ bounce: { at: 1 } })];
  const countsOf = (effects: readonly Effect[]) =>
    namesOf(effects).filter((name) => name.startsWith('rateWindows'));

  it.each<[string, Scenario['key'], readonly string[]]>([
    ['counts towards the day of tests, if a test key sends it', { test: true }, ['countOfTests']],
    ['counts towards nothing of the organization, if it is real', {}, []],
  ])('%s', async (_what, key, counts) => {
    const { run, effects } = prepare({ key, world: { organization, contacts } });

    expect((await run()).recipients.isToSuppressed).toBe(true);

    expect(countsOf(effects)).toEqual(counts.map((name) => `rateWindows.${name}`));
  });

  it.each([
    [true, ['rateWindows.countOfTests']],
    [false, []],
  ])('counts the same when it was scheduled (test: %s)', async (isTest, counts) => {
    const { sending, effects } = fakeSending({ organization, contacts });
    const parsed = parseSendRequest(buildSendBody(), undefined);
    if (!parsed.ok) throw parsed.error;
    const accepted = { ...acceptedEarlier, isTest };

    await admitAgain(organization.id, parsed.value, accepted, sending);

    expect(countsOf(effects)).toEqual(counts);
  });
});

describe('an email accepted earlier', () => {
  const organization = buildOrganization();
  const { apiKey } = buildApiKey({ organizationId: organization.id });
  /** The organization now sends from an address other than the one the email was accepted with. */
  async function judge(
    stored: Partial<ApiKey> | undefined,
    { fromEmail = 'old@mail.example.com' } = {},
  ) {
    const key = stored && { ...apiKey, ...stored };
    const { sending } = fakeSending({ organization, ...(key && { apiKey: key }) });
    const contexts = {
      ...sending.contexts,
      read: async () => ({ apiKey: key, organization, contactOf: () => undefined }),
    };
    const parsed = parseSendRequest(buildSendBody(), undefined);
    if (!parsed.ok) throw parsed.error;
    const accepted = { ...acceptedEarlier, apiKeyId: apiKey.id, fromEmail };
    try {
      const admitted = await admitAgain(organization.id, parsed.value, accepted, {
        ...sending,
        contexts,
      });
      return admitted.ok ? 'admitted' : admitted.reason;
    } catch (error) {
      return error instanceof ServiceError ? error.code : 'error';
    }
  }
  const today = organization.identity?.fromEmail ?? '';

  it.each<[string, Partial<ApiKey> | undefined, string, string]>([
    [
      'is refused if its key was revoked as leaked',
      { revokedAt: 1, leaked: true },
      today,
      'ApiKeyLeaked',
    ],
    ['goes out though its key was revoked', { revokedAt: 1 }, today, 'admitted'],
    [
      'goes out from another address that its key may use',
      { allowedFrom: [today] },
      'old@x.example',
      'admitted',
    ],
    ['goes out from another address if its key may use all', {}, 'old@x.example', 'admitted'],
    [
      'is refused from another address that its key may not use',
      { allowedFrom: ['old@x.example'] },
      'old@x.example',
      'from_not_allowed',
    ],
    [
      'is refused from another address if its key is gone',
      undefined,
      'old@x.example',
      'from_not_allowed',
    ],
    [
      'goes out from the address it was accepted with, though its key was narrowed',
      { allowedFrom: ['new@x.example'] },
      today,
      'admitted',
    ],
  ])('%s', async (_what, stored, fromEmail, outcome) => {
    expect(await judge(stored, { fromEmail })).toBe(outcome);
  });
});

describe('admitAgain', () => {
  const acceptedAt = sendingNow - 1_000;
  const people = {
    to: ['ann@example.com', 'bob@example.com'],
    cc: 'cy@example.com',
    bcc: 'di@example.com',
  };

  /** Admits an email to four people, as a worker does, after one of them was erased. */
  function admitWith(erased: string, erasedAt: number) {
    const organization = buildOrganization();
    const { sending } = fakeSending(
      { organization },
      {
        contexts: {
          readForService: async () => ({
            apiKey: undefined,
            organization,
            contactOf: ({ identity }) =>
              identity === erased ? buildErasedContact({ erasedAt }) : undefined,
          }),
        },
      },
    );
    const parsed = parseSendRequest(buildSendBody(people), undefined);
    if (!parsed.ok) throw parsed.error;
    return admitAgain(organization.id, parsed.value, { ...acceptedEarlier, acceptedAt }, sending);
  }

  it.each(['bob@example.com', 'cy@example.com', 'di@example.com'])(
    'drops %s from the email when that person was erased after it was accepted',
    async (erased) => {
      const admission = await admitWith(erased, acceptedAt);

      expect(JSON.stringify(admission)).not.toContain(erased);
      expect(admission).toMatchObject({ admission: { recipients: { isToSuppressed: false } } });
    },
  );

  it('refuses the email once its `to` is erased', async () => {
    expect(await admitWith('ann@example.com', acceptedAt)).toEqual({
      ok: false,
      reason: 'RecipientErased',
    });
  });

  it('keeps a recipient whom a request named after the erasure', async () => {
    const admission = await admitWith('cy@example.com', acceptedAt - 1);

    expect(admission).toMatchObject({
      admission: { recipients: { cc: [{ identity: 'cy@example.com' }] } },
    });
  });
});
