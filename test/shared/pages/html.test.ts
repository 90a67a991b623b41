import { load } from 'cheerio';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '#shared/pages/html';
import { hostileString, hostileText } from './page-samples.ts';

describe('html', () => {
  it('escapes the characters that would end a text or a quoted attribute', () => {
    const written = html`<p title="${`"'`}">${'<b> & >'}</p>`;

    expect(written.text).toBe('<p title="&quot;&#39;">&lt;b&gt; &amp; &gt;</p>');
  });

  it('inserts only its own markup as it is', () => {
    const item = html`<li>${'<'}</li>`;

    const list = html`<ul>${[item, item]}${undefined}</ul>`;

    expect(list.text).toBe('<ul><li>&lt;</li><li>&lt;</li></ul>');
  });

  it('refuses an object that only looks like its own markup', () => {
    const forged = JSON.parse(JSON.stringify({ text: hostileText }));

    expect(() => html`<p>${forged}</p>`).toThrow(TypeError);
    expect(() => html`<p>${[forged]}</p>`).toThrow(TypeError);
  });

  it('brings hostile text through a browser’s parser as it was', () => {
    fc.assert(
      fc.property(hostileString, (text) => {
        const p = load(html`<p title="${text}">x${text}</p>`.text)('p');
        return p.text() === `x${text}` && p.attr('title') === text;
      }),
    );
  });
});
