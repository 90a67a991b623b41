import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { fingerprintOf } from '#shared/sending/fingerprint';
import { parseSendRequest } from '#shared/sending/request/send-request';
import type { Template } from '#shared/templates/template';
import { createTemplate, replaceTemplate } from '#shared/templates/template-store';
import { newOrganizationId, newTemplateId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import { leaseMs } from '../../support/send-builder.ts';
import { openSendWorld } from '../../support/send-world.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const idempotencyKey = 'key-1';
const aSend = ['PutItem SEND', 'SES', 'UpdateItem SEND'];

/** Sends by a template of the key's organization. */
async function openTemplateWorld(parts?: Partial<Template>) {
  const world = await openSendWorld();
  const template = await world.putTemplate(parts);
  const byTemplate = {
    ...{ subject: undefined, content: undefined },
    ...{ templateId: template.id, variables: { name: 'Ann' } },
  };
  world.calls.length = 0;
  return Object.assign(world, {
    template,
    sendByTemplate: (fields?: Readonly<Record<string, unknown>>) =>
      world.send({ idempotencyKey, body: { ...byTemplate, ...fields } }),
  });
}

describe('a send by template', () => {
  it('hands over the rendered email', async () => {
    const world = await openTemplateWorld();

    await world.sendByTemplate();

    expect(world.mailbox).toMatchObject([
      {
        subject: 'Your receipt, Ann',
        text: 'Thank you, Ann.',
        html: expect.stringContaining('<p>Thank you, Ann.</p>'),
      },
    ]);
  });

  it('reads recipient and template once its key is known, and nothing else beyond what a send reads', async () => {
    const world = await openTemplateWorld();

    await world.sendByTemplate();

    expect(world.calls).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem', ...aSend]);
  });

  it('by alias costs no more than by id once the process knows the alias', async () => {
    const world = await openTemplateWorld({ alias: 'receipt' });
    const byAlias = { templateId: undefined, template: 'receipt' };
    await world.send({ body: { subject: undefined, content: undefined, ...byAlias } });
    world.calls.length = 0;

    await world.sendByTemplate(byAlias);

    expect(world.calls).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem', ...aSend]);
  });

  it('stores subject and template with the send, and no variables', async () => {
    const world = await openTemplateWorld();

    await world.sendByTemplate({ variables: { name: 'Ann', x: 'secret' } });

    const send = world.stored();
    expect(send).toMatchObject({ subject: 'Your receipt, Ann', templateId: world.template.id });
    expect(send).not.toHaveProperty('missingVariables');
    expect(JSON.stringify(send)).not.toContain('secret');
  });

  it('stores the version and language of the template it used', async () => {
    const locales = { de: { subject: 'Deine Quittung', content: 'Danke, {{name}}.' } };
    const world = await openTemplateWorld({ version: 3, locales });

    await world.sendByTemplate({ locale: 'de-AT' });

    expect(world.stored()).toMatchObject({ templateVersion: 3, templateLocale: 'de' });
    expect(world.mailbox).toMatchObject([{ subject: 'Deine Quittung', text: 'Danke, Ann.' }]);
  });

  it('answers which variables were missing, and so do its replays', async () => {
    const world = await openTemplateWorld();

    const first = await world.sendByTemplate({ variables: {} });
    const again = await world.sendByTemplate({ variables: {} });

    expect(first.response.missingVariables).toEqual(['name']);
    expect(world.stored().missingVariables).toEqual(['name']);
    expect(again).toEqual({ response: first.response, replayed: true });
  });

  it.each(['of another organization', 'unknown'])(
    'is refused before it claims when the template is %s',
    async (which) => {
      const world = await openTemplateWorld();
      const organizationId = newOrganizationId();
      const other = buildTemplate({ id: newTemplateId(organizationId) });
      const entry = newAuditEntry(organizationId, 'operator', { action: 'x', target: 'x' }, 1);
      await createTemplate(world.sending.table, other, entry);
      const { id } = which === 'unknown' ? { id: newTemplateId(world.organization.id) } : other;

      const error = await serviceErrorOf(() => world.sendByTemplate({ templateId: id }));

      expect(error.code).toBe('validation_failed');
      expect(error.errors).toEqual([{ path: 'templateId', message: expect.any(String) }]);
      expect(world.calls).not.toContain('PutItem SEND');
    },
  );

  it('looks up no key when the request has none', async () => {
    const world = await openTemplateWorld();
    const body = { subject: undefined, content: undefined, template: 'gone' };

    await serviceErrorOf(() => world.send({ body }));

    expect(world.calls).not.toContain('GetItem SEND');
  });

  it("fails when the template can't be read", async () => {
    const world = await openTemplateWorld();
    let reads = 0;
    world.disturb = async (call) => {
      if (call === 'BatchGetItem') reads += 1;
      if (reads === 3) throw new Error('unread');
    };

    await expect(world.sendByTemplate()).rejects.toThrow('unread');

    expect(world.mailbox).toEqual([]);
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

  it('is a replay even if the template was edited so that it makes no email', async () => {
    const world = await openTemplateWorld();
    const { response } = await world.sendByTemplate();
    const { template, organization, sending } = world;
    const edited = { ...template, subject: '{{gone}}', version: 2, updatedAt: world.now };
    const change = { action: 'template.updated', target: template.id };
    const entry = newAuditEntry(organization.id, 'operator', change, world.now);
    await replaceTemplate(sending.table, template, edited, entry);

    const { code } = await serviceErrorOf(() =>
      world.send({ body: { subject: undefined, content: undefined, templateId: template.id } }),
    );

    expect(code).toBe('validation_failed');
    expect(await world.sendByTemplate()).toEqual({ response, replayed: true });
    expect(world.mailbox).toHaveLength(1);
  });

  it('with a deleted template gets idempotency_key_reused when the key was used for something else', async () => {
    const world = await openTemplateWorld();
    await world.send({ idempotencyKey });
    await world.deleteTemplate(world.template);

    const { code } = await serviceErrorOf(() => world.sendByTemplate());

    expect(code).toBe('idempotency_key_reused');
  });

  it.each([
    {
      what: 'is told to wait while the first is under way',
      outcome: { kind: 'unknown', cause: new Error('socket hang up') },
      later: 0,
      code: 'idempotency_in_progress',
    },
    {
      what: 'is refused when the first was never accepted',
      outcome: { kind: 'unknown', cause: new Error('socket hang up') },
      later: leaseMs,
      code: 'validation_failed',
    },
    {
      what: 'is refused when the first failed',
      outcome: { kind: 'refused', reason: 'MessageRejected' },
      later: 0,
      code: 'validation_failed',
    },
  ] as const)('with a deleted template $what', async ({ outcome, later, code }) => {
    const world = await openTemplateWorld();
    world.ses = () => outcome;
    await serviceErrorOf(() => world.sendByTemplate());
    await world.deleteTemplate(world.template);
    world.now += later;

    const error = await serviceErrorOf(() => world.sendByTemplate());

    expect(error.code).toBe(code);
    expect(world.mailbox).toHaveLength(1);
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
