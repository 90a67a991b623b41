import { describe, expect, it } from 'vitest';
import { findSyntaxFault } from '#shared/templates/rendering/template-syntax';
import {
  changedParts,
  changesOf,
  declaredIn,
  draftOf,
  draftUpon,
  isSaved,
  languagesIn,
  newTemplateOf,
  placeOf,
  type Template,
  withLanguage,
  without,
  withoutLanguage,
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

const full: Template = {
  ...template,
  replyTo: ['"Doe, Ann" <ann@example.com>', 'bob@example.com'],
  layout: 'tpl_2',
  locales: { de: { subject: 'Beleg', content: 'a\r\nb' }, 'de-AT': { subject: 'x', content: 'y' } },
  variables: {
    name: { type: 'string', fallback: 'friend' },
    n: { type: 'number', required: true },
  },
};

describe('draftOf', () => {
  it('has text-area line breaks, and what is missing as empty', () => {
    const nothing = { alias: '', content: '', from: '', replyTo: '', layout: '' };

    expect(draftOf(template)).toEqual({
      ...nothing,
      ...{ name: 'receipt', subject: 'Receipt', htmlContent: '<p>\nHello\n</p>' },
    });
    expect(draftOf(undefined)).toEqual({ ...nothing, name: '', subject: '', htmlContent: '' });
  });

  it('has languages and declared variables by the paths of the API', () => {
    const draft = draftOf(full);

    expect(draft).toMatchObject({ 'locales.de.content': 'a\nb', 'locales.de.htmlContent': '' });
    expect(languagesIn(draft)).toEqual(['de', 'de-AT']);
    expect(declaredIn(draft)).toEqual(Object.entries(full.variables ?? {}));
  });
});

describe('changesOf', () => {
  it.each([template, full])('leaves untouched parts alone, whatever their line breaks', (one) => {
    expect(changedParts(one, draftOf(one))).toEqual([]);
    expect(changesOf(one, draftOf(one))).toEqual({});
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

  it('replaces a language as a whole, and keeps the bytes of what was not touched', () => {
    const draft = { ...draftOf(full), 'locales.de.subject': 'Ihr Beleg' };

    expect(changesOf(full, draft)).toEqual({
      locales: { de: { subject: 'Ihr Beleg', content: 'a\r\nb' } },
    });
  });

  it('adds and removes languages and variables by their names', () => {
    const left = without(withoutLanguage(draftOf(full), 'de'), ['variables.n']);
    const draft = { ...withLanguage(left, 'fr'), 'variables.m': '{"type":"list"}' };

    expect(changesOf(full, draft)).toEqual({
      locales: { de: null, fr: { subject: 'Receipt', htmlContent: '<p>\nHello\n</p>' } },
      variables: { n: null, m: { type: 'list' } },
    });
  });

  it('reads addresses with commas in their names, and takes settings away', () => {
    const draft = { ...draftOf(full), layout: '', replyTo: '"Doe, Ann" <ann@example.com>,  ' };

    expect(changesOf(full, draft)).toEqual({
      ...{ layout: null, replyTo: ['"Doe, Ann" <ann@example.com>'] },
    });
    expect(changesOf(full, { ...draftOf(full), replyTo: ' ' })).toEqual({ replyTo: null });
  });
});

describe('isSaved', () => {
  const published = { ...full, publishedVersion: full.version };

  it('recognizes a version that was saved or published as asked', () => {
    expect(isSaved(full, draftOf(full), true)).toBe(true);
    expect(isSaved(published, draftOf(full), false)).toBe(true);
  });

  it('takes neither other words for it, nor a draft for a published version', () => {
    expect(isSaved(full, { ...draftOf(full), subject: 'Mine' }, true)).toBe(false);
    expect(isSaved(full, draftOf(full), false)).toBe(false);
    expect(isSaved(published, draftOf(full), true)).toBe(false);
  });
});

describe('draftUpon', () => {
  it('keeps edited parts, and takes the others from the newer version', () => {
    const newer = {
      ...full,
      ...{ subject: 'Newer', htmlContent: '<p>Newer</p>', version: 4 },
      locales: { de: { subject: 'Neuer', content: 'Neuer' }, fr: { subject: 'x', content: 'x' } },
    };
    const draft = { ...draftOf(full), htmlContent: '<p>Mine</p>', 'locales.de.content': 'Meins' };

    expect(draftUpon(newer, full, draft)).toEqual({
      ...draftOf(newer),
      ...{ htmlContent: '<p>Mine</p>', 'locales.de.content': 'Meins' },
    });
    expect(languagesIn(draftUpon(newer, full, withoutLanguage(draft, 'de')))).toEqual(['fr']);
  });
});

describe('newTemplateOf', () => {
  it('leaves out what is empty', () => {
    const draft = { ...draftOf(), name: 'a', subject: 'b', content: 'c' };

    expect(newTemplateOf(draft)).toEqual({ name: 'a', subject: 'b', content: 'c' });
  });

  it('has all that a draft has', () => {
    const { name, subject, replyTo, layout, locales, variables } = full;

    expect(newTemplateOf(draftOf(full))).toEqual({
      ...{ name, subject, replyTo, layout, variables, htmlContent: '<p>\nHello\n</p>' },
      locales: { ...locales, de: { subject: 'Beleg', content: 'a\nb' } },
    });
    expect(newTemplateOf({ ...draftOf(), name: 'a', content: 'x' }, 'layout')).toEqual({
      ...{ name: 'a', kind: 'layout', content: 'x' },
    });
  });
});

describe('placeOf', () => {
  it.each(['{{#a}}', 'one\n\n  {{/b}}', 'ü\n👍 {{> c}}'])(
    'finds the tag that the service says is wrong: %j',
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
