import { type Html, html } from '#shared/pages/html';
import type { HttpApiResponse } from './http-api-response.ts';

/** The console's colours and sizes, for the pages that only the local server has. */
const style = html`
:root {
  color-scheme: light dark;
  --page: #fafafa; --card: #fff; --text: #18181b; --quiet: #686871; --line: #e4e4e7; --hover: #f4f4f5;
  --accent: #18181b; --on-accent: #fafafa; --focus: #1d4ed8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #09090b; --card: #111113; --text: #f4f4f5; --quiet: #a1a1aa; --line: #27272a; --hover: #18181b;
    --accent: #f4f4f5; --on-accent: #09090b; --focus: #93c5fd;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 64rem; padding: 1.25rem 1rem 3rem; background: var(--page); color: var(--text);
  font: .875rem/1.25rem ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin-bottom: 1rem; }
header svg { flex: none; width: 1.5rem; height: 1.5rem; }
header nav { display: flex; flex-wrap: wrap; gap: .5rem; margin-inline-start: auto; }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.4; font-weight: 650; }
h2 { margin: 0 0 .75rem; font-size: .875rem; font-weight: 600; }
p { margin: 0 0 .75rem; }
section {
  margin-bottom: 1rem; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .625rem;
}
section > :last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); }
a { color: inherit; text-underline-offset: .2em; }
button, .button {
  display: inline-flex; align-items: center; min-height: 2rem; padding: .1875rem .6875rem; font: inherit; font-weight: 500;
  color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: .4375rem;
  text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { background: var(--hover); }
.button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent); font-weight: 600; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
code, pre { font: .75rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre {
  margin: 0 0 .75rem; padding: .75rem; white-space: pre-wrap; background: var(--page);
  border: 1px solid var(--line); border-radius: .4375rem;
}
dl { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: .5rem .75rem; align-items: center; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; }
td, th { padding: .5rem .75rem .5rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-size: .75rem; font-weight: 550; }
tr:last-child td { border-bottom: 0; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) {
  dl { grid-template-columns: minmax(0, 1fr) auto; }
  dt { grid-column: 1 / -1; }
  thead { display: none; }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td { display: inline-block; padding: 0 .75rem 0 0; border: 0; }
  button, .button { min-height: 2.75rem; }
}
`;

/** Copies what its button is for. Without it, the text can be selected. */
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

const mark = html`<svg viewBox="0 0 20 20" aria-hidden="true"><rect width="20" height="20" rx="5.5" fill="currentColor"/>
<path d="M4.5 6.5h11v7.5h-11zl5.5 4.5 5.5-4.5" fill="none" stroke="var(--page)" stroke-width="1.4"/></svg>`;

type LocalPage = {
  readonly title: string;
  /** Links at the top right. */
  readonly links: Html;
  readonly content: Html;
};

export const localPage = ({ title, links, content }: LocalPage): HttpApiResponse => ({
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
<style>${style}</style>
</head>
<body>
<header>${mark}<h1>${title}</h1><nav aria-label="Pages">${links}</nav></header>
<main>
${content}
</main>
${copyScript}
</body>
</html>
`.text,
});
