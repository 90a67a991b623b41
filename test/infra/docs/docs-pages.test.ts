import { globSync, readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { docsFilesSchema } from '../../../functions/show-docs/show-docs.ts';
import { buildDocs, docsPages, llmsText } from '../../../infra/docs/build-docs.ts';
import { addressOf, markdownAddressOf } from '../../../infra/docs/documents.ts';
import { renderMarkdown } from '../../../infra/docs/markdown.ts';
import { otherNames } from '../../../infra/docs/search-index.ts';
import { describeService } from '../../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../../infra/openapi/endpoints.ts';

const document = describeService(routedEndpoints);
const pages = docsPages(document);
const { files, noPage } = docsFilesSchema.parse(JSON.parse(await buildDocs(document)));
const textOf = (name: string) => {
  const file = files[name];
  return file === undefined ? '' : `${gunzipSync(Buffer.from(file.gzip, 'base64'))}`;
};
const shown = pages.map((page) => ({ ...page, $: load(textOf(page.path)) }));

const targets = new Set([
  '/console',
  '/openapi.json',
  '/llms.txt',
  ...Object.keys(files).map((name) => addressOf(name)),
  ...shown.flatMap(({ path, $ }) =>
    $('[id]')
      .map((_, element) => `${addressOf(path)}#${$(element).attr('id')}`)
      .get(),
  ),
]);

it('renames only headings that exist', () => {
  expect(Object.keys(otherNames).filter((address) => !targets.has(address))).toEqual([]);
});

it('has each page once', () => {
  expect(pages.map(({ path }) => path)).toEqual([...new Set(pages.map(({ path }) => path))]);
});

/** Where the links of a page lead, in full. */
const linksOf = ({ path, $ }: Pick<(typeof shown)[number], 'path' | '$'>) =>
  $('a[href]')
    .map((_, link) => $(link).attr('href') ?? '')
    .get()
    .map((href) => (href.startsWith('#') ? `${addressOf(path)}${href}` : href));

it('has a page for unknown addresses, in no menu, with the menu of all', () => {
  const page = { path: '', $: load(noPage) };

  expect(page.$('h1').text()).toBe('No such page');
  expect(linksOf(page).filter((href) => href !== '#page' && !targets.has(href))).toEqual([]);
  expect(page.$('nav a').length).toBe(pages.length);
  expect(page.$('nav [aria-current], [rel=alternate]').length).toBe(0);
});

describe.each(shown)('the page /docs/$path', (page) => {
  const { $, path } = page;

  it('has no dead link and no duplicate id', () => {
    const ids = $('[id]')
      .map((_, element) => $(element).attr('id'))
      .get();

    expect(
      linksOf(page).filter((href) => !href.startsWith('https://') && !targets.has(href)),
    ).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('inlines its style and script, and loads nothing else', () => {
    expect($('script').length).toBe(1);
    expect($('form, iframe, img, object, [src], [onclick], [style]').length).toBe(0);
    expect(
      $('link')
        .map((_, link) => $(link).attr('href'))
        .get(),
    ).toEqual(['data:,', markdownAddressOf(path)]);
  });

  it('names pages by their titles, not by file names', () => {
    const names = $('main a')
      .map((_, link) => $(link).text())
      .get();

    expect(names.filter((name) => name.endsWith('.md'))).toEqual([]);
  });

  it('has a title, and skips no heading level', () => {
    const levels = $('main')
      .find('h1, h2, h3, h4')
      .map((_, heading) => Number(heading.tagName[1]))
      .get();

    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  it('is also available as Markdown, with links to Markdown', () => {
    const markdown = textOf(markdownAddressOf(path).replace('/docs/', ''));

    const links = [...markdown.matchAll(/\]\((\/docs[^)#]*)/g)].map(([, link]) => link);

    expect(markdown).toMatch(/^# \S/);
    expect(links.filter((link) => !link?.endsWith('.md') || !targets.has(link))).toEqual([]);
  });
});

describe('the pages', () => {
  it('document each operation, message and error once', () => {
    const operations = Object.values(document.paths).flatMap(({ head: _, ...item }) =>
      Object.values(item).map(({ summary }) => summary),
    );
    const expected = [
      ...operations,
      ...Object.keys(document.webhooks),
      ...Object.keys(document.components.examples),
    ];

    const headings = shown
      .filter(({ path }) => path.startsWith('api/'))
      .flatMap(({ $ }) =>
        $('main h2')
          .map((_, heading) => $(heading).text())
          .get(),
      );

    expect(headings.toSorted()).toEqual(expected.toSorted());
  });

  it('include each guide', () => {
    const guides = globSync('functions/show-docs/guides/*.md');
    const titles = guides.map((file) => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]);

    expect(pages.map(({ title }) => title)).toEqual(expect.arrayContaining(titles));
  });

  it('stay small: 12 KB for the first, 40 KB for each, 130 KB for the search', () => {
    const bytes = (name: string) => gzipSync(textOf(name)).length;

    expect(bytes('')).toBeLessThanOrEqual(12_000);
    for (const { path } of pages) expect.soft(bytes(path), path).toBeLessThanOrEqual(40_000);
    // It has the sentences that results show, and comes when the box gets the focus.
    expect(bytes('search.json')).toBeLessThanOrEqual(130_000);
  });

  it('are all in llms.txt, with their subjects', () => {
    const lines = llmsText(document).split('\n');

    expect(lines[0]).toBe('# Transactional email service');
    expect(lines[2]).toMatch(/^> .+\.$/);
    for (const { path, title } of pages) {
      expect(lines).toContainEqual(
        expect.stringMatching(
          `^- \\[${RegExp.escape(title)}\\]\\(${markdownAddressOf(path)}\\): .+`,
        ),
      );
    }
  });
});

describe('Markdown', () => {
  const rendered = (markdown: string) => load(renderMarkdown(markdown).body.text);

  it('shows markup as text', () => {
    const $ = rendered('A <script>alert(1)</script> and `<b>code</b>`\n\n<div>block</div>\n');

    expect($('script, div, b').length).toBe(0);
    expect($('body').text()).toContain('<script>alert(1)</script> and <b>code</b>');
    expect($('code').text()).toBe('<b>code</b>');
  });

  it('merges code blocks in several languages into one example, but not two in one language', () => {
    const $ = rendered('```js\na\n```\n\n```sh\nb\n```\n\n```sh\nc\n```\n');

    expect(
      $('.tabs pre')
        .map((_, pre) => $(pre).text())
        .get(),
    ).toEqual(['a', 'b']);
    expect(
      $('.tabs label')
        .map((_, label) => $(label).text())
        .get(),
    ).toEqual(['Node', 'curl']);
    expect($('body > pre').text().trim()).toBe('c');
  });

  it('numbers equal headings as GitHub does', () => {
    const { sections } = renderMarkdown('# A\n\n## See `x`!\n\n## See x\n');

    expect(sections.map(({ anchor }) => anchor)).toEqual(['a', 'see-x', 'see-x-1']);
  });
});
