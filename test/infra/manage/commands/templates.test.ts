import { describe, expect, it } from 'vitest';
import { fakeFetch, manage, type Reply, twin } from '../../../support/manage-builder.ts';

const failing = (code: string) => () => {
  throw Object.assign(new Error(`${code}: scandir 'emails'`), { code });
};

describe('a folder of templates', () => {
  it.each([
    ['push', 'is missing', failing('ENOENT'), "emails can't be read"],
    ['push', 'is a file', failing('ENOTDIR'), "emails can't be read"],
    ['push', 'has no templates', () => ['README.md', '.templates.json'], 'emails has no templates'],
    ['diff', 'is missing', failing('ENOENT'), "emails can't be read"],
    ['diff', 'has no templates', () => [], 'emails has no templates'],
    ['pull', 'is a file', failing('ENOTDIR'), "emails can't be read"],
    ['pull', 'is forbidden', failing('EACCES'), "emails can't be read"],
  ])('is refused by %s when it %s', async (command, _, listFolder, words) => {
    const printed = await manage(`templates ${command} emails`, { ...twin, listFolder });

    expect(printed).toMatchObject({ exitCode: 2, words: expect.stringContaining(words) });
  });

  it('may be missing for pull', async () => {
    const { fetch } = fakeFetch({ body: { data: [], nextCursor: null } });

    const listFolder = failing('ENOENT');
    const { exitCode, output } = await manage('templates pull emails', {
      ...{ ...twin, fetch, listFolder },
    });

    expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'No differences.\n' });
  });
});

describe('a file of a template', () => {
  const none = { body: { data: [], nextCursor: null } };
  const pushing = (name: string, bytes: Buffer, ...replies: readonly Reply[]) => {
    const { fetch, asked } = fakeFetch(none, ...replies);
    const listFolder = () => [name];
    const surroundings = { ...twin, fetch, listFolder, readFile: () => bytes };
    return { asked, printed: manage('templates push emails', surroundings) };
  };

  it.each([
    ['reset.html', 'Windows-1252', Buffer.from('<p>Grüße</p>', 'latin1')],
    ['reset.txt', 'UTF-16', Buffer.from('\ufeffGrüße', 'utf16le')],
    ['reset.json', 'Windows-1252', Buffer.from('{"subject":"Grüße"}', 'latin1')],
  ])("is rejected by name if it isn't UTF-8: %s in %s", async (name, _, bytes) => {
    const { asked, printed } = pushing(name, bytes);

    expect(await printed).toMatchObject({
      exitCode: 2,
      words: expect.stringContaining(`${name} isn't UTF-8`),
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ['reset.html', '<p>Grüße</p>', { htmlContent: '<p>Grüße</p>' }],
    ['reset.txt', 'Grüße', { content: 'Grüße' }],
    ['reset.json', '{"subject":"Grüße"}', { subject: 'Grüße' }],
  ])('is pushed without its byte order mark: %s', async (name, text, body) => {
    const { asked, printed } = pushing(name, Buffer.from(`\ufeff${text}`), { status: 500 });

    await printed;

    expect(asked.at(-1)).toMatchObject({ method: 'POST', body });
  });
});

describe('an answer about templates that this checkout doesn’t know', () => {
  const listed = {
    ...{ id: `tpl_${'a'.repeat(32)}`, alias: 'reset', name: 'Reset', subject: 'x', version: 1 },
    ...{ createdAt: 0, updatedAt: 0, contentHash: 'x' },
  };
  const view = { ...listed, htmlContent: 'x', versions: [] };
  const list = (...data: readonly object[]): Reply => ({ body: { data, nextCursor: null } });

  it.each<[string, string, readonly Reply[]]>([
    ['a list', 'pull', [list({ ...listed, version: 'one' })]],
    ['a template', 'pull --force', [list(listed), { body: {} }]],
    ['a created template', 'push', [list(), { status: 201, body: {} }]],
    ['a changed template', 'push --force', [list(view), { body: view }, { body: {} }]],
  ])('fails the command with a message, not a stack trace: %s', async (_, command, replies) => {
    const printed = await manage(`templates ${command} emails --json`, {
      ...twin,
      fetch: fakeFetch(...replies).fetch,
      listFolder: () => ['reset.html'],
      readFile: () => Buffer.from('<p>Hello</p>'),
    });

    expect(JSON.parse(printed.words)).toMatchObject({
      code: 'unknown_answer',
      detail: expect.stringMatching(
        /^The service's answer has no valid "[\w.]+"\. Use the checkout/,
      ),
    });
    expect(printed).toMatchObject({ exitCode: 1, output: '' });
  });
});
