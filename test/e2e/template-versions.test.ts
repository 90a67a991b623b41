import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { clearInbox, readInbox } from '../support/mailbox-inbox.ts';
import { buildTemplate } from '../support/template-builder.ts';
import { type Fields, useTemplatePrograms } from '../support/template-programs.ts';

const { inboxUrl, newProgram } = await useTemplatePrograms();

beforeEach(() => clearInbox(inboxUrl));

type Program = Awaited<ReturnType<typeof newProgram>>;

const send = ({ call }: Program, fields: Fields, key?: string) =>
  call(
    'POST',
    '/emails/send',
    { to: 'ann@example.com', ...fields },
    key === undefined ? {} : { 'idempotency-key': key },
  );
const subjects = async () => (await readInbox(inboxUrl)).map(({ subject }) => subject);

/** A template called `reset`, with a published subject and another in its draft. */
async function withDraft(program: Program) {
  const { id } = await program.create({ alias: 'reset', subject: 'Published' });
  await program.call('PUT', `/templates/${id}`, { subject: 'Draft', draft: true });
  return id;
}

describe('a draft', () => {
  it('is what managers see, while sends use the published version', async () => {
    const program = await newProgram();
    const id = await withDraft(program);

    const newest = await program.call('GET', `/templates/${id}`);
    const inForce = await program.call('GET', `/templates/${id}?version=1`);
    const list = await program.call('GET', '/templates');
    await send(program, { templateId: id });

    expect(newest.body).toMatchObject({ subject: 'Draft', version: 2, publishedVersion: 1 });
    expect(newest.body['contentHash']).not.toBe(inForce.body['contentHash']);
    expect(inForce.body).toMatchObject({ subject: 'Published', version: 1, publishedVersion: 1 });
    expect(inForce.headers.get('etag')).toBe('"1"');
    expect(list.body['data']).toMatchObject([
      {
        ...{ id, alias: 'reset', subject: 'Draft', version: 2, publishedVersion: 1 },
        contentHash: newest.body['contentHash'],
      },
    ]);
    expect(await subjects()).toEqual(['Published']);
  });

  it('is sent once published, and an old version by its number as long as it is kept', async () => {
    const program = await newProgram();
    const id = await withDraft(program);

    const published = await program.call('POST', `/templates/${id}/publish`, undefined, {
      'if-match': '"2"',
    });
    const again = await program.call('POST', `/templates/${id}/publish`);
    await send(program, { template: 'reset' });
    await send(program, { template: 'reset', templateVersion: 1 });
    const unknown = await send(program, { template: 'reset', templateVersion: 9 });

    expect(published.body).toMatchObject({
      ...{ subject: 'Draft', version: 2, publishedVersion: 2 },
      versions: [{ version: 1, publishedAt: expect.any(Number) }],
    });
    expect([again.status, again.body]).toEqual([200, published.body]);
    expect(await subjects()).toEqual(['Draft', 'Published']);
    expect([unknown.status, unknown.paths]).toEqual([400, ['templateVersion']]);
  });

  it("isn't published over a version that the caller hasn't seen", async () => {
    const program = await newProgram();
    const id = await withDraft(program);

    const { status, body } = await program.call('POST', `/templates/${id}/publish`, undefined, {
      'if-match': '"1"',
    });

    expect([status, body.code]).toEqual([412, 'version_mismatch']);
  });

  it("stays a draft when the template is renamed, and is published by the next change that isn't one", async () => {
    const program = await newProgram();
    const id = await withDraft(program);

    await program.call('PUT', `/templates/${id}`, { alias: 'password-reset' });
    const freed = await send(program, { template: 'reset' });
    await send(program, { template: 'password-reset' });
    await program.call('PUT', `/templates/${id}`, { content: 'New' });
    await send(program, { template: 'password-reset' });

    expect([freed.status, freed.paths]).toEqual([400, ['template']]);
    expect(await subjects()).toEqual(['Published', 'Draft']);
  });

  it('that was never published is refused, naming the field', async () => {
    const program = await newProgram();
    const { id } = await program.create({ alias: 'new', draft: true });

    const bySend = await send(program, { template: 'new' });
    const rendered = await program.call('POST', `/templates/${id}/render`, {});

    expect([bySend.status, bySend.paths]).toEqual([400, ['template']]);
    expect([rendered.status, rendered.body['subject']]).toEqual([200, 'Your receipt, ']);
  });
});

describe('a retry of a send by alias', () => {
  it('is a replay after the template was published again, and after its alias moved', async () => {
    const program = await newProgram();
    const id = await withDraft(program);
    const ask = { template: 'reset', locale: 'de-AT' };
    const first = await send(program, ask, 'key-1');

    await program.call('POST', `/templates/${id}/publish`);
    const afterPublishing = await send(program, ask, 'key-1');
    await program.call('PUT', `/templates/${id}`, { alias: null });
    const withoutAlias = await send(program, ask, 'key-1');
    await program.create({ alias: 'reset', subject: 'Elsewhere' });
    const elsewhere = await send(program, ask, 'key-1');

    const replay = { ...first.body, reused: true };
    expect([afterPublishing.body, withoutAlias.body, elsewhere.body]).toEqual([
      replay,
      replay,
      replay,
    ]);
    expect(await subjects()).toEqual(['Published']);
  });

  it.each([{ templateVersion: 1 }, { locale: 'de' }, { subject: 'Mine' }, { template: 'other' }])(
    'is a different send with %j',
    async (change) => {
      const program = await newProgram();
      await program.create({ alias: 'reset' });
      await send(program, { template: 'reset' }, 'key-1');

      const { status, body } = await send(program, { template: 'reset', ...change }, 'key-1');

      expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
    },
  );
});

describe('what a template sets for its sends', () => {
  it('includes sender, reply-to and subject, unless the send sets them', async () => {
    const program = await newProgram();
    await program.create({
      alias: 'reset',
      from: 'Security <security@mail.example.com>',
      replyTo: ['Help <help@example.com>'],
    });

    const { body } = await send(program, { template: 'reset', variables: { name: 'Ann' } });
    await send(program, {
      template: 'reset',
      from: 'other@mail.example.com',
      subject: 'Mine {{name}}',
      replyTo: 'me@example.com',
    });

    const [first, second] = await readInbox(inboxUrl);
    expect(first).toMatchObject({
      from: '"Security" <security@mail.example.com>',
      subject: 'Your receipt, Ann',
    });
    expect(second).toMatchObject({ from: 'other@mail.example.com', subject: 'Mine {{name}}' });
    const { body: timeline } = await program.call('GET', `/sends/${body['sendId']}`);
    expect(timeline['send']).toMatchObject({
      templateVersion: 1,
      fromName: 'Security',
      replyTo: ['Help <help@example.com>'],
    });
  });

  it('is refused if its sender is on an inactive domain', async () => {
    const program = await newProgram();
    await program.create({ alias: 'reset', from: 'a@elsewhere.example' });

    const { status, body } = await send(program, { template: 'reset' });

    expect([status, body.code]).toEqual([403, 'no_active_identity']);
  });

  it('includes its variables: required ones, fallbacks and types', async () => {
    const program = await newProgram();
    const variables = {
      name: { type: 'string', fallback: 'friend' },
      order: { type: 'object', required: true },
      count: { type: 'number' },
    };
    await program.create({ alias: 'reset', subject: 'Hi {{name}}: {{order.id}}', variables });

    const wrong = await send(program, { template: 'reset', variables: { name: 7, count: '1' } });
    const right = await send(program, {
      template: 'reset',
      variables: { order: { id: 7 }, name: null },
    });

    expect(wrong.body.errors).toEqual([
      { path: 'variables.name', message: 'must be a string, as the template declares it' },
      { path: 'variables.order', message: 'is required by the template' },
      { path: 'variables.count', message: 'must be a number, as the template declares it' },
    ]);
    expect(right.body).not.toHaveProperty('missingVariables');
    expect(await subjects()).toEqual(['Hi friend: 7']);
  });

  it("includes its text in other languages, with its layout's", async () => {
    const program = await newProgram();
    const layout = await program.create({
      kind: 'layout',
      subject: undefined,
      htmlContent: '<main>{{{content}}}</main><p>Northwind</p>',
      content: undefined,
      locales: { de: { htmlContent: '<main>{{{content}}}</main><p>Nordwind</p>' } },
    });
    const de = { subject: 'Ihr Beleg', htmlContent: '<b>{{name}}</b>' };
    await program.create({ alias: 'reset', layout: layout.id, locales: { de } });

    for (const locale of ['de_at', 'en', undefined]) {
      await send(program, { template: 'reset', locale, variables: { name: '<Ann>' } });
    }

    const received = await readInbox(inboxUrl);
    expect(received.map(({ subject, body }) => [subject, body.html])).toEqual([
      ['Ihr Beleg', expect.stringContaining('<main><b>&lt;Ann&gt;</b></main><p>Nordwind</p>')],
      ['Your receipt, <Ann>', expect.stringContaining('</main><p>Northwind</p>')],
      ['Your receipt, <Ann>', expect.stringContaining('</main><p>Northwind</p>')],
    ]);
    expect(received[0]?.body.text).toContain('Nordwind');
    const removal = await program.call('DELETE', `/templates/${layout.id}`);
    expect([removal.status, removal.body.code]).toEqual([409, 'layout_in_use']);
  });
});

describe('a copy of a template', () => {
  it('has the newest content under its own names', async () => {
    const program = await newProgram();
    const id = await withDraft(program);

    const copy = await program.call('POST', `/templates/${id}/duplicate`, {
      name: 'Copy',
      alias: 'copy',
    });
    const taken = await program.call('POST', `/templates/${id}/duplicate`, {
      name: 'Copy 2',
      alias: 'reset',
    });
    await send(program, { template: 'copy' });

    expect([copy.status, copy.headers.get('etag')]).toEqual([201, '"1"']);
    expect(copy.body).toMatchObject({
      subject: 'Draft',
      version: 1,
      publishedVersion: 1,
      versions: [],
    });
    expect([taken.status, taken.body.code, taken.paths]).toEqual([
      ...[409, 'template_alias_taken', ['alias']],
    ]);
    expect(await subjects()).toEqual(['Draft']);
  });
});

describe('a template', () => {
  it.each<[Fields, string]>([
    [{ alias: 'two words' }, 'alias'],
    [{ alias: 'tpl_x' }, 'alias'],
    [{ from: 'nobody' }, 'from'],
    [{ from: 'Eve\r\n <a@mail.example.com>' }, 'from'],
    [{ replyTo: [] }, 'replyTo'],
    [{ replyTo: ['a@b.example', 'x'] }, 'replyTo.1'],
    [{ variables: { 'a.b': { type: 'string' } } }, 'variables.a.b'],
    [{ variables: { a: { type: 'text' } } }, 'variables.a.type'],
    [{ variables: { a: { type: 'string', fallback: 7 } } }, 'variables.a.fallback'],
    [
      { variables: { a: { type: 'string', fallback: 'x', required: true } } },
      'variables.a.fallback',
    ],
    [{ locales: { deutsch_: { subject: 'x', content: 'x' } } }, 'locales.deutsch_'],
    [{ locales: { 'de-at': { subject: 'x', content: 'x' } } }, 'locales.de-at'],
    [{ locales: { de: { content: 'x' } } }, 'locales.de.subject'],
    [{ locales: { de: { subject: 'x' } } }, 'locales.de.htmlContent'],
    [{ locales: { de: { subject: '{{#a}}', content: 'x' } } }, 'locales.de.subject'],
    [{ layout: buildTemplate().id }, 'layout'],
    [{ kind: 'layout', htmlContent: '<p></p>', content: '{{{content}}}' }, 'htmlContent'],
    [{ kind: 'layout', htmlContent: '{{content}}', content: '{{{content}}}' }, 'htmlContent'],
    [
      { kind: 'layout', htmlContent: '{{#a}}{{{content}}}{{/a}}', content: '{{{content}}}' },
      'htmlContent',
    ],
  ])('is rejected with %j', async (fields, path) => {
    const { call, create } = await newProgram();
    const { id } = await create();
    const body = { name: 'x', subject: 'x', content: 'x', ...fields };

    const created = await call('POST', '/templates', body);
    const { kind: _, ...changes } = fields;
    const changed = 'kind' in fields ? created : await call('PUT', `/templates/${id}`, changes);

    expect([created.status, created.paths]).toEqual([400, [path]]);
    expect([changed.status, changed.paths]).toEqual([400, [path]]);
  });

  it('is restored exactly as it was read', async () => {
    const program = await newProgram();
    const created = await program.create({
      ...{ alias: 'reset', from: 'a@mail.example.com', replyTo: 'b@example.com' },
      variables: { a: { type: 'list', fallback: [1e300, { deep: ['x'] }] } },
      locales: { de: { subject: 'x', content: 'x' } },
    });

    const { status, body } = await program.call('PUT', `/templates/${created.id}`, created);
    const shape = z.object({ contentHash: z.string() });

    expect(status).toBe(200);
    expect(body).toMatchObject({ replyTo: ['b@example.com'], version: 2 });
    expect(shape.parse(body)).toEqual(shape.parse(created));
    const less = { variables: { a: null }, locales: { de: null }, replyTo: null, alias: null };
    const { body: after } = await program.call('PUT', `/templates/${created.id}`, less);
    for (const field of Object.keys(less)) expect(after).not.toHaveProperty(field);
  });
});
