import { type Html, html } from '#shared/pages/html';
import { addressOf, groups, markdownAddressOf, type Page } from './documents.ts';
import { type Rendered, renderMarkdown, type Section } from './markdown.ts';

export type RenderedPage = Page & Rendered;

/** The headings inside endpoints, messages and codes are all alike, so only their own are listed. */
export const renderPage = (page: Page): RenderedPage => ({
  ...page,
  ...renderMarkdown(page.markdown, page.group === 'API reference' ? 2 : 3),
});

/** Style and script come later. Without scripts, the menu still works as a popover and examples as tabs. */
export function docsPage(page: RenderedPage, pages: readonly Page[]): string {
  const isListed = pages.includes(page);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.path === '' ? page.title : `${page.title} · Docs`}</title>
<link rel="icon" href="data:,">
${isListed ? html`<link rel="alternate" type="text/markdown" href="${markdownAddressOf(page.path)}">` : undefined}
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<header>
<a class="home" href="/docs">Docs</a>
<search hidden>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" maxlength="100" placeholder="Search the docs" aria-describedby="search-keys">
<kbd id="search-keys" aria-label="Control K">Ctrl K</kbd>
<div id="results" hidden><p role="status"></p><ul></ul></div>
</search>
<a class="console" href="/console">Console</a>
<button type="button" popovertarget="menu">Menu</button>
</header>
<nav id="menu" popover aria-label="Contents">
${groups.map((group) => menuOf(group, page, pages))}
</nav>
<main id="page" tabindex="-1">
${page.body}
<footer>${isListed ? html`<a href="${markdownAddressOf(page.path)}">This page as Markdown</a> · ` : undefined}<a href="/llms.txt">llms.txt</a> · <a href="/openapi.json">openapi.json</a></footer>
</main>
</body>
</html>
`.text;
}

const menuOf = (group: Page['group'], current: RenderedPage, pages: readonly Page[]): Html =>
  html`<h2>${group}</h2>
<ul>${pages
    .filter((page) => page.group === group)
    .map((page) => {
      const isCurrent = page.path === current.path;
      const mark = isCurrent ? html` aria-current="page"` : undefined;
      return html`<li><a href="${addressOf(page.path)}"${mark}>${page.title}</a>${isCurrent ? partsOf(current.sections) : undefined}</li>
`;
    })}</ul>
`;

const partsOf = (sections: readonly Section[]): Html | undefined => {
  const listed = sections.filter(({ level }) => level === 2);
  if (listed.length === 0) return undefined;
  return html`<ul>${listed.map(
    ({ anchor, text }) => html`<li><a href="#${anchor}">${text}</a></li>
`,
  )}</ul>`;
};
