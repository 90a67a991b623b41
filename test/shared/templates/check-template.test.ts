import { describe, expect, it } from 'vitest';
import { checkTemplate, maxLocales, maxVariables } from '#shared/templates/check-template';
import type { Template } from '#shared/templates/template';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTemplate } from '../../support/template-builder.ts';

const faultsOf = async (fields: Partial<Template>, options = {}) =>
  (await serviceErrorOf(async () => checkTemplate(buildTemplate(fields), options))).errors?.map(
    ({ path }) => path,
  );

const body = 'x'.repeat(200 * 1024);
const words = (subject = 'x') => ({ subject, htmlContent: body });
const languages = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, place) => [`x${place}`, { subject: 'x', content: 'x' }]),
  );
const variables = (count: number, fallback = '') =>
  Object.fromEntries(
    Array.from({ length: count }, (_, place) => [
      `x${place}`,
      { type: 'string' as const, fallback },
    ]),
  );
const long = 'é'.repeat(4 * 1024);
const layout = {
  kind: 'layout',
  subject: '',
  htmlContent: undefined,
  content: '{{{content}}}',
} as const;

describe('a template as a whole', () => {
  it.each<[string, Partial<Template>, string[]]>([
    ['no body', { htmlContent: undefined, content: undefined }, ['htmlContent']],
    ['no subject', { subject: '' }, ['subject']],
    ['a language without a subject', { locales: { de: words('') } }, ['locales.de.subject']],
    [
      'bodies of a language over 350 KB',
      { locales: { de: { ...words(), content: body } } },
      ['locales.de'],
    ],
    [
      'bodies over 800 KB in all',
      { locales: { de: words(), fr: words(), it: words(), es: words() } },
      ['locales'],
    ],
    ['too many languages', { locales: languages(maxLocales + 1) }, ['locales']],
    ['too many variables', { variables: variables(maxVariables + 1) }, ['variables']],
    ['16 KB of variables, counted in bytes', { variables: variables(2, long) }, ['variables']],
    [
      'a layout with a sender',
      { ...layout, from: 'a@b.example', variables: {} },
      ['from', 'variables'],
    ],
    ['a layout with two slots', { ...layout, content: '{{{content}}}{{&content}}' }, ['content']],
    [
      'a layout with its slot in a section',
      { ...layout, content: '{{^a}}{{{content}}}{{/a}}' },
      ['content'],
    ],
    ['a layout whose slot is a comment', { ...layout, content: '{{!content}}' }, ['content']],
    [
      'a layout without a slot in one language',
      { ...layout, locales: { de: { subject: '', content: 'x' } } },
      ['locales.de.content'],
    ],
  ])('is rejected with %s', async (_what, fields, paths) => {
    expect(await faultsOf(fields)).toEqual(paths);
  });

  it("may lack a subject, as Resend's may, but its languages need theirs", async () => {
    const fields = { subject: '', locales: { de: words('') } };

    expect(await faultsOf(fields, { mayLackSubject: true })).toEqual(['locales.de.subject']);
  });

  it('may be a layout without a subject, or a template of that size', () => {
    checkTemplate(buildTemplate(layout));
    checkTemplate(buildTemplate({ locales: { de: words(), fr: words(), it: words() } }));
    checkTemplate(
      buildTemplate({ locales: languages(maxLocales), variables: variables(maxVariables) }),
    );
  });
});
