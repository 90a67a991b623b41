import { createHash } from 'node:crypto';
import { html } from './html.ts';

/** The style of the reference. It has the colours of the other pages, and room for long lists. */
export const referenceStyle = html`
:root {
  color-scheme: light dark;
  --page: #fff; --side: #f3f4f6; --text: #16191d; --quiet: #565e69; --line: #e1e4e9; --code: #f3f5f8; --accent: #1d4fd7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1116; --side: #171b21; --text: #eceff3; --quiet: #a3acb8; --line: #2b313a; --code: #1f242c; --accent: #9dbbff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
nav { padding: 1rem; background: var(--side); border-bottom: 1px solid var(--line); }
nav ul { margin: 0; padding: 0 0 0 1rem; list-style: none; }
nav > ul { padding: 0; }
nav a { display: block; }
nav a, nav summary { padding: .625rem 0; cursor: pointer; }
main { max-width: 52rem; padding: 1rem; }
main:focus { outline: none; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; scroll-margin-top: 1rem; }
h1 { margin: .5rem 0 1rem; font-size: 1.75rem; }
h2 { margin: 3rem 0 .5rem; padding-top: 1rem; border-top: 2px solid var(--line); font-size: 1.5rem; }
h3 { margin: 2.5rem 0 .5rem; font-size: 1.1875rem; }
h4 { margin: 1.25rem 0 .375rem; font-size: 1rem; }
p, ul { margin: 0 0 .75rem; }
a { color: var(--accent); text-underline-offset: .2em; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: 0 0 .75rem; padding: .75rem 1rem; background: var(--code); border-radius: .5rem; white-space: pre-wrap; }
dl { margin: 0 0 .75rem; }
dt { margin-top: .5rem; color: var(--quiet); }
dt code { color: var(--text); font-weight: 600; }
dd { margin: 0 0 0 1rem; }
dd dl { padding-left: .75rem; border-left: 2px solid var(--line); }
.line { padding: .5rem .75rem; background: var(--code); border-radius: .5rem; }
.errors { padding: 0; list-style: none; }
.errors a { display: inline-block; padding: .375rem .375rem .375rem 0; }
.skip { position: absolute; left: -999rem; padding: .75rem 1rem; background: var(--page); }
.skip:focus { left: 0; }
:target { outline: 2px solid var(--accent); outline-offset: 4px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  main { padding: 1.5rem 3rem 6rem; }
}
@media print { nav, .skip { display: none; } }
`;

/** The hash by which the Content-Security-Policy allows this style and no other. */
export const referenceStyleHash = `sha256-${createHash('sha256').update(referenceStyle.text).digest('base64')}`;
