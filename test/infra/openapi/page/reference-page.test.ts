import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../../infra/openapi/document.ts';
import { referencePage } from '../../../../infra/openapi/page/reference-page.ts';
import { describeThisService } from '../description.ts';

const document = await describeThisService();
const $ = load(referencePage(document));
const hrefs = $('a[href^="#"]')
  .map((_, link) => $(link).attr('href'))
  .get();
const ids = $('[id]')
  .map((_, element) => $(element).attr('id'))
  .get();

const operationIds = Object.values(document.paths).flatMap(({ head: _, ...item }) =>
  Object.values(item).map(({ operationId }) => operationId),
);

describe('the reference page', () => {
  it('has an article for each operation and each message', () => {
    const messageIds = Object.values(document.webhooks).map(({ post }) => post?.operationId);

    const headings = $('article > h3')
      .map((_, heading) => $(heading).attr('id'))
      .get();

    expect(headings.toSorted()).toEqual([...operationIds, ...messageIds].toSorted());
  });

  it('leads to each operation from its contents', () => {
    const inContents = $('nav a')
      .map((_, link) => $(link).attr('href')?.slice(1))
      .get();

    expect(inContents).toEqual(expect.arrayContaining(operationIds));
  });

  it('has no link that leads nowhere, and no id twice', () => {
    const targets = new Set(ids.map((id) => `#${id}`));

    expect(hrefs.filter((href) => !targets.has(href))).toEqual([]);
    expect(targets.size).toBe(ids.length);
  });

  it('has no script, no form, and nothing from elsewhere', () => {
    expect($('script, form, iframe, img, object, [src], [onclick], [style]').length).toBe(0);
    expect(
      $('link')
        .map((_, link) => $(link).attr('href'))
        .get(),
    ).toEqual(['data:,']);
  });

  it('has levels of headings without a gap', () => {
    const levels = $('h1, h2, h3, h4')
      .map((_, heading) => Number(heading.tagName[1]))
      .get();

    const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);

    expect(jumps).toEqual([]);
  });

  it('shows markup in words as text', () => {
    const hostile: OpenApiDocument = {
      ...document,
      info: { ...document.info, description: '<script>alert(1)</script> and `<b>code</b>`' },
    };

    const page = load(referencePage(hostile));

    expect(page('script').length).toBe(0);
    expect(page('main > p').first().text()).toBe('<script>alert(1)</script> and <b>code</b>');
    expect(page('main > p code').first().text()).toBe('<b>code</b>');
  });
});
