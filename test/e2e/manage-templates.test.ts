import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { clearInbox, readInbox } from '../support/mailbox-inbox.ts';
import { openManageProgram } from '../support/manage-program.ts';
import { useTwin } from '../support/twin.ts';

const twin = await useTwin();
const { baseUrl, inboxUrl, manageKey } = twin;
const { manage, stop } = openManageProgram(twin);
const folders: string[] = [];
afterAll(async () => {
  stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function newFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
const textOf = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
const namesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .toSorted();

const bodyShape = z.looseObject({
  id: z.string().optional(),
  data: z.array(z.looseObject({ id: z.string() })).optional(),
});

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${manageKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return bodyShape.parse(text === '' ? {} : JSON.parse(text));
}
const create = async (template: object): Promise<string> =>
  z.string().parse((await call('POST', '/templates', template)).id);
const listed = async () => (await call('GET', '/templates?limit=100')).data ?? [];
const idOf = async (alias: string) =>
  (await listed()).find((one) => one['alias'] === alias)?.id ?? '';
const templateOf = async (alias: string) => call('GET', `/templates/${await idOf(alias)}`);

const statesShape = z.array(z.object({ alias: z.string(), state: z.string() }));

async function states(command: string, folder: string, ...options: string[]) {
  const { exitCode, output, words } = await manage([
    ...['templates', command, folder, '--json', ...options],
  ]);
  if (exitCode !== 0) throw new Error(words);
  const rows = statesShape.parse(JSON.parse(output));
  return Object.fromEntries(rows.map(({ alias, state }) => [alias, state]));
}

beforeEach(async () => {
  // Templates before the layouts that they have.
  for (let left = await listed(); left.length > 0; left = await listed()) {
    for (const { id } of left) await call('DELETE', `/templates/${id}`);
  }
  await clearInbox(inboxUrl);
});

describe('a folder of templates', () => {
  const files = {
    'main.html': '<main>{{{content}}}</main>',
    'main.json': '{"kind": "layout", "name": "Main"}',
    'receipt.html': '<p>{{name}}</p>\n',
    'receipt.txt': '{{name}}',
    'receipt.de.html': '<title>Ihr\n  Beleg</title><p>{{name}}</p>',
    'receipt.json': JSON.stringify({
      ...{ name: 'Receipt', subject: 'Your receipt', layout: 'main' },
      variables: { name: { type: 'string', fallback: 'friend' } },
    }),
  };

  it('round-trips through push and pull unchanged', async () => {
    const folder = newFolder(files);
    const [before, pushed, after] = [
      await states('diff', folder),
      await states('push', folder),
      await states('diff', folder),
    ];
    const other = newFolder();
    const pulled = await states('pull', other);
    const onceMore = newFolder();
    await states('pull', onceMore);

    expect([before, pushed, after]).toEqual([
      { main: 'only here', receipt: 'only here' },
      { main: 'only here', receipt: 'only here' },
      {},
    ]);
    expect(await templateOf('receipt')).toMatchObject({
      ...{ name: 'Receipt', subject: 'Your receipt', publishedVersion: 1 },
      layout: await idOf('main'),
      locales: { de: { subject: 'Ihr Beleg' } },
    });
    expect(pulled).toEqual({ main: 'only there', receipt: 'only there' });
    expect(namesIn(other)).toEqual(namesIn(folder));
    for (const name of namesIn(folder).filter((one) => !one.endsWith('.json'))) {
      expect(textOf(other, name)).toBe(textOf(folder, name));
    }
    expect(await states('diff', other)).toEqual({});
  });

  it('shows no difference after a push, even if it spells name and addresses differently', async () => {
    const settings = {
      name: 'Receipt ',
      subject: 'Your receipt',
      from: '"Example" <hello@EXAMPLE.com>',
      replyTo: 'Ann<ann@example.com>',
    };
    const folder = newFolder({
      'receipt.html': '<p>Hello</p>',
      'receipt.json': JSON.stringify(settings),
    });

    await states('push', folder);

    expect(await states('diff', folder)).toEqual({});
    expect(await states('push', folder)).toEqual({});
    expect(await templateOf('receipt')).toMatchObject({ name: 'Receipt', version: 1 });
  });

  it('pushes only changes and removals', async () => {
    const folder = newFolder(files);
    await states('push', folder);
    writeFileSync(join(folder, 'receipt.html'), '<p>New</p>');
    rmSync(join(folder, 'receipt.txt'));
    rmSync(join(folder, 'receipt.de.html'));

    expect(await states('push', folder)).toEqual({ receipt: 'changed here' });

    const receipt = await templateOf('receipt');
    expect(receipt).toMatchObject({ htmlContent: '<p>New</p>', version: 2, publishedVersion: 2 });
    expect(receipt).not.toHaveProperty('content');
    expect(receipt).not.toHaveProperty('locales');
    expect(await templateOf('main')).toMatchObject({ version: 1 });
  });

  it("doesn't overwrite concurrent edits without --force", async () => {
    const folder = newFolder(files);
    await states('push', folder);
    await call('PUT', `/templates/${await idOf('receipt')}`, { subject: 'Theirs' });
    const theirs = await states('push', folder);
    writeFileSync(join(folder, 'receipt.txt'), 'Mine');

    const refused = await manage(['templates', 'push', folder]);
    const kept = await templateOf('receipt');
    const pullRefused = await manage(['templates', 'pull', folder]);
    const forced = await states('push', folder, '--force');

    expect(theirs).toEqual({});
    expect([refused.exitCode, pullRefused.exitCode]).toEqual([5, 5]);
    expect(refused.words).toContain('receipt');
    expect(kept).toMatchObject({ subject: 'Theirs', content: '{{name}}' });
    expect(forced).toEqual({ receipt: 'changed in both' });
    expect(await templateOf('receipt')).toMatchObject({ subject: 'Your receipt', content: 'Mine' });
  });

  it('shows line by line what a push would add and remove', async () => {
    const folder = newFolder(files);
    await states('push', folder);
    await call('PUT', `/templates/${await idOf('receipt')}`, {
      ...{ subject: 'Theirs', content: 'Hi \u202e\u001b[2J' },
    });
    writeFileSync(join(folder, 'receipt.html'), '<p>{{name}}</p>\n<p>Bye</p>\n');
    rmSync(join(folder, 'receipt.de.html'));
    rmSync(join(folder, 'main.html'));
    rmSync(join(folder, 'main.json'));
    writeFileSync(join(folder, 'new.txt'), 'Hello');

    const { output } = await manage(['templates', 'diff', folder]);

    expect(output).toContain(
      '--- service/receipt.html\n+++ folder/receipt.html\n@@ -1,1 +1,2 @@\n <p>{{name}}</p>\n+<p>Bye</p>\n',
    );
    expect(output).toContain('--- service/receipt.de.html\n+++ /dev/null\n');
    expect(output).toMatch(/^-\s+"subject": "Theirs".+\n\+\s+"subject": "Your receipt"/m);
    expect(output).toContain('-Hi \ufffd\ufffd[2J\n');
    expect(output).toContain('--- service/main.html\n+++ /dev/null\n');
    expect(output).toContain('--- /dev/null\n+++ folder/new.txt\n@@ -0,0 +1,1 @@\n+Hello\n');
  });

  it('pulls only what was edited in the service', async () => {
    const folder = newFolder(files);
    await states('push', folder);
    await call('PUT', `/templates/${await idOf('receipt')}`, { content: null, subject: 'Theirs' });
    writeFileSync(join(folder, 'main.html'), '<b>{{{content}}}</b>');

    expect(await states('pull', folder)).toEqual({ receipt: 'changed there' });

    expect(namesIn(folder)).not.toContain('receipt.txt');
    expect(textOf(folder, 'receipt.json')).toContain('Theirs');
    expect(await states('diff', folder)).toEqual({ main: 'changed here' });
  });

  it('lists what push and pull leave alone', async () => {
    const folder = newFolder(files);
    await states('push', folder);
    await call('PUT', `/templates/${await idOf('receipt')}`, { subject: 'Theirs' });
    await call('POST', '/templates', { alias: 'new', name: 'New', subject: 'x', content: 'x' });
    const pushed = await manage(['templates', 'push', folder]);
    await states('pull', folder);
    writeFileSync(join(folder, 'main.html'), '<b>{{{content}}}</b>');
    const pulled = await manage(['templates', 'pull', folder]);

    expect(pushed).toMatchObject({
      output: '',
      words: 'Left alone: new (only there), receipt (changed there).\n',
    });
    expect(pulled).toMatchObject({ output: '', words: 'Left alone: main (changed here).\n' });
  });

  it('pushes drafts, and publishes them with the next push', async () => {
    const folder = newFolder(files);
    await states('push', folder);
    writeFileSync(join(folder, 'receipt.txt'), 'New');

    await states('push', folder, '--draft');
    const draft = await templateOf('receipt');
    await states('push', folder);

    expect(draft).toMatchObject({ content: 'New', version: 2, publishedVersion: 1 });
    expect(await templateOf('receipt')).toMatchObject({ version: 2, publishedVersion: 2 });
  });

  it.each([
    [{ 'a.json': '{' }, "a.json: it isn't JSON"],
    [{ 'a.html': 'x', 'a.json': '{"sbject": "x"}' }, 'a.json'],
    [{ 'two words.html': 'x' }, 'two words.html'],
    [{ 'a.html': 'x', 'a.json': '{"layout": "none"}' }, "there's no layout called none"],
    [{ 'a.html': '{{#x}}' }, 'never closed'],
  ])('is rejected, naming the file: %j', async (wrong, words) => {
    const refused = await manage(['templates', 'push', newFolder(wrong)]);

    expect(refused.exitCode).toBe(2);
    expect(refused.words).toContain(words);
  });

  it('names templates and layouts without an alias by id, and pushes them back', async () => {
    const layout = await create({ name: 'Frame', kind: 'layout', htmlContent: '{{{content}}}' });
    await create({ alias: 'receipt', name: 'Receipt', subject: 'x', content: 'x', layout });
    const folder = newFolder();
    await states('pull', folder);
    writeFileSync(join(folder, `${layout}.html`), '<main>{{{content}}}</main>');

    const [different, pushed] = [await states('diff', folder), await states('push', folder)];

    expect(JSON.parse(textOf(folder, 'receipt.json'))).toMatchObject({ layout });
    expect(different).toEqual({ [layout]: 'changed here' });
    expect(pushed).toEqual(different);
    expect(await states('diff', folder)).toEqual({});
  });

  it('reports an alias that would be read as a language, and pulls the rest', async () => {
    await create({ alias: 'news.de', name: 'News', subject: 'x', content: 'x' });
    await create({ alias: 'receipt', name: 'Receipt', subject: 'x', content: 'x' });
    const folder = newFolder();

    const { exitCode, words } = await manage(['templates', 'pull', folder]);

    expect(exitCode).toBe(1);
    expect(words).toContain('Skipped: news.de.');
    expect(namesIn(folder)).toEqual(['receipt.json', 'receipt.txt']);
  });

  it('creates no template from a file named by an id', async () => {
    const id = `tpl_${'a'.repeat(32)}`;

    const { exitCode, words } = await manage([
      'templates',
      'push',
      newFolder({ [`${id}.html`]: 'x' }),
    ]);

    expect([exitCode, words]).toEqual([2, expect.stringContaining(`${id}.json: there's no`)]);
  });

  it.each([
    ['receipt.html', { 'receipt.html': '{{#x}}' }],
    ['receipt.de.html', { 'receipt.html': 'x', 'receipt.de.html': '{{#x}}' }],
    ['receipt.json', { 'receipt.html': 'x', 'receipt.json': '{"subject": "{{#x}}"}' }],
  ])('is rejected by the service, naming the file: %s', async (file, files) => {
    const { words } = await manage(['templates', 'push', newFolder(files)]);

    expect(words).toContain(`  ${file}: `);
  });
});

describe('a folder exported by React Email', () => {
  it('is pushed unchanged, and sent', async () => {
    const folder = newFolder();
    execFileSync(process.execPath, ['test/support/render-react-email.mjs', folder]);

    const pushed = await states('push', folder);
    await call('POST', '/emails/send', {
      to: 'ann@example.com',
      template: 'password-reset',
      variables: { name: 'Ann', url: 'https://example.com/reset?token=1&user=2' },
    });

    expect(pushed).toEqual({ 'password-reset': 'only here' });
    expect(await templateOf('password-reset')).toMatchObject({
      htmlContent: textOf(folder, 'password-reset.html'),
    });
    const [email] = await readInbox(inboxUrl);
    expect(email?.subject).toBe('Reset your password, Ann');
    expect(email?.body.html).toMatch(/Hello <!-- -->Ann<!-- -->, somebody/);
    expect(email?.body.text).toContain(
      'Choose a password (https://example.com/reset?token=1&user=2)',
    );
    expect(await states('diff', folder)).toEqual({});
  });
});
