import { describe, expect, it } from 'vitest';
import { fingerprintOf, type IdempotencyRecord } from '#shared/sending/idempotency';
import { type SendDependencies, sendEmail } from '#shared/sending/send-email';
import { parseSendRequest } from '#shared/sending/send-request';
import type { Template } from '#shared/templates/template';
import { newSendId, newTemplateId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSendDependencies, sendingNow } from '../../support/send-dependencies-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplate } from '../../support/template-builder.ts';

type Scenario = {
  readonly idempotencyKey?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The template in the table; `null` for none. */
  readonly template?: Partial<Template> | null;
  readonly overrides?: Partial<SendDependencies>;
  /** Of what the key was used for, if it was. */
  readonly record?: Partial<IdempotencyRecord>;
};

/** A send by a template of the key's organization. */
function prepare({ fields, template = {}, record, overrides, idempotencyKey }: Scenario = {}) {
  const organization = buildOrganization();
  const { text, apiKey } = buildApiKey({ organizationId: organization.id });
  const stored = buildTemplate({ id: newTemplateId(organization.id), ...template });
  const body = { to: 'ann@example.com', templateId: stored.id, variables: { name: 'Ann' } };
  const request = parseSendRequest({ ...body, ...fields }, idempotencyKey);
  if (!request.ok) throw request.error;
  const fingerprint = fingerprintOf('send', request.value);
  const { dependencies, effects } = buildSendDependencies(
    {
      apiKey,
      organization,
      contacts: [buildContact()],
      templates: template === null ? [] : [stored],
    },
    {
      findIdempotencyRecord: async () =>
        record && { ...buildRecord(newSendId(organization.id)), fingerprint, ...record },
      ...overrides,
    },
  );
  const command = { endpoint: 'send', credential: text, request, log: recordLog().log } as const;
  const observer = { onRateLimit: () => {}, onAttachments: () => {} };
  const run = () => sendEmail({ ...command, ...observer }, dependencies);
  const argsOf = (wanted: string) =>
    effects.filter(({ name }) => name === wanted).map(({ args }) => args);
  return { run, effects, argsOf, template: stored };
}

const buildRecord = (sendId: IdempotencyRecord['sendId']): IdempotencyRecord => ({
  state: 'completed',
  fingerprint: '',
  sendId,
  claimedAt: sendingNow - 60_000,
  leaseExpiresAt: sendingNow + 240_000,
  response: { sendId, status: 'sent', messageId: 'message-0' },
});

describe('a send by template', () => {
  it('hands over the rendered email', async () => {
    const { run, argsOf } = prepare();

    await run();

    expect(argsOf('provide')).toMatchObject([
      [
        {
          subject: 'Your receipt, Ann',
          text: 'Thank you, Ann.',
          html: expect.stringContaining('<p>Thank you, Ann.</p>'),
        },
        sendingNow + 300_000,
      ],
    ]);
  });

  it('reads the template beside the context, and nothing more than any send', async () => {
    const { run, effects } = prepare({ idempotencyKey: 'key-1' });

    await run();

    expect(effects.map(({ name }) => name)).toEqual([
      'readContext',
      'readTemplate',
      'claim',
      'provide',
      'commitAcceptance',
      'wakeQueue',
    ]);
  });

  it('stores subject and template with the send, and no variables', async () => {
    const { run, argsOf, template } = prepare({
      fields: { variables: { name: 'Ann', x: 'secret' } },
    });

    await run();

    const [[claim] = []] = argsOf('claim');
    expect(claim).toMatchObject({
      send: { subject: 'Your receipt, Ann', templateId: template.id },
    });
    expect(claim).not.toHaveProperty('send.missingVariables');
    expect(JSON.stringify(claim)).not.toContain('secret');
  });

  it('answers which variables were missing, and stores it for replays', async () => {
    const { run, argsOf } = prepare({ fields: { variables: {} } });

    const { response } = await run();

    expect(response.missingVariables).toEqual(['name']);
    expect(argsOf('commitAcceptance')).toMatchObject([[{ missingVariables: ['name'] }, {}, []]]);
  });

  it.each([
    ['of another organization', () => buildTemplate().id],
    ['unknown', undefined],
  ])('is refused when the template is %s, before it claims', async (_what, id) => {
    const fields = id === undefined ? {} : { templateId: id() };
    const { run, effects } = prepare({ template: null, fields });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([{ path: 'templateId', message: expect.any(String) }]);
    expect(effects.map(({ name }) => name)).not.toContain('claim');
  });

  it('does not read a template of another organization', async () => {
    const { run, argsOf } = prepare({ fields: { templateId: buildTemplate().id } });

    await serviceErrorOf(run);

    expect(argsOf('readTemplate')).toEqual([]);
  });

  it('fails when the template cannot be read', async () => {
    const { run } = prepare({
      overrides: {
        readTemplate: async () => {
          throw new Error('unread');
        },
      },
    });

    await expect(run()).rejects.toThrow('unread');
  });
});

describe('a retry of a send by template', () => {
  it('has the same fingerprint after the template was edited', async () => {
    const claims = [];
    const id = newTemplateId(buildOrganization().id);
    for (const subject of ['Before', 'After']) {
      const request = parseSendRequest(
        { to: 'ann@example.com', templateId: id, variables: { b: [{ d: 1, c: 2 }], a: 1 } },
        undefined,
      );
      if (!request.ok) throw request.error;
      const template = { id, variables: { a: 1, b: [{ c: 2, d: 1 }] }, missingVariables: [] };
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
    const uses: readonly (readonly [string, unknown])[] = [
      [one, {}],
      [other, {}],
      [one, { a: 1 }],
      [one, { a: '1' }],
      [one, { a: [1] }],
      [one, { a: { b: 1 } }],
      [one, { a: [['b', 1]] }],
      [one, JSON.parse('{"__proto__":1}')],
    ];

    const fingerprints = uses.map(([templateId, variables]) => {
      const request = parseSendRequest({ to: 'a@b.example', templateId, variables }, undefined);
      if (!request.ok) throw request.error;
      return fingerprintOf('send', request.value);
    });

    expect(new Set(fingerprints).size).toBe(uses.length);
  });

  it.each([
    ['deleted', null],
    ['edited so that it makes no email', { subject: '{{gone}}' }],
  ])('is a replay although the template was %s', async (_what, template) => {
    const { run, effects } = prepare({ idempotencyKey: 'key-1', template, record: {} });

    const result = await run();

    expect(result).toMatchObject({ replayed: true, response: { messageId: 'message-0' } });
    expect(effects.map(({ name }) => name)).toEqual([
      'readContext',
      'readTemplate',
      'findIdempotencyRecord',
    ]);
  });

  it.each<[string, Partial<IdempotencyRecord>, string]>([
    ['is told to wait while the first is under way', inProgress({}), 'idempotency_in_progress'],
    [
      'is told when the key was used for something else',
      { fingerprint: 'x' },
      'idempotency_key_reused',
    ],
    [
      'is refused when nothing came of the first',
      inProgress({ leaseExpiresAt: sendingNow - 1 }),
      'validation_failed',
    ],
  ])('whose template is gone %s', async (_what, record, code) => {
    const { run } = prepare({ idempotencyKey: 'key-1', template: null, record });

    expect((await serviceErrorOf(run)).code).toBe(code);
  });
});

function inProgress(overrides: Partial<IdempotencyRecord>): Partial<IdempotencyRecord> {
  return { state: 'in_progress', response: undefined, ...overrides };
}

describe('the body of a send by template', () => {
  const templateId = buildTemplate().id;
  const pathsOf = (fields: Readonly<Record<string, unknown>>) => {
    const parsed = parseSendRequest({ to: 'ann@example.com', ...fields }, undefined);
    return parsed.ok ? [] : parsed.error.errors?.map(({ path }) => path);
  };

  it('needs a templateId only, and takes variables', () => {
    expect(pathsOf({ templateId })).toEqual([]);
    expect(pathsOf({ templateId, variables: { a: { b: [1] } } })).toEqual([]);
  });

  it.each(['subject', 'content', 'htmlContent'])('has no %s beside it', (field) => {
    expect(pathsOf({ templateId, [field]: 'x' })).toEqual([field]);
    expect(pathsOf({ templateId, [field]: null })).toEqual([field]);
  });

  it('names every field that is too many, and other faults as well', () => {
    const words = { subject: 's', content: 'c', htmlContent: 'h' };

    expect(pathsOf({ templateId, ...words, to: 'nobody' })?.toSorted()).toEqual([
      'content',
      'htmlContent',
      'subject',
      'to',
    ]);
  });

  it.each([null, 7, '', 'nonsense', 'snd_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'])(
    'refuses the templateId %j',
    (id) => {
      expect(pathsOf({ templateId: id })).toEqual(['templateId']);
    },
  );

  it.each([null, [], 'x', { a: 'half \ud800' }])('refuses the variables %j', (variables) => {
    expect(pathsOf({ templateId, variables })).toEqual(['variables']);
  });

  it('has no variables without a templateId, since nothing would fill them in', () => {
    expect(pathsOf({ subject: 'Hi {{name}}', content: 'x', variables: {} })).toEqual(['variables']);
  });
});
