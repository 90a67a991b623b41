import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#shared/sending/fingerprint';
import { parseSendRequest } from '#shared/sending/request/send-request';
import type { Send } from '#shared/sending/send';
import { sendEmail } from '#shared/sending/send-email';
import type { Template } from '#shared/templates/template';
import { newTemplateId, slotIdOf } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { fakeSending, type SendingOverrides, sendingNow } from '../../support/sending-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplate } from '../../support/template-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

type Scenario = {
  readonly idempotencyKey?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The template in the table; `null` for none. */
  readonly template?: Partial<Template> | null;
  readonly overrides?: SendingOverrides;
  /** The send in the slot of the key, if there is one. */
  readonly existing?: Partial<Send>;
};

/** A send by a template of the key's organization. */
function prepare({ fields, template = {}, existing, overrides, idempotencyKey }: Scenario = {}) {
  const organization = buildOrganization();
  const { text, apiKey } = buildApiKey({ organizationId: organization.id });
  const stored = buildTemplate({ id: newTemplateId(organization.id), ...template });
  const body = { to: 'ann@example.com', templateId: stored.id, variables: { name: 'Ann' } };
  const request = parseSendRequest({ ...body, ...fields }, idempotencyKey);
  if (!request.ok) throw request.error;
  const fingerprint = fingerprintOf('send', request.value);
  const { sending, effects } = fakeSending(
    {
      apiKey,
      organization,
      contacts: [buildContact()],
      templates: template === null ? [] : [stored],
    },
    {
      claims: {
        get: async () => existing && buildExisting({ fingerprint, ...existing }),
      },
      ...overrides,
    },
  );
  const command = { endpoint: 'send', credential: text, request, log: recordLog().log } as const;
  const observer = {
    readBody: unexpected('readBody'),
    onKey: () => {},
    onRateLimit: () => {},
    onAttachments: () => {},
  };
  const run = () => sendEmail({ ...command, ...observer }, sending);
  const argsOf = (wanted: string) =>
    effects.filter(({ name }) => name === wanted).map(({ args }) => args);
  return { run, effects, argsOf, template: stored, organization };
}

const buildExisting = (overrides: Partial<Send>): Send =>
  buildClaim({
    status: 'sent',
    claimedAt: sendingNow - 60_000,
    providerMessageId: 'message-0',
    ...overrides,
  });

describe('a send by template', () => {
  it('hands over the rendered email', async () => {
    const { run, argsOf } = prepare();

    await run();

    expect(argsOf('callProvider')).toMatchObject([
      [
        {
          subject: 'Your receipt, Ann',
          text: 'Thank you, Ann.',
          html: expect.stringContaining('<p>Thank you, Ann.</p>'),
        },
        { beginsBefore: sendingNow + 30_000, endsBefore: sendingNow + 300_000 },
      ],
    ]);
  });

  it('reads template and recipient once its key is known, and nothing else beyond what a send reads', async () => {
    const { run, effects } = prepare({ idempotencyKey: 'key-1' });

    await run();

    expect(effects.map(({ name }) => name)).toEqual([
      'contexts.read',
      'contexts.readContacts',
      'templates.read',
      'claims.claim',
      'callProvider',
      'settlements.commitAcceptance',
    ]);
  });

  it('stores subject and template with the send, and no variables', async () => {
    const { run, argsOf, template } = prepare({
      fields: { variables: { name: 'Ann', x: 'secret' } },
    });

    await run();

    const [[claim] = []] = argsOf('claims.claim');
    expect(claim).toMatchObject({ subject: 'Your receipt, Ann', templateId: template.id });
    expect(claim).not.toHaveProperty('missingVariables');
    expect(JSON.stringify(claim)).not.toContain('secret');
  });

  it('stores the version and language of the template it used', async () => {
    const template = buildTemplate();
    const { id, version, ...parts } = template;
    const read = async () =>
      ({ kind: 'found', template: { id, version, locale: 'de', parts } }) as const;
    const { run, argsOf } = prepare({ template, overrides: { templates: { read } } });

    await run();

    const [[claim] = []] = argsOf('claims.claim');
    expect(claim).toMatchObject({ templateVersion: version, templateLocale: 'de' });
  });

  it('answers which variables were missing, and stores that for replays', async () => {
    const { run, argsOf } = prepare({ fields: { variables: {} } });

    const { response } = await run();

    expect(response.missingVariables).toEqual(['name']);
    expect(argsOf('settlements.commitAcceptance')).toMatchObject([
      [{ missingVariables: ['name'] }, {}, []],
    ]);
  });

  it.each([
    ['of another organization', () => buildTemplate().id],
    ['unknown', undefined],
  ])('is refused before it claims when the template is %s', async (_what, id) => {
    const fields = id === undefined ? {} : { templateId: id() };
    const { run, effects } = prepare({ template: null, fields });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([{ path: 'templateId', message: expect.any(String) }]);
    expect(effects.map(({ name }) => name)).not.toContain('claims.claim');
  });

  it('reads the template for the key’s organization', async () => {
    const { run, argsOf, organization, template } = prepare();

    await run();

    expect(argsOf('templates.read')).toMatchObject([[organization.id, { name: template.id }]]);
  });

  it('looks up no key when the request has none', async () => {
    const { run, effects } = prepare({ template: null });

    await serviceErrorOf(run);

    expect(effects.map(({ name }) => name)).not.toContain('claims.get');
  });

  it("fails when the template can't be read", async () => {
    const { run } = prepare({
      overrides: {
        templates: {
          read: async () => {
            throw new Error('unread');
          },
        },
      },
    });

    await expect(run()).rejects.toThrow('unread');
  });
});

describe('a retry of a send by template', () => {
  it('has the same fingerprint after the template was edited', async () => {
    const claims: string[] = [];
    const id = newTemplateId(buildOrganization().id);
    for (const subject of ['Before', 'After']) {
      const request = parseSendRequest(
        { to: 'ann@example.com', templateId: id, variables: { b: [{ d: 1, c: 2 }], a: 1 } },
        undefined,
      );
      if (!request.ok) throw request.error;
      const asked = { name: id, variables: { a: 1, b: [{ c: 2, d: 1 }] } };
      const used = {
        ...{ id, version: claims.length + 1, locale: undefined, replyTo: ['a@b.example'] },
        missingVariables: [],
      };
      const template = { asked, used };
      const words = { subject, content: subject, htmlContent: undefined };
      claims.push(fingerprintOf('send', request.value));
      claims.push(fingerprintOf('send', { ...request.value, ...words, template }));
    }

    expect(new Set(claims).size).toBe(1);
  });

  it('has another fingerprint for other variables or another template', () => {
    const [one, other] = [
      newTemplateId(buildOrganization().id),
      newTemplateId(buildOrganization().id),
    ];
    const uses: readonly (readonly [string, unknown, object?])[] = [
      [one, {}],
      [other, {}],
      [one, { a: 1 }],
      [one, { a: '1' }],
      [one, { a: [1] }],
      [one, { a: { b: 1 } }],
      [one, { a: [['b', 1]] }],
      [one, JSON.parse('{"__proto__":1}')],
      [one, {}, { templateVersion: 1 }],
      [one, {}, { templateVersion: 2 }],
      [one, {}, { locale: 'de' }],
      [one, {}, { subject: 'de' }],
      ['receipt', {}],
      ['receipt', {}, { replyTo: 'a@b.example' }],
    ];

    const fingerprints = uses.map(([template, variables, others]) => {
      const body = { to: 'a@b.example', template, variables, ...others };
      const request = parseSendRequest(body, undefined);
      if (!request.ok) throw request.error;
      return fingerprintOf('send', request.value);
    });

    expect(new Set(fingerprints).size).toBe(uses.length);
  });

  it.each([
    ['deleted', null],
    ['edited so that it makes no email', { subject: '{{gone}}' }],
  ])('is a replay even if the template was %s', async (_what, template) => {
    const { run, effects, argsOf, organization } = prepare({
      idempotencyKey: 'key-1',
      template,
      existing: {},
    });

    const result = await run();

    expect(result).toMatchObject({ replayed: true, response: { messageId: 'message-0' } });
    expect(effects.map(({ name }) => name)).toEqual([
      'contexts.read',
      'contexts.readContacts',
      'templates.read',
      'claims.get',
    ]);
    expect(argsOf('claims.get')).toEqual([[slotIdOf(organization.id, 'key-1'), sendingNow]]);
  });

  const inProgress = { status: 'sending', providerMessageId: undefined } as const;
  const lapsed = { ...inProgress, leaseExpiresAt: sendingNow };

  it.each<[string, Partial<Send> | undefined, string]>([
    ['is told to wait while the first is under way', inProgress, 'idempotency_in_progress'],
    [
      'is told when the key was used for something else',
      { fingerprint: 'x' },
      'idempotency_key_reused',
    ],
    ['is refused when the first was never accepted', lapsed, 'validation_failed'],
    ['is refused when the first failed', { status: 'failed' }, 'validation_failed'],
    ['is refused when there is no first', undefined, 'validation_failed'],
  ])('with a deleted template %s', async (_what, existing, code) => {
    const { run } = prepare({
      idempotencyKey: 'key-1',
      template: null,
      ...(existing && { existing }),
    });

    expect((await serviceErrorOf(run)).code).toBe(code);
  });
});

describe('the body of a send by template', () => {
  const templateId = buildTemplate().id;
  const pathsOf = (fields: Readonly<Record<string, unknown>>) => {
    const parsed = parseSendRequest({ to: 'ann@example.com', ...fields }, undefined);
    return parsed.ok ? [] : parsed.error.errors?.map(({ path }) => path);
  };

  it('names its template by id or alias, in one of two fields', () => {
    expect(pathsOf({ template: 'password-reset' })).toEqual([]);
    expect(pathsOf({ template: templateId })).toEqual([]);
    expect(pathsOf({ template: 'password-reset', templateId })).toEqual(['template']);
    expect(pathsOf({ template: 'password reset' })).toEqual(['template']);
    expect(pathsOf({ template: { id: templateId } })).toEqual(['template']);
    expect(pathsOf({ template: 'tpl_nonsense' })).toEqual(['template']);
  });

  it.each([
    ...[{ templateVersion: 0 }, { templateVersion: '1' }, { templateVersion: 1.5 }],
    ...[{ locale: '' }, { locale: 'not a language' }, { locale: 'x'.repeat(36) }],
  ])('rejects %j', (fields) => {
    expect(pathsOf({ templateId, ...fields })).toEqual(Object.keys(fields));
  });

  it('needs only a templateId, and accepts variables', () => {
    expect(pathsOf({ templateId })).toEqual([]);
    expect(pathsOf({ templateId, variables: { a: { b: [1] } } })).toEqual([]);
  });

  it('may have its own subject', () => {
    expect(pathsOf({ templateId, subject: 'x' })).toEqual([]);
  });

  it.each(['content', 'htmlContent'])('rejects %s beside it', (field) => {
    expect(pathsOf({ templateId, [field]: 'x' })).toEqual([field]);
    expect(pathsOf({ templateId, [field]: null })).toEqual([field]);
  });

  it('names every superfluous field, and other errors as well', () => {
    const words = { subject: 's', content: 'c', htmlContent: 'h' };

    expect(pathsOf({ templateId, ...words, to: 'nobody' })?.toSorted()).toEqual([
      'content',
      'htmlContent',
      'to',
    ]);
  });

  it.each([null, 7, '', 'nonsense', 'snd_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'])(
    'rejects the templateId %j',
    (id) => {
      expect(pathsOf({ templateId: id })).toEqual(['templateId']);
    },
  );

  it.each([null, [], 'x', { a: 'half \ud800' }])('rejects the variables %j', (variables) => {
    expect(pathsOf({ templateId, variables })).toEqual(['variables']);
  });

  it.each([...[{ variables: {} }, { templateVersion: 1 }, { locale: 'de' }]])(
    'rejects %j without a template, as nothing would be filled in',
    (fields) => {
      const words = { subject: 'Hi {{name}}', content: 'x' };

      expect(pathsOf({ ...words, ...fields })).toEqual(Object.keys(fields));
    },
  );
});
