import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { axeFaultsAt } from '../support/axe-faults.ts';
import {
  type ConsoleLab,
  complaintsOf,
  goPatiently,
  loseAnswer,
  openConsoleLab,
  settled,
  signInByKey,
  signOut,
  startSession,
} from '../support/console-lab.ts';
import { readInbox } from '../support/mailbox-inbox.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

const answerShape = z.looseObject({ id: z.string() });

/** Calls the API as a colleague's program does. */
const api = async (method: string, path: string, body?: unknown) =>
  answerShape.parse(await lab.call(method, path, body));

let templates = 0;
function newTemplate(parts: object) {
  templates += 1;
  return api('POST', '/api/v1/templates', {
    name: `template ${templates}`,
    subject: 'Hello {{name}}',
    ...parts,
  });
}

/** A browser of its own that is signed in, at an address of the console. */
async function open(path: string, manageKey = lab.stack.description.manageKey) {
  const { baseUrl } = lab.stack.description;
  const context = await lab.browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await startSession(page, baseUrl, manageKey);
  await goPatiently(page, `${baseUrl}${path}`);
  return { context, page };
}

const editor = ({ id }: { id: string }) => `/console/templates/${id}`;
const openSettings = (page: Page) => page.getByText('Name, alias, layout').click();
const field = (page: Page, name: string) => page.getByRole('textbox', { name });
/** The frame of the preview that is shown. */
const preview = (page: Page) => page.frameLocator('iframe:not(.waiting)').locator('body');

describe('the preview', () => {
  it('follows what is typed, and neither a mistake nor the back button loses anything of it', async () => {
    const template = await newTemplate({ htmlContent: '<p>Hello {{name}}</p>' });
    const { page } = await open('/console/templates');
    await page.getByRole('link', { name: `template ${templates}` }).click();
    await preview(page).getByText('Hello name').waitFor();
    const entries = await page.evaluate('history.length');

    await field(page, 'HTML body').fill('<p>Dear {{person.name}}</p>');
    await preview(page).getByText('Dear').waitFor();
    await page.getByText('1 variable has no value').waitFor();
    await page.getByRole('button', { name: 'Add to the sample' }).click();
    await preview(page).getByText('Dear name').waitFor();
    await field(page, 'HTML body').fill('<p>Dear {{#person}}</p>');
    await page.getByText('section "person" is never closed').waitFor();

    expect(await preview(page).textContent()).toContain('Dear name');
    expect(await page.evaluate('history.length')).toBe(entries);
    await page.getByRole('button', { name: 'Go to the error' }).click();
    expect(await page.evaluate('document.activeElement.selectionStart')).toBe('<p>Dear '.length);
    expect(await api('GET', `/api/v1/templates/${template.id}`)).toMatchObject({ version: 1 });

    await field(page, 'HTML body').fill('<p>Hello {{name}}</p>');
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
  });

  it('takes a body of 256 KB', async () => {
    const row = '<p>&nbsp;</p>\n';
    const htmlContent = `${row.repeat(18_700)}<p>The end</p>`;
    const { page } = await open(editor(await newTemplate({ htmlContent })));

    await preview(page).getByText('The end').waitFor();
  });

  it('runs and posts nothing, leads nowhere, and leaves the console as it is, whatever HTML it shows', async () => {
    const { baseUrl } = lab.stack.description;
    const htmlContent = `<!doctype html>
<head><base href="https://evil.example/"><meta http-equiv="refresh" content="0; url=https://evil.example/refreshed">
<link rel="stylesheet" href="https://evil.example/style.css"><script>top.location = 'https://evil.example/script'</script></head>
<body onload="top.location = 'https://evil.example/onload'"><p>\u202ereversed ${'long '.repeat(2_000)}</p>
<p><a href="https://evil.example/plain">plain</a> <a href="https://evil.example/top" target="_top">top</a>
<a href="https://evil.example/self" target="_self">self</a> <a href="javascript:top.location='https://evil.example'">script</a>
<a href="${baseUrl}/console/emails" target="_parent">parent</a></p>
<form action="${baseUrl}/console/session" method="post" target="_top"><button>Post</button></form>
<iframe src="https://evil.example/frame"></iframe><img src="x" onerror="top.location = 'https://evil.example/error'">
<object data="https://evil.example/object"></object></body>`;
    const template = await newTemplate({ htmlContent, subject: '\u202e<script>{{name}}' });
    const { context, page } = await open(editor(template));
    const surprises: string[] = [];
    await context.route('https://evil.example/**', async (route) => {
      surprises.push(`asked for ${route.request().url()}`);
      await route.fulfill({ contentType: 'text/html', body: 'evil' });
    });
    context.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const isPost = response.request().method() === 'POST';
      if (isPost && pathname !== '/console/preview') surprises.push(`posted to ${pathname}`);
    });
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) surprises.push(`went to ${frame.url()}`);
    });
    context.on('page', (other) => surprises.push(`a window at ${other.url()}`));
    page.on('dialog', (dialog) => surprises.push(dialog.message()));
    // A pointer finds its way into a frame that isn't made smaller.
    await page.getByRole('radio', { name: 'Phone' }).check();
    await preview(page).getByText('reversed').waitFor();

    for (const name of ['plain', 'top', 'script', 'parent', 'self']) {
      await preview(page)
        .getByRole('link', { name, exact: true })
        .click({ force: true, noWaitAfter: true });
    }
    // The last link has left the frame with a page of the browser: the next preview is a new one.
    await field(page, 'Text body').fill('Hello');
    await page.getByText('Plain text', { exact: true }).waitFor();
    await preview(page)
      .getByRole('button', { name: 'Post' })
      .click({ force: true, noWaitAfter: true });
    await field(page, 'Subject').fill('Still here');
    await page.getByText('Not saved yet').waitFor();

    expect(page.url()).toBe(`${baseUrl}${editor(template)}`);
    expect(surprises).toEqual([]);
  });
});

describe('writing', () => {
  it('has the HTML in the upper half of the page, as settings are folded until one is wanted', async () => {
    const { page } = await open(editor(await newTemplate({ htmlContent: '<p>Hello</p>' })));
    await page.setViewportSize({ width: 1_440, height: 900 });
    const name = field(page, 'Name');
    const html = await field(page, 'HTML body').boundingBox();
    expect([await name.isVisible(), (html?.y ?? 900) < 450]).toEqual([false, true]);

    await openSettings(page);
    await name.fill(' ');
    await openSettings(page);
    await page.getByRole('radio', { name: 'Preview' }).check();
    await page.getByRole('button', { name: 'Publish' }).click();

    await page.getByText('Fill this in.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('template-name');
  });

  it('shows editor or preview on a phone', async () => {
    const template = await newTemplate({ htmlContent: '<p>Hello</p>' });
    const { page } = await open('/console/templates');
    await page.setViewportSize({ width: 390, height: 844 });
    await goPatiently(page, `${lab.stack.description.baseUrl}${editor(template)}`);
    await field(page, 'HTML body').waitFor();
    expect(await page.locator('iframe').first().isVisible()).toBe(false);

    await page.getByRole('radio', { name: 'Preview' }).check();

    await preview(page).getByText('Hello').waitFor();
    expect(await field(page, 'HTML body').isVisible()).toBe(false);
  });

  it('makes a template, and leads to it with what was typed in between', async () => {
    const { page } = await open('/console/templates/new');
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/api/v1/templates', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });

    await field(page, 'Name').fill('Welcome');
    await field(page, 'Subject').fill('Welcome {{name}}');
    await field(page, 'Text body').fill('Hello {{name}}');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Working…' }).waitFor();
    await field(page, 'Subject').fill('Welcome, {{name}}');
    letGo();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();

    await page.getByText('Not saved yet').waitFor();
    expect(await field(page, 'Subject').inputValue()).toBe('Welcome, {{name}}');
    await field(page, 'Subject').fill('Welcome {{name}}');
    await page.getByText('Version 1, saved').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await api('GET', `/api/v1/templates/${id}`)).toMatchObject({
      subject: 'Welcome {{name}}',
      content: 'Hello {{name}}',
    });
  });

  it('shows what a colleague saved, loses nothing, and overwrites only on request', async () => {
    const template = await newTemplate({ htmlContent: '<p>One</p>', content: 'One' });
    const { page } = await open(editor(template));
    await field(page, 'HTML body').fill('<p>Mine</p>');
    const theirs = { subject: 'Theirs', htmlContent: '<p>Theirs</p>' };
    await api('PUT', `/api/v1/templates/${template.id}`, theirs);

    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: 'Someone else saved version 2' }).waitFor();
    const conflict = page.locator('.conflict');
    expect(await conflict.textContent()).toContain('<p>Mine</p>');
    expect(await conflict.textContent()).toContain('<p>Theirs</p>');
    expect(await api('GET', `/api/v1/templates/${template.id}`)).toMatchObject(theirs);

    await page.getByRole('button', { name: 'Use the saved HTML body' }).click();
    expect(await field(page, 'HTML body').inputValue()).toBe('<p>Theirs</p>');
    await page.getByRole('button', { name: 'Back to my version' }).click();
    expect(await field(page, 'HTML body').inputValue()).toBe('<p>Mine</p>');
    await page.getByRole('button', { name: 'Overwrite version 2' }).click();
    await page.getByText('Version 3, saved').waitFor();

    // The subject was theirs alone.
    expect(await api('GET', `/api/v1/templates/${template.id}`)).toMatchObject({
      subject: 'Theirs',
      htmlContent: '<p>Mine</p>',
      version: 3,
    });
    expect(await conflict.count()).toBe(0);
  });

  it('blames nobody if the answer to a save was lost', async () => {
    const template = await newTemplate({ content: 'One' });
    const { page } = await open(editor(template));
    await loseAnswer(page, `**/api/v1/templates/${template.id}`);
    await field(page, 'Text body').fill('Two');

    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('alert').getByText('can’t be reached').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Version 2, saved').waitFor();

    expect(await page.locator('.conflict').count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.getByRole('button', { name: 'Publish version 2' }).click();
    await page.getByRole('button', { name: 'Save draft' }).waitFor();
    expect(await api('GET', `/api/v1/templates/${template.id}`)).toMatchObject({
      content: 'Two',
      version: 2,
      publishedVersion: 2,
    });
  });

  it('duplicates a template whose name is cut at a character of two code units', async () => {
    const template = await newTemplate({ name: `${'x'.repeat(89)}😀!`, content: 'One' });
    const { page } = await open(editor(template));
    await page.getByRole('button', { name: 'More', exact: true }).click();

    await page.getByRole('button', { name: 'Duplicate' }).click();

    await page.getByRole('heading', { name: `${'x'.repeat(89)}… (copy)` }).waitFor();
  });

  it('deletes a template after a confirmation', async () => {
    await newTemplate({ content: 'One' });
    const { page } = await open('/console/templates');
    const link = page.getByRole('link', { name: `template ${templates}` });
    await link.click();

    const more = page.getByRole('button', { name: 'More', exact: true });
    await more.click();
    await page.keyboard.press('Escape');
    await expect.poll(() => more.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete…' }).click();
    // A dialog's end closes the menu, and its button has the focus.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => more.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();

    await page.getByRole('link', { name: 'Create template' }).waitFor();
    await expect.poll(() => link.count()).toBe(0);
  });

  it('asks before something typed is lost: by a link, by the back button, by signing out', async () => {
    await newTemplate({ content: 'One' });
    const { page } = await open('/console/templates');
    await page.getByRole('link', { name: `template ${templates}` }).click();
    await field(page, 'Text body').fill('Two');
    const address = page.url();
    const native: string[] = [];
    page.on('dialog', (dialog) => native.push(dialog.message()));
    // By its element: a dialog that’s closing has no role any more, and the page may not know yet.
    const question = page.locator('dialog', { hasText: 'Leave without saving?' });
    const stay = async () => {
      await question.getByRole('button', { name: 'Stay' }).click();
      await question.waitFor({ state: 'detached' });
    };
    const leave = () => question.getByRole('button', { name: 'Leave without saving' }).click();

    await page.getByRole('link', { name: 'Emails', exact: true }).click();
    await stay();
    await page.evaluate('history.back()');
    await stay();
    await signOut(page);
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });

    await expect.poll(() => page.url()).toBe(address);
    expect(await field(page, 'Text body').inputValue()).toBe('Two');
    await page.evaluate('history.back()');
    await leave();
    await page.getByRole('heading', { name: 'Templates', exact: true }).waitFor();
    await page.goForward();
    await expect.poll(() => field(page, 'Text body').inputValue()).toBe('One');
    await field(page, 'Text body').fill('Two');
    await page.getByRole('link', { name: 'Emails', exact: true }).click();
    await leave();
    await page.getByRole('heading', { name: 'Emails', exact: true }).waitFor();
    await page.goBack();
    await expect.poll(() => field(page, 'Text body').inputValue()).toBe('One');
    expect(native).toEqual([]);
  });

  it('keeps what was typed when the session ends and someone signs in again', async () => {
    const template = await newTemplate({ htmlContent: '<p>One</p>' });
    const { context, page } = await open(editor(template));
    await preview(page).getByText('One').waitFor();
    await context.clearCookies();

    await field(page, 'Text body').fill('Two');
    await signInByKey(page, lab.stack.description.manageKey);

    await page.getByText('Not saved yet').waitFor();
    expect(await field(page, 'Text body').inputValue()).toBe('Two');
  });

  it('lets Tab pass by, indents while someone types, and stops with Escape', async () => {
    const { page } = await open('/console/templates/new');
    const html = field(page, 'HTML body');
    const focused = () => page.evaluate('document.activeElement.id');
    await field(page, 'Subject').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('template-content');

    await html.focus();
    await page.keyboard.type('<p>');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Hi');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('</p>');
    expect(await html.inputValue()).toBe('<p>\n  Hi\n</p>');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Tab');
    expect(await html.inputValue()).toBe('  <p>\n    Hi\n  </p>');
    await page.keyboard.press('Control+z');
    expect(await html.inputValue()).toBe('<p>\n  Hi\n</p>');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');

    expect(await focused()).toBe('template-content');
    await expect.poll(() => page.locator('.code-tag').allTextContents()).toEqual(['p', 'p']);
  });

  it('shows code in colours that line up with what is typed, however long its lines', async () => {
    const htmlContent = `<a href="{{url}}">${'long '.repeat(400)}</a>\n<!-- \u202e -->\n${'x'.repeat(900)}`;
    const { page } = await open(editor(await newTemplate({ htmlContent })));
    await page.locator('.code-variable').first().waitFor();

    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const [code, area] = z.array(z.unknown()).parse(
        await page.evaluate(`['pre', 'textarea'].map((part) => {
          const { scrollHeight, scrollWidth, value, children } = document.querySelector('.code-editor ' + part);
          const text = value ?? [...children].map((line) => line.textContent).join('\\n');
          return { scrollHeight, scrollWidth, text };
        })`),
      );
      expect([width, area]).toEqual([width, code]);
      expect(area).toMatchObject({ text: htmlContent });
    }
  });
});

describe('a test', () => {
  it('arrives as the preview shows it, saved or not, once per press', async () => {
    const { page } = await open(
      editor(await newTemplate({ htmlContent: '<p>Hello {{name}}</p>' })),
    );
    await field(page, 'Sample variables').fill('{"name": "Ann & Bob"}');
    await field(page, 'HTML body').fill('<p>Dear {{name}}</p>');
    await field(page, 'Your address').fill('me@example.com');

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('follow it').waitFor();

    const emails = await readInbox(lab.stack.description.inboxUrl);
    const mine = emails.filter(({ destination }) => destination.to.includes('me@example.com'));
    expect(mine.map(({ subject }) => subject)).toEqual(['Hello Ann & Bob']);
    expect(mine[0]?.body.html).toContain('<p>Dear Ann &amp; Bob</p>');
    expect(mine[0]?.body.text).toContain('Dear Ann & Bob');
    await page.getByRole('link', { name: 'follow it' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Hello Ann & Bob' }).waitFor();
  });

  it('isn’t offered if the key can’t send', async () => {
    const key = await api('POST', '/api/v1/api-keys', {
      name: 'only manages',
      scopes: ['manage_organization'],
    });
    const { key: text } = z.object({ key: z.string() }).parse(key);
    const { page } = await open(editor(await newTemplate({ content: 'One' })), text);

    await page.getByRole('heading', { name: 'Use it' }).waitFor();
    expect(await field(page, 'Your address').count()).toBe(0);
  });
});

describe('a draft', () => {
  it('is kept beside what sends take, published, taken back from an earlier version, and copied', async () => {
    const template = await newTemplate({ htmlContent: '<p>First</p>' });
    const { page } = await open(editor(template));
    await preview(page).getByText('First').waitFor();

    await openSettings(page);
    await field(page, 'Alias').fill(`alias-${templates}`);
    await field(page, 'HTML body').fill('<p>Second</p>');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Emails take version 1').waitFor();
    await page.getByText(`alias-${templates}`, { exact: true }).waitFor();
    const draft = await api('GET', `/api/v1/templates/${template.id}`);
    await page.getByRole('button', { name: 'Publish version 2' }).click();
    await page.getByRole('button', { name: 'Save draft' }).waitFor();
    const published = await api('GET', `/api/v1/templates/${template.id}`);

    await page.getByRole('button', { name: 'Load into the editor: version 1' }).click();
    await preview(page).getByText('First').waitFor();
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 3, saved').waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: `template ${templates} (copy)` }).waitFor();
    await page.getByText('No email can be sent with it yet').waitFor();

    expect(draft).toMatchObject({ version: 2, publishedVersion: 1, alias: `alias-${templates}` });
    expect(published).toMatchObject({ version: 2, publishedVersion: 2 });
    expect(await api('GET', `/api/v1/templates/${template.id}`)).toMatchObject({
      ...{ version: 3, publishedVersion: 3, htmlContent: '<p>First</p>' },
      versions: [{ version: 2 }, { version: 1 }],
    });
  });
});

describe('languages, variables and a layout', () => {
  it('are edited and previewed together, published, and their versions compared line by line', async () => {
    const layout = await api('POST', '/api/v1/templates', {
      ...{ name: 'Letterhead', kind: 'layout', htmlContent: '<main>Acme {{{content}}}</main>' },
      locales: { de: { htmlContent: '<main>Acme GmbH {{{content}}}</main>' } },
    });
    const template = await newTemplate({
      htmlContent: '<h1>Hello {{name}}</h1>\n<p>You have {{count}} messages.</p>\n',
    });
    const { page } = await open(editor(template));
    await preview(page).getByText('Hello name').waitFor();

    await openSettings(page);
    await page.getByLabel('Layout').selectOption({ label: 'Letterhead' });
    await preview(page).getByText('Acme Hello').waitFor();
    await field(page, 'Language to add').fill('de_at');
    await page.keyboard.press('Enter');
    await page.getByText('de-AT → default').waitFor();
    await field(page, 'Language to add').fill('de');
    await page.getByRole('button', { name: 'Add language' }).click();
    await field(page, 'Subject').fill('Hallo {{name}}');
    await field(page, 'HTML body').fill('<h1>Hallo {{name}}</h1>');
    await preview(page).getByText('Acme GmbH Hallo').waitFor();
    await page.getByRole('radio', { name: 'de-AT' }).check();
    await page.getByText('de-AT → de → default').waitFor();
    await page.getByRole('button', { name: 'Remove de-AT…' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();

    await page.getByRole('button', { name: 'Declare them' }).click();
    await page.getByLabel('Type of count').selectOption('number');
    await page.getByText('must be a number').waitFor();
    await field(page, 'Sample variables').fill('{}');
    await page.getByLabel('count is required').check();
    await page.getByText('is required by the template').waitFor();
    await page.getByLabel('count is required').uncheck();
    await field(page, 'Fallback of count').fill('7');
    await field(page, 'Fallback of name').fill('friend');
    await preview(page).getByText('Hello friend').waitFor();
    await preview(page).getByText('You have 7 messages').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 2, saved').waitFor();

    expect(await api('GET', `/api/v1/templates/${template.id}`)).toMatchObject({
      layout: layout.id,
      locales: { de: { subject: 'Hallo {{name}}', htmlContent: '<h1>Hallo {{name}}</h1>' } },
      variables: {
        name: { type: 'string', fallback: 'friend' },
        count: { type: 'number', fallback: 7 },
      },
    });
    await field(page, 'Fallback of count').fill('seven');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Write a number, such as 1.5, as JSON.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('seven');
    expect(await api('GET', `/api/v1/templates/${template.id}`)).toMatchObject({ version: 2 });
    await field(page, 'Fallback of count').fill('7');
    await page.getByText('Version 2, saved').waitFor();
    await field(page, 'HTML body').fill(
      '<h1>Hello {{name}}</h1>\n<p>You have {{count}} new messages.</p>\n',
    );
    await page.getByRole('button', { name: 'Compare version 2 with the editor' }).click();
    const comparison = page.locator('.comparison');
    await comparison.locator('ins').first().waitFor();
    expect(await comparison.locator('ins, del').allTextContents()).toEqual([
      '-<p>You have {{count}} messages.</p>',
      '+<p>You have {{count}} new messages.</p>',
    ]);
    await comparison.getByLabel('From').selectOption({ label: 'Version 1' });
    await comparison.getByRole('heading', { name: 'Variable count' }).waitFor();
    await comparison.getByRole('heading', { name: 'HTML body (de)' }).waitFor();
  });

  it('says at each faulty field why a version can’t be saved', async () => {
    const template = await newTemplate({
      content: 'One',
      locales: { de: { subject: 'x', content: 'Eins' } },
    });
    const { page } = await open(editor(template));
    await page.getByRole('radio', { name: 'de', exact: true }).check();
    await field(page, 'Text body').fill('{{#eins}}');
    await page.getByRole('radio', { name: 'Default' }).check();
    await openSettings(page);
    await field(page, 'Reply-To').fill('nobody');

    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('alert').getByText('Text body (de)').waitFor();
    await page.getByRole('button', { name: 'Go to the field' }).last().click();

    await expect.poll(() => field(page, 'Text body').inputValue()).toBe('{{#eins}}');
    expect(await field(page, 'Text body').getAttribute('aria-invalid')).toBe('true');
    expect(await api('GET', `/api/v1/templates/${template.id}`)).toMatchObject({ version: 1 });
  });
});

describe('the pages', () => {
  it('fit, and have no fault that axe finds, in light and dark', async () => {
    const declared = { type: 'string', fallback: '\u202e<b>' };
    const template = await newTemplate({
      ...{
        htmlContent: `<p class="x">{{n}}</p>${'<b>'.repeat(3_000)}`,
        subject: `\u202e${'x'.repeat(900)}`,
      },
      variables: { n: declared, [`long_${'x'.repeat(59)}`]: declared },
      locales: {
        de: { subject: 'Hallo', content: 'x'.repeat(10_000) },
        'zh-Hant-TW': { subject: 'x', content: 'x' },
      },
    });
    await api('PUT', `/api/v1/templates/${template.id}`, { htmlContent: '<p>New</p>' });
    const { page } = await open(editor(template));
    const complaints = complaintsOf(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });

    for (const address of ['/console/templates', '/console/templates/new', editor(template)]) {
      await goPatiently(page, `${lab.stack.description.baseUrl}${address}`);
      await settled(page);
      if (address === editor(template)) {
        await page.getByRole('radio', { name: 'de', exact: true }).check();
        await page.getByRole('button', { name: 'Compare version 1 with the editor' }).click();
        await page.locator('.comparison ins').first().waitFor();
      }
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
      expect([address, await axeFaultsAt(page, [320, 1440])]).toEqual([address, []]);
    }
    expect(complaints).toEqual([]);
  });
});
