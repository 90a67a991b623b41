import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aliasOfFile,
  canBeFiles,
  type FileTemplate,
  filesOf,
  templatesIn,
} from '../../../infra/manage/templates/files.ts';
import { stateOf } from '../../../infra/manage/templates/template-state.ts';

const anyWords = fc.record(
  {
    subject: fc.string({ minLength: 1 }),
    htmlContent: fc.string({ minLength: 1 }),
    content: fc.string({ minLength: 1 }),
  },
  { requiredKeys: ['subject'] },
);
const anyTemplate: fc.Arbitrary<FileTemplate> = fc
  .record({
    alias: fc.constantFrom('reset', 'a.b', 'welcome-2', 'x.de'),
    name: fc
      .string({ minLength: 1 })
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    layout: fc.option(fc.constant('main'), { nil: undefined }),
    words: anyWords,
    locales: fc.option(
      fc.dictionary(fc.constantFrom('de', 'de-AT', 'zh-Hant-TW', 'es-419'), anyWords, {
        minKeys: 1,
      }),
      { nil: undefined },
    ),
  })
  .map(({ words, locales, layout, ...names }) => ({
    ...names,
    ...(layout !== undefined && { layout }),
    content: { ...words, ...(locales !== undefined && { locales }) },
  }));

describe('the files of a template', () => {
  it('are read back as the template, unless their names say something else', () => {
    fc.assert(
      fc.property(anyTemplate, (template) => {
        fc.pre(canBeFiles(template));
        expect(templatesIn(filesOf(template))).toEqual([template]);
      }),
    );
  });

  it.each([
    ['reset.html', 'reset'],
    ['reset.de.html', 'reset'],
    ['password.reset.html', 'password.reset'],
    ['reset.de-at.txt', 'reset.de-at'],
    ['reset.md', undefined],
    ['.templates.json', undefined],
  ])('%s belongs to %s', (name, alias) => {
    expect(aliasOfFile(name)).toBe(alias);
  });

  it.each([
    ['<title></title><title>Reset\n your &amp; password</title>', 'Reset your & password'],
    ['<p>Hello</p>', 'Password reset'],
    ['<svg><title> </title></svg>', 'Password reset'],
  ])('%s alone have the subject %s', (html, subject) => {
    const [template] = templatesIn(new Map([['password-reset.html', html]]));

    expect(template).toEqual({
      ...{ alias: 'password-reset', name: 'password-reset' },
      content: { subject, htmlContent: html },
    });
  });

  it('normalize name and addresses as the service stores them', () => {
    const settings = {
      name: ' Cafe\u0301 ',
      from: '"Example" <Hello@EXAMPLE.com>',
      replyTo: 'Ann<ann@example.com>',
    };

    const [template] = templatesIn(new Map([['reset.json', JSON.stringify(settings)]]));

    expect(template).toMatchObject({
      name: 'Café',
      content: { from: 'Example <Hello@example.com>', replyTo: ['Ann <ann@example.com>'] },
    });
  });

  it.each([
    ['name', ' '],
    ['from', 'Example'],
    ['replyTo', ['ann@example.com', 'Ann']],
  ])('are named if the service would refuse their %s', (field, value) => {
    const files = new Map([['reset.json', JSON.stringify({ [field]: value })]]);

    expect(() => templatesIn(files)).toThrow(new RegExp(`^reset\\.json: ${field}`));
  });
});

describe('the state of a template', () => {
  it.each([
    ['a', 'a', undefined, 'same'],
    ['a', undefined, undefined, 'only here'],
    [undefined, 'a', 'a', 'only there'],
    ['b', 'a', 'a', 'changed here'],
    ['a', 'b', 'a', 'changed there'],
    ['a', 'b', undefined, 'changed in both'],
    ['a', 'b', 'c', 'changed in both'],
  ])('here %s, there %s, once %s: %s', (here, there, base, state) => {
    expect(stateOf({ here, there, base })).toBe(state);
  });
});
