import fc from 'fast-check';
import Mustache from 'mustache';
import { describe, expect, it } from 'vitest';
import { findSyntaxFault } from '#shared/templates/rendering/template-syntax';
import { computingMs } from '../../../support/computing.ts';
import { anySoundTemplate, anyTemplate } from '../../../support/template-arbitrary.ts';

const nested = (depth: number) => `${'{{#a}}'.repeat(depth)}x${'{{/a}}'.repeat(depth)}`;

describe('findSyntaxFault', () => {
  it.each([
    '',
    'plain text, { braces }, }} and more }}}',
    '{{name}}, {{ user.name }}, {{user.address.city}}',
    '{{{raw}}} {{{ raw }}} {{&raw}} {{& raw }}',
    '{{#items}}{{name}}{{^last}}, {{/last}}{{/items}}',
    '{{# items }}{{/items}}{{^items}}none{{/ items }}',
    '{{.}} {{#.}}{{/.}}',
    '{{#if}}a section may be named if{{/if}}{{^else}}or else{{/else}} {{this}}',
    '{{! a comment, with {{ in it }} {{!}}',
    '{{a}}}',
    `{{${'a'.repeat(100)}}}`,
    `{{#${'a'.repeat(99)}}}{{/${'a'.repeat(99)}}}`,
    `{{!${'x'.repeat(999)}}}`,
    nested(20),
  ])('finds nothing in %j', (template) => {
    expect(findSyntaxFault(template)).toBeUndefined();
  });

  it.each([
    ['Hello {{name', 1, 7, 'not closed'],
    ['Hello\n{{name }, you', 2, 1, 'not closed'],
    ['Hello {{name <b>{{other}}', 1, 7, 'not closed'],
    ['{{{raw}} and {{{raw}}}', 1, 1, 'not closed'],
    ['{{{raw}}', 1, 1, 'not closed'],
    ['{{!never', 1, 1, 'not closed'],
    ['a\r\nb\r\n  {{#items}}', 3, 3, '"items" is never closed'],
    ['{{#a}}{{#b}}{{/b}}', 1, 1, '"a" is never closed'],
    ['{{#a}}\n{{#b}}\n', 2, 1, '"b" is never closed'],
    ['{{#a}}\n {{/b}}', 2, 2, '"b" is closed while "a"'],
    ['{{#a}}{{#b}}{{/a}}{{/b}}', 1, 13, '"a" is closed while "b"'],
    ['{{#if x}}y{{/if}}', 1, 1, 'no {{#if …}}: write {{#name}} … {{/name}}'],
    ['a\n {{#unless x}}y{{/unless}}', 2, 2, 'write {{^name}} … {{/name}}'],
    ['{{#each items}}{{this}}{{/each}}', 1, 1, 'write {{#name}} … {{.}} … {{/name}}'],
    ['{{#x}}y{{else}}z{{/x}}', 1, 8, 'no {{else}}: write {{#name}} … {{/name}}{{^name}}'],
    ['{{#x}}y{{else if z}}z{{/x}}', 1, 8, 'no {{else}}'],
    ['Hi {{x | default: "y"}}', 1, 4, 'write a default as {{name}}{{^name}}default{{/name}}'],
    ['{{x|upper}}', 1, 1, 'no filters'],
    ['On {{formatDate d}}', 1, 4, 'has no helpers'],
    ['{{{formatDate d}}}', 1, 1, 'has no helpers'],
    ['{{#list}}{{@index}}{{../name}}{{/list}}', 1, 10, 'no {{@…}}'],
    ['<a href="{{{ pm:unsubscribe }}}">Leave</a>', 1, 10, 'Postmark’s {{{ pm:… }}}'],
    ['{{{pm:unsubscribe_url}}}', 1, 1, 'remove it'],
    ['{{ pm:unsubscribe label="Leave" }}', 1, 1, 'Postmark’s'],
    ['x\n\n{{/a}}', 3, 1, 'never opened'],
    ['x {{> header }}', 1, 3, 'partials'],
    ['{{#a}}\n\t{{>header}}{{/a}}', 2, 2, 'partials'],
    ['x\n{{=<% %>=}}<% a %>', 2, 1, 'delimiters'],
    ['{{= =}}', 1, 1, 'delimiters'],
    ['{{ =| |= }}', 1, 1, 'delimiters'],
    ['a {{}} b', 1, 3, 'a tag is empty'],
    ['{{#}}{{/}}', 1, 1, 'a tag is empty'],
    ['{{{ }}}', 1, 1, 'a tag is empty'],
    [`x{{${'a'.repeat(101)}}}`, 1, 2, 'longer than 100'],
    [`{{a${' '.repeat(100)}}}`, 1, 1, 'longer than 100'],
    [`{{!${'x'.repeat(1_000)}}}`, 1, 1, 'longer than 1000'],
    [nested(21), 1, 121, 'deeper than 20'],
    ['😀{{', 1, 3, 'not closed'],
  ])('says what is wrong with %j, and where', (template, line, column, message) => {
    expect(findSyntaxFault(template)).toEqual({
      message: expect.stringContaining(message),
      line,
      column,
    });
  });

  it('returns the first of several errors', () => {
    expect(findSyntaxFault('{{ok}}\n{{>a}}\n{{>b}}')).toMatchObject({ line: 2, column: 1 });
  });

  it('finds nothing in any template made of whole tags', () => {
    fc.assert(
      fc.property(anySoundTemplate, (template) => findSyntaxFault(template) === undefined),
      { numRuns: 200 },
    );
  });

  it('rejects whatever mustache rejects, and never throws', () => {
    const anyTokens = fc
      .array(
        fc.constantFrom('{{', '}}', '{', '}', '#', '/', '^', '&', '!', '=', '>', 'a', ' ', '\n'),
        { maxLength: 14 },
      )
      .map((tokens) => tokens.join(''));

    fc.assert(
      fc.property(fc.oneof(anyTokens, fc.string()), (template) => {
        const isRefused = findSyntaxFault(template) !== undefined;

        if (!isRefused) expect(() => new Mustache.Writer().parse(template)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });

  it('points at a tag, whatever the error', () => {
    fc.assert(
      fc.property(anyTemplate, fc.nat(200), (template, cut) => {
        const broken = template.slice(0, cut);

        const fault = findSyntaxFault(broken);

        if (fault === undefined) return;
        const line = broken.split('\n')[fault.line - 1] ?? '';
        expect(line.slice(fault.column - 1).startsWith('{{')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a tag of blanks', `{{a${' '.repeat(262_000)}}}`],
    ['a tag of blanks that never ends', `{{a${' '.repeat(262_000)}`],
    ['opening braces only', '{'.repeat(262_000)],
    ['many open tags', '{{ '.repeat(87_000)],
    ['many comments', `{{!x${' '.repeat(990)}y}}`.repeat(260)],
    ['many sections', '{{#a}}{{/a}}'.repeat(21_000)],
  ])('is quick for %s', (_what, template) => {
    expect(computingMs(() => findSyntaxFault(template))).toBeLessThan(2_000);
  });
});
