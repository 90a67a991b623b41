import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSyntaxFault } from '#shared/templates/rendering/template-syntax';
import {
  changedParts,
  changesOf,
  differenceOf,
  draftOf,
  draftUpon,
  newTemplateOf,
  placeOf,
  type Template,
} from '../../../../../functions/show-console/app/templates/draft.ts';

const template: Template = {
  id: 'tpl_1',
  name: 'receipt',
  subject: 'Receipt',
  htmlContent: '<p>\r\nHello\r</p>',
  version: 3,
  createdAt: 1,
  updatedAt: 2,
  versions: [],
  contentHash: '',
};

describe('draftOf', () => {
  it('has text-area line breaks, and a missing body as an empty one', () => {
    expect(draftOf(template)).toEqual({
      name: 'receipt',
      alias: '',
      subject: 'Receipt',
      htmlContent: '<p>\nHello\n</p>',
      content: '',
    });
    expect(draftOf(undefined)).toEqual({
      name: '',
      alias: '',
      subject: '',
      htmlContent: '',
      content: '',
    });
  });
});

describe('changesOf', () => {
  it('leaves untouched parts alone, whatever their line breaks', () => {
    expect(changedParts(template, draftOf(template))).toEqual([]);
    expect(changesOf(template, draftOf(template))).toEqual({});
  });

  it('has the edited parts, and removes an emptied body', () => {
    const draft = { ...draftOf(template), subject: 'Your receipt', htmlContent: '', content: 'Hi' };

    expect(changedParts(template, draft)).toEqual(['subject', 'htmlContent', 'content']);
    expect(changesOf(template, draft)).toEqual({
      subject: 'Your receipt',
      htmlContent: null,
      content: 'Hi',
    });
  });
});

describe('draftUpon', () => {
  it('keeps edited parts, and takes the others from the newer version', () => {
    const newer = { ...template, subject: 'Newer', htmlContent: '<p>Newer</p>', version: 4 };
    const draft = { ...draftOf(template), htmlContent: '<p>Mine</p>', content: 'Mine' };

    expect(draftUpon(newer, template, draft)).toEqual({
      name: 'receipt',
      alias: '',
      subject: 'Newer',
      htmlContent: '<p>Mine</p>',
      content: 'Mine',
    });
  });
});

describe('newTemplateOf', () => {
  it('leaves out an empty body', () => {
    const draft = { name: 'a', alias: '', subject: 'b', htmlContent: '', content: 'c' };

    expect(newTemplateOf(draft)).toEqual({ name: 'a', subject: 'b', content: 'c' });
  });
});

describe('placeOf', () => {
  it.each(['{{#a}}', 'one\n\n  {{/b}}', 'ü\n👍 {{> c}}'])(
    'finds the tag of which the service says that it is at fault: %j',
    (text) => {
      const { line = 0, column = 0, message = '' } = findSyntaxFault(text) ?? {};

      const place = placeOf(text, `line ${line}, column ${column}: ${message}`);

      expect(place).toBe(text.indexOf('{{'));
    },
  );

  it('finds no position in any other message', () => {
    expect(placeOf('text', 'must have at most 262144 bytes')).toBeUndefined();
  });
});

describe('differenceOf', () => {
  it.each([
    ['a\nb\nc', 'a\nB\nc', { line: 2, one: 'b', other: 'B' }],
    ['a\nc', 'a\nb\nc', { line: 2, one: '', other: 'b' }],
    ['a', 'b', { line: 1, one: 'a', other: 'b' }],
    ['a\na', 'a', { line: 2, one: 'a', other: '' }],
    ['', 'a\nb', { line: 1, one: '', other: 'a\nb' }],
  ])('of %j and %j', (one, other, difference) => {
    expect(differenceOf(one, other)).toEqual(difference);
  });

  it('leaves out no line that differs', () => {
    const anyText = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
    fc.assert(
      fc.property(anyText, anyText, (lines, others) => {
        const [text, otherText] = [lines.join('\n'), others.join('\n')];
        const { line, one, other } = differenceOf(text, otherText);
        const before = lines.slice(0, line - 1);

        expect(others.slice(0, line - 1)).toEqual(before);
        expect(
          lines
            .slice(line - 1)
            .join('\n')
            .startsWith(one),
        ).toBe(true);
        expect(
          others
            .slice(line - 1)
            .join('\n')
            .startsWith(other),
        ).toBe(true);
        const rest = (all: string[], part: string) =>
          all
            .slice(line - 1)
            .join('\n')
            .slice(part.length)
            .replace(/^\n/, '');
        expect(rest(lines, one)).toBe(rest(others, other));
      }),
    );
  });
});
