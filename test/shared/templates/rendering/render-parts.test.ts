import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type RenderedParts,
  renderParts,
  type TemplateParts,
} from '#shared/templates/rendering/render-parts';
import { findSyntaxFault } from '#shared/templates/rendering/template-syntax';
import type { Variables } from '#shared/templates/variables';
import { computingMs } from '../../../support/computing.ts';
import {
  anySoundTemplate,
  anyTemplate,
  anyVariables,
} from '../../../support/template-arbitrary.ts';

function render(parts: Partial<TemplateParts>, variables: Variables): RenderedParts {
  const outcome = renderParts({ subject: 's', ...parts }, variables);
  if (outcome.kind === 'rendered') return outcome.rendered;
  throw new Error('too large');
}

const text = (content: string, variables: Variables = {}) => render({ content }, variables).content;
const html = (htmlContent: string, variables: Variables = {}) =>
  render({ htmlContent }, variables).html;
const missing = (content: string, variables: Variables = {}) =>
  render({ content }, variables).missingVariables;

describe('a variable', () => {
  it.each([
    ['a text', 'Ann', 'Ann'],
    ['an empty text', '', ''],
    ['a number', 4.5, '4.5'],
    ['zero', 0, '0'],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['null', null, ''],
    ['an object', { city: 'Bonn', zip: [1, '2'] }, '{"city":"Bonn","zip":[1,"2"]}'],
    ['an array', [1, 'b', null], '[1,"b",null]'],
    ['what looks like a tag', '{{other}}', '{{other}}'],
    ['what looks like a replacement', '$& $1 $$', '$& $1 $$'],
  ])('prints %s', (_what, value, printed) => {
    const variables = { value, other: 'never' };

    expect(text('[{{value}}]', variables)).toBe(`[${printed}]`);
    expect(text('[{{{value}}}]', variables)).toBe(`[${printed}]`);
    expect(missing('{{value}}', variables)).toEqual([]);
  });

  it('is found by its dotted path, in objects and arrays', () => {
    const variables = { user: { name: 'Ann', tags: ['x', 'y'] } };

    expect(text('{{user.name}} {{ user.tags.1 }} {{user.tags.length}}', variables)).toBe('Ann y 2');
  });

  it('is escaped in HTML', () => {
    const value = `<b class="x" id='y'>&</b>`;

    expect(html('<i title="{{value}}">', { value })).toBe(
      '<i title="&lt;b class&#x3D;&quot;x&quot; id&#x3D;&#39;y&#39;&gt;&amp;&lt;&#x2F;b&gt;">',
    );
    expect(html('{{value}}', { value: { a: '<' } })).toBe('{&quot;a&quot;:&quot;&lt;&quot;}');
  });

  it.each(['{{{value}}}', '{{&value}}', '{{& value }}'])(
    'is printed raw in HTML as %s',
    (template) => {
      expect(html(template, { value: '<b>&</b>' })).toBe('<b>&</b>');
    },
  );

  it("isn't escaped in subject and text", () => {
    const rendered = render(
      { subject: '{{value}} {{{value}}}', content: '{{value}}', htmlContent: '{{value}}' },
      { value: '<&"\'>' },
    );

    expect(rendered).toMatchObject({ subject: '<&"\'> <&"\'>', content: '<&"\'>' });
  });

  it('keeps the line breaks of text, and none in the subject', () => {
    const value = 'one\r\ntwo\u2028three\n\n\u0000four\n';

    const { subject, content } = render(
      { subject: 'S: {{value}}!', content: '{{value}}' },
      { value },
    );

    expect(subject).toBe('S: one two three four !');
    expect(content).toBe(value);
  });
});

describe('a missing variable', () => {
  it('prints nothing and is listed once, by its name in the template', () => {
    const rendered = render(
      { subject: '{{name}}', htmlContent: '{{name}}{{{user.city}}}', content: '[{{&x}}]' },
      { user: {} },
    );

    expect(rendered).toMatchObject({ subject: '', html: '', content: '[]' });
    expect(rendered.missingVariables).toEqual(['name', 'user.city', 'x']);
  });

  it.each(['a.b', 'a.b.c', 'a.length', 'n.toFixed', 'a.0'])(
    'counts when used as a text or number: %s',
    (path) => {
      expect(missing(`{{${path}}}`, { a: 'text', n: 1 })).toEqual([path]);
    },
  );

  it("doesn't count when it only decides a section", () => {
    expect(missing('{{#a}}x{{/a}}{{^b}}y{{/b}}')).toEqual([]);
  });

  it.each([
    'hasOwnProperty',
    '__proto__',
    'constructor',
    'toString',
    'constructor.name',
    '__proto__.x',
  ])("is %s when it isn't given", (name) => {
    expect(text(`[{{${name}}}{{#${name}}}x{{/${name}}}]`)).toBe('[]');
    expect(text(`[{{#o}}{{${name}}}{{/o}}]`, { o: {} })).toBe('[]');
    expect(missing(`{{${name}}}`)).toEqual([name]);
  });
});

describe('a name that means something to JavaScript', () => {
  it.each(['hasOwnProperty', '__proto__', 'constructor', 'toString', 'toJSON', 'length', 'cache'])(
    'is a variable like any other: %s',
    (name) => {
      const variables: Variables = JSON.parse(`{"${name}":"given","o":{"${name}":"inner"}}`);

      expect(text(`{{${name}}} {{o.${name}}} {{#o}}{{${name}}}{{/o}}`, variables)).toBe(
        'given inner inner',
      );
      expect(missing(`{{${name}}}`, variables)).toEqual([]);
    },
  );

  it('changes nothing outside the rendering', () => {
    const variables: Variables = JSON.parse(
      '{"__proto__":{"polluted":1},"list":[{"__proto__":2}]}',
    );

    text('{{__proto__.polluted}}{{#list}}{{__proto__}}{{/list}}', variables);

    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a section', () => {
  it.each([
    ['true', true, 'x'],
    ['a text', 'yes', 'x'],
    ['a number', 7, 'x'],
    ['an object', { a: 1 }, 'x'],
    ['an empty object', {}, 'x'],
    ['an array of three', [1, 2, 3], 'xxx'],
    ['false', false, 'none'],
    ['null', null, 'none'],
    ['zero', 0, 'none'],
    ['an empty text', '', 'none'],
    ['an empty array', [], 'none'],
    ['nothing', undefined, 'none'],
  ])('shows itself or its inverse for %s', (_what, value, shown) => {
    expect(text('{{#a}}x{{/a}}{{^a}}none{{/a}}', { a: value })).toBe(shown);
  });

  it('repeats for each element of an array, which is looked up first', () => {
    const variables = { items: [{ name: 'A' }, {}, { name: null }], name: 'outer' };

    expect(text('{{#items}}[{{name}}]{{/items}}', variables)).toBe('[A][outer][]');
  });

  it('prints elements by a dot, nested arrays too', () => {
    expect(text('{{#a}}{{#.}}{{.}},{{/.}};{{/a}}', { a: [[1, 2], ['b']] })).toBe('1,2,;b,;');
  });

  it("doesn't treat a text or number as a container", () => {
    expect(text('{{#a}}{{length}} {{.}}{{/a}}', { a: 'xyz', length: 'outer' })).toBe('outer xyz');
  });

  it('is decided by the first name of a path', () => {
    const variables = { user: { name: 'outer' }, inner: { user: { age: 1 } } };

    expect(text('[{{#inner}}{{user.name}}{{/inner}}]', variables)).toBe('[]');
  });

  it('leaves no empty line where its tags are alone, with any line ending', () => {
    expect(text('a\n{{#b}}\nb\n{{/b}}\nc', { b: true })).toBe('a\nb\nc');
    expect(text('a\r\n{{#b}}\r\nb\r\n{{/b}}\r\nc', { b: true })).toBe('a\r\nb\r\nc');
  });
});

describe('a template', () => {
  it('with one body renders to one', () => {
    expect(render({ content: 'Hi' }, {})).toMatchObject({ html: undefined, content: 'Hi' });
    expect(render({ htmlContent: 'Hi' }, {})).toMatchObject({ html: 'Hi', content: undefined });
  });
});

describe('rendering', () => {
  const size = ({ subject, html: part = '', content = '' }: RenderedParts) =>
    Buffer.byteLength(subject) + Buffer.byteLength(part) + Buffer.byteLength(content);

  it('never throws and stays within limits, for any variables and any valid template', () => {
    fc.assert(
      fc.property(anyTemplate, anyVariables, (template, variables) => {
        fc.pre(findSyntaxFault(template) === undefined);

        const parts = { subject: template, htmlContent: template, content: template };
        const outcome = renderParts(parts, variables);

        return outcome.kind === 'too_large' || size(outcome.rendered) <= 1024 * 1024;
      }),
      { numRuns: 500 },
    );
  });

  it('puts no markup from a variable into HTML, unless the template asks for raw', () => {
    fc.assert(
      fc.property(anySoundTemplate, anyVariables, (template, variables) => {
        const quiet = template.replaceAll(/[<>"]/g, '').replaceAll(/\{\{\{|\{\{&/g, '{{');

        expect(html(quiet, variables)).not.toMatch(/[<>"]/);
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same result each time', () => {
    fc.assert(
      fc.property(anyTemplate, anyVariables, (template, variables) => {
        fc.pre(findSyntaxFault(template) === undefined);
        const parts = { subject: template, htmlContent: template, content: template };

        expect(renderParts(parts, variables)).toEqual(renderParts(parts, variables));
      }),
    );
  });

  it('accepts output of exactly 1 MB, counted in bytes, and no more', () => {
    const rest = 1024 * 1024 - 's'.length;

    expect(renderParts({ subject: 's', content: '{{a}}' }, { a: 'x'.repeat(rest) }).kind).toBe(
      'rendered',
    );
    expect(renderParts({ subject: 's', content: '{{a}}' }, { a: 'x'.repeat(rest + 1) }).kind).toBe(
      'too_large',
    );
    expect(
      renderParts({ subject: 's', content: '{{a}}' }, { a: 'é'.repeat(rest / 2 + 1) }).kind,
    ).toBe('too_large');
  });

  const path = Array.from({ length: 45 }, () => 'a').join('.');
  const list = Array.from({ length: 1_000 }, () => ({}));

  it.each<[string, string, Variables]>([
    ['loops in loops', `${'{{#l}}'.repeat(20)}x${'{{/l}}'.repeat(20)}`, { l: list }],
    ['loops that print nothing', `${'{{#l}}'.repeat(20)}${'{{/l}}'.repeat(20)}`, { l: list }],
    ['a huge array', '{{#l}}{{/l}}', { l: Array.from({ length: 2_000_000 }, () => 0) }],
    ['a huge array printed', '{{l}}', { l: Array.from({ length: 2_000_000 }, () => 0) }],
    ['a huge text to escape', '{{a}}', { a: '<'.repeat(5_000_000) }],
    ['an object over and over', '{{#l}}{{.}}{{/l}}', { l: list.map(() => 'x'.repeat(2_000)) }],
    ['inverted loops', `{{#l}}${'{{^no}}x{{/no}}'.repeat(300)}{{/l}}`, { l: list }],
    ['long paths', `{{#l}}${`{{${path}}}`.repeat(2_500)}{{/l}}`, { l: list }],
  ])('is quick for %s', (_what, template, variables) => {
    let outcome: unknown;

    const ms = computingMs(() => {
      outcome = renderParts({ subject: 's', htmlContent: template }, variables);
    });

    expect(outcome).toEqual({ kind: 'too_large' });
    expect(ms).toBeLessThan(5_000);
  });

  it('is quick for the largest body of nothing but tags', () => {
    let html: string | undefined;

    const ms = computingMs(() => {
      ({ html } = render({ htmlContent: '{{a}}'.repeat(52_428) }, { a: 1 }));
    });

    expect(html).toHaveLength(52_428);
    expect(ms).toBeLessThan(5_000);
  });
});
