import { createHash } from 'node:crypto';
import { html } from './html.ts';

/** Inside the page, so one request is enough. */
export const pageStyle = html`
:root {
  color-scheme: light dark;
  --page: #f3f4f6; --card: #fff; --text: #16191d; --quiet: #565e69; --line: #e1e4e9;
  --control: #7b838e; --hover: #f3f5f8; --accent: #1d4fd7; --pressed: #163fae; --on-accent: #fff;
  --good: #126b3d; --good-back: #e8f6ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1116; --card: #171b21; --text: #eceff3; --quiet: #a3acb8; --line: #2b313a;
    --control: #7d8692; --hover: #1f242c; --accent: #9dbbff; --pressed: #bcd1ff; --on-accent: #0b1730;
    --good: #7ddca6; --good-back: #14291f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 34rem; padding: 1rem 1rem 3rem;
  background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
header { padding: .5rem .25rem 1rem; font-weight: 600; }
main {
  padding: 1.5rem 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 1px 2px #0000000a, 0 8px 24px #0000000a;
}
h1 { margin: 0 0 .875rem; font-size: 1.625rem; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
p { margin: 0 0 1rem; }
main > :last-child { margin-bottom: 0; }
b { font-weight: 600; }
a { color: var(--accent); text-underline-offset: .2em; }
a:hover { color: var(--pressed); }
.onward { display: inline-block; margin-bottom: .5rem; padding: .75rem 0; }
.quiet { color: var(--quiet); font-size: .9375rem; }
.notice {
  margin: 0 0 1rem; padding: .875rem 1rem; border-radius: .625rem; background: var(--hover);
}
.good { display: flex; align-items: center; gap: .75rem; color: var(--good); background: var(--good-back); }
.mark {
  flex: none; display: block; width: 1.5rem; height: 1.5rem; border-radius: 50%;
  fill: none; stroke: var(--card); stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round;
  background: var(--good);
}
main > .mark { width: 3rem; height: 3rem; margin-bottom: 1.25rem; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: .5rem; font-weight: 600; }
label {
  display: flex; align-items: center; gap: .875rem; min-height: 3.25rem; padding: .75rem 1rem;
  border: 1px solid var(--line); border-bottom-width: 0; cursor: pointer;
}
label:first-of-type { border-radius: .625rem .625rem 0 0; }
label:last-of-type { border-bottom-width: 1px; border-radius: 0 0 .625rem .625rem; }
label:only-of-type { border-radius: .625rem; }
label:hover { background: var(--hover); }
label bdi { min-width: 0; }
input[type=checkbox] { flex: none; width: 1.375rem; height: 1.375rem; margin: 0; accent-color: var(--accent); cursor: pointer; }
button {
  display: block; width: 100%; margin: 0 0 1rem; min-height: 3rem; padding: .625rem 1.5rem; border-radius: .625rem; cursor: pointer;
  font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
}
button:hover { background: var(--pressed); border-color: var(--pressed); }
button.plain { color: var(--text); background: transparent; border-color: var(--control); }
button.plain:hover { background: var(--hover); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
hr { margin: 1.5rem 0; border: 0; border-top: 1px solid var(--line); }
@media (min-width: 40rem) {
  body { padding-top: 10vh; }
  main { padding: 2.25rem; }
  button { width: auto; }
}
`;

/** The Content-Security-Policy allows this style and no other. */
export const pageStyleHash = `sha256-${createHash('sha256').update(pageStyle.text).digest('base64')}`;
