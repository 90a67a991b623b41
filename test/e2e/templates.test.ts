import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Fields, fieldsWith, useTemplatePrograms } from '../support/template-programs.ts';

const { newProgram } = await useTemplatePrograms();

const listShape = z.object({
  data: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  nextCursor: z.string().nullable(),
});

const numbered = <Value>(first: number, count: number, prefix: string, value: Value) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${prefix}${100 + first + index}`, value]),
  );
const languages = (first: number, count: number) =>
  numbered(first, count, 'de-x1', { subject: 'x', content: 'x' });
const variables = (first: number, count: number) => numbered(first, count, 'x', { type: 'string' });
const without = (entries: Fields) =>
  Object.fromEntries(Object.keys(entries).map((name) => [name, null]));

describe('creating a template', () => {
  it('returns 201 with the whole template and its version', async () => {
    const { call } = await newProgram();
    const fields = fieldsWith({});

    const { status, body, headers } = await call('POST', '/templates', fields);

    expect(status).toBe(201);
    expect(body).toEqual({
      ...fields,
      id: expect.stringMatching(/^tpl_/),
      version: 1,
      publishedVersion: 1,
      versions: [],
      contentHash: expect.any(String),
      createdAt: expect.any(Number),
      updatedAt: body['createdAt'],
    });
    expect(headers.get('etag')).toBe('"1"');
  });

  it('accepts HTML alone and text alone', async () => {
    const { create } = await newProgram();

    expect(await create({ content: undefined })).not.toHaveProperty('content');
    expect(await create({ htmlContent: undefined })).not.toHaveProperty('htmlContent');
  });

  it.each<[string, Fields, string]>([
    ['no name', { name: undefined }, 'name'],
    ['no subject', { subject: undefined }, 'subject'],
    ['neither body', { htmlContent: undefined, content: undefined }, 'htmlContent'],
    ['a body of over 256 KB', { htmlContent: 'é'.repeat(128 * 1024 + 1) }, 'htmlContent'],
    ['a number for a body', { content: 7 }, 'content'],
    ['a body by another service’s name', { html: '<p>' }, 'html'],
  ])('rejects %s', async (_what, fields, path) => {
    const { call } = await newProgram();

    const { status, body, paths } = await call('POST', '/templates', fieldsWith(fields));

    expect({ status, code: body.code, paths }).toEqual({
      status: 400,
      code: 'validation_failed',
      paths: [path],
    });
  });

  it('locates a syntax error in its field', async () => {
    const { call } = await newProgram();
    const fields = { subject: 'Hi {{name', htmlContent: '<p>\n  {{#a}}{{/b}}', content: '{{>x}}' };

    const { body } = await call('POST', '/templates', fieldsWith(fields));

    expect(body.errors).toEqual([
      { path: 'subject', message: 'line 1, column 4: a tag is not closed' },
      { path: 'htmlContent', message: expect.stringMatching(/^line 2, column 9: section "b"/) },
      { path: 'content', message: expect.stringMatching(/^line 1, column 1: partials/) },
    ]);
  });

  it('answers megabytes quickly', async () => {
    const { call } = await newProgram();
    const before = process.cpuUsage();

    const { status } = await call(
      'POST',
      '/templates',
      fieldsWith({ content: '{{a '.repeat(1e6) }),
    );

    expect(status).toBe(400);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });

  it('returns 409 when the organization has a template of that name', async () => {
    const { call, create } = await newProgram();
    await create({ name: 'Receipt' });

    const { status, body, paths } = await call(
      'POST',
      '/templates',
      fieldsWith({ name: ' Receipt ' }),
    );

    expect({ status, code: body.code, paths }).toEqual({
      status: 409,
      code: 'template_name_taken',
      paths: ['name'],
    });
  });
});

describe('updating a template', () => {
  it('changes only the given fields, and increments the version', async () => {
    const { call, create } = await newProgram();
    const created = await create();

    const { status, body, headers } = await call('PUT', `/templates/${created.id}`, {
      subject: 'New',
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      ...created,
      subject: 'New',
      version: 2,
      publishedVersion: 2,
      versions: [{ version: 1, publishedAt: expect.any(Number) }],
      contentHash: expect.any(String),
      updatedAt: expect.any(Number),
    });
    expect(headers.get('etag')).toBe('"2"');
    expect((await call('GET', `/templates/${created.id}`)).body).toEqual(body);
  });

  it('removes a body that is null', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({ htmlContent: '<p>Hi</p>', content: 'Hi' });

    const { status, body } = await call('PUT', `/templates/${id}`, { htmlContent: null });

    expect([status, body['content']]).toEqual([200, 'Hi']);
    expect(body).not.toHaveProperty('htmlContent');
    expect((await call('GET', `/templates/${id}`)).body).toEqual(body);
  });

  it('accepts a whole template exactly as it was read', async () => {
    const { call, create } = await newProgram();
    const created = await create();

    const { status, body } = await call('PUT', `/templates/${created.id}`, created);

    expect({ status, id: body.id, version: body['version'] }).toEqual({
      status: 200,
      id: created.id,
      version: 2,
    });
  });

  it('rejects changes that add up to too many languages or variables', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({ locales: languages(0, 20), variables: variables(0, 50) });

    const language = await call('PUT', `/templates/${id}`, { locales: languages(20, 1) });
    const variable = await call('PUT', `/templates/${id}`, { variables: variables(50, 1) });
    const size = await call('PUT', `/templates/${id}`, {
      variables: { x100: { type: 'string', fallback: 'x'.repeat(15 * 1024) } },
    });

    expect([language, variable, size].map(({ status, body }) => [status, body.errors])).toEqual([
      [400, [{ path: 'locales', message: expect.stringContaining('at most 20') }]],
      [400, [{ path: 'variables', message: expect.stringContaining('at most 50') }]],
      [400, [{ path: 'variables', message: expect.stringContaining('at most 16384 bytes') }]],
    ]);
    expect((await call('POST', `/templates/${id}/publish`)).status).toBe(200);
  });

  it('replaces all its languages and variables by as many others at once', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({ locales: languages(0, 20), variables: variables(0, 50) });

    const { status, body } = await call('PUT', `/templates/${id}`, {
      locales: { ...without(languages(0, 20)), ...languages(20, 20) },
      variables: { ...without(variables(0, 50)), ...variables(50, 50) },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ locales: languages(20, 20), variables: variables(50, 50) });
    expect(Object.keys({ ...Object(body['locales']), ...Object(body['variables']) })).toHaveLength(
      70,
    );
  });

  it('frees the old name on a rename, and returns 409 for a taken one', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({ name: 'Receipt' });
    await create({ name: 'Invoice' });

    const taken = await call('PUT', `/templates/${id}`, { name: 'Invoice' });
    const renamed = await call('PUT', `/templates/${id}`, { name: 'Bill' });

    expect([taken.status, renamed.status]).toEqual([409, 200]);
    await create({ name: 'Receipt' });
  });

  it('succeeds with If-Match of its version', async () => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const { status } = await call(
      'PUT',
      `/templates/${id}`,
      { subject: 'New' },
      { 'if-match': '"1"' },
    );

    expect(status).toBe(200);
  });

  it('returns 412 with If-Match of another version, and changes nothing', async () => {
    const { call, create } = await newProgram();
    const created = await create();
    const headers = { 'if-match': '"2"' };

    const update = await call('PUT', `/templates/${created.id}`, { subject: 'New' }, headers);
    const removal = await call('DELETE', `/templates/${created.id}`, undefined, headers);

    expect([update, removal].map(({ status, body }) => [status, body.code])).toEqual([
      [412, 'version_mismatch'],
      [412, 'version_mismatch'],
    ]);
    expect((await call('GET', `/templates/${created.id}`)).body).toEqual(created);
  });

  it('accepts only one of several concurrent changes to the same version', async () => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((subject) =>
        call('PUT', `/templates/${id}`, { subject }, { 'if-match': '"1"' }),
      ),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
  });

  it('loses neither of two concurrent changes to different fields', async () => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const answers = await Promise.all([
      call('PUT', `/templates/${id}`, { subject: 'New subject' }),
      call('PUT', `/templates/${id}`, { content: 'New text' }),
    ]);

    const { body } = await call('GET', `/templates/${id}`);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(body).toMatchObject({ subject: 'New subject', content: 'New text', version: 3 });
  });

  it.each<[Fields, string]>([
    [{ subject: '' }, 'subject'],
    [{ subject: null }, 'subject'],
    [{ htmlContent: null, content: null }, 'content'],
    [{ htmlContent: '{{#a}}' }, 'htmlContent'],
    [{ html: '<p>' }, 'html'],
  ])('rejects %j', async (fields, path) => {
    const { call, create } = await newProgram();
    const { id } = await create();

    const { status, paths } = await call('PUT', `/templates/${id}`, fields);

    expect({ status, paths }).toEqual({ status: 400, paths: [path] });
  });
});

describe('deleting a template', () => {
  it('returns 204 without a body, then 404, and frees its name', async () => {
    const { call, create } = await newProgram();
    const { id } = await create({ name: 'Receipt' });

    const first = await call('DELETE', `/templates/${id}`);
    const second = await call('DELETE', `/templates/${id}`);

    expect({ status: first.status, text: first.text }).toEqual({ status: 204, text: '' });
    expect(first.headers.get('x-request-id')).not.toBeNull();
    expect(second.status).toBe(404);
    await create({ name: 'Receipt' });
  });
});

describe('listing templates', () => {
  it('returns the newest first, without bodies, page by page', async () => {
    const { call, create } = await newProgram();
    for (const name of ['A', 'B', 'C']) await create({ name });

    const first = listShape.parse((await call('GET', '/templates?limit=2')).body);
    const second = listShape.parse(
      (await call('GET', `/templates?limit=2&cursor=${first.nextCursor}`)).body,
    );

    expect(first.data.map(({ name }) => name)).toEqual(['C', 'B']);
    expect(second.data.map(({ name }) => name)).toEqual(['A']);
    expect(second.nextCursor).toBeNull();
    expect(first.data[0]).not.toHaveProperty('htmlContent');
    expect(first.data[0]).toMatchObject({ version: 1, subject: 'Your receipt, {{name}}' });
  });

  it.each([
    ['a limit', 'limit', '0'],
    ['a cursor', 'cursor', 'x'],
  ])('rejects an invalid %s', async (_what, name, value) => {
    const { call } = await newProgram();

    const { status, paths } = await call('GET', `/templates?${name}=${value}`);

    expect({ status, paths }).toEqual({ status: 400, paths: [name] });
  });
});
