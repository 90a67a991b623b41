import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from '#shared/pages/html';
import type { HttpApiResponse } from './http-api-response.ts';

const style = [
  ...['colours', 'scale', 'page', 'controls', 'lists'].map(
    (name) => `../../../functions/show-console/app/styles/${name}.css`,
  ),
  'local-pages.css',
].map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));

/** Copies the button's text. Without scripts, the text can be selected. */
const copyScript = html`<script>
document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-copy]');
  if (!button) return;
  navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent).then(() => {
    const words = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = words; }, 2000);
  });
});
</script>`;

const mark = html`<svg class="mark" viewBox="0 0 20 20" aria-hidden="true"><rect width="20" height="20" rx="5.5" fill="currentColor"/>
<path d="M4.5 6.5h11v7.5h-11zl5.5 4.5 5.5-4.5" fill="none" stroke="var(--page)" stroke-width="1.4"/></svg>`;

type LocalPage = {
  readonly title: string;
  readonly links: Html;
  readonly content: Html;
  readonly script?: Html;
};

export const localPage = ({ title, links, content, script }: LocalPage): HttpApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html;charset=UTF-8', 'cache-control': 'no-store' },
  body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
</head>
<body>
<header class="head"><h1>${mark}${title}</h1><nav class="actions" aria-label="Pages">${links}</nav></header>
<main>
${content}
</main>
${copyScript}${script}
</body>
</html>
`.text.replace('</head>', () => `<style>${style.join('')}</style>\n</head>`),
});
