import type { Answer, Input } from '../../../api.ts';

export type Template = Answer<'GET /api/v1/templates/{id}'>;
type Translation = NonNullable<Template['locales']>[string];
export type DeclaredVariable = NonNullable<Template['variables']>[string];

/**
 * The editor's texts by field path, named as in the API. A missing body, alias or setting is empty. A language or
 * declared variable exists as long as it has a path.
 */
export type TemplateDraft = Readonly<Record<string, string>>;

const settings = { alias: 'Alias', from: 'From', replyTo: 'Reply-To', layout: 'Layout' } as const;
const wordsOfParts = {
  subject: 'Subject',
  htmlContent: 'HTML body',
  content: 'Text body',
} as const;
export type WordPart = keyof typeof wordsOfParts;
const wordParts = ['subject', 'htmlContent', 'content'] as const;

/** The language of the template's own words. */
export const ownLanguage = '';

export const wordPath = (part: WordPart, language: string): string =>
  language === ownLanguage ? part : `locales.${language}.${part}`;

export const variablePath = (name: string): string => `variables.${name}`;

/** A field's name for people. */
export function partWords(path: string): string {
  const [first = '', second = '', third = ''] = path.split('.');
  if (first === 'locales') return `${namesOfParts[third] ?? 'Language'} (${second})`;
  if (first === 'variables' && second !== '') return `Variable ${second}`;
  return namesOfParts[first] ?? first;
}

const namesOfParts: Readonly<Record<string, string>> = {
  name: 'Name',
  ...settings,
  ...wordsOfParts,
  variables: 'Variables',
  locales: 'Languages',
};

/** Whether sends use an earlier version, or none. */
export const isDraft = ({ version, publishedVersion }: Template): boolean =>
  version !== publishedVersion;

/** Line breaks are made plain, the only kind that text areas know. */
export function draftOf(template: Partial<Template> = {}): TemplateDraft {
  const { name = '', alias = '', from = '', replyTo = [], layout = '' } = template;
  const { locales = {}, variables = {} } = template;
  return {
    name,
    alias,
    ...wordsIn(template, ownLanguage),
    from,
    replyTo: replyTo.join(', '),
    layout,
    ...Object.fromEntries(
      Object.entries(locales).flatMap(([language, words]) =>
        Object.entries(wordsIn(words, language)),
      ),
    ),
    ...Object.fromEntries(
      Object.entries(variables).map(([name, declared]) => [variablePath(name), textOf(declared)]),
    ),
  };
}

export const textOf = ({ type, required, fallback }: DeclaredVariable): string =>
  JSON.stringify({ type, ...(required && { required }), fallback });

const wordsIn = (words: Partial<Translation>, language: string): TemplateDraft =>
  Object.fromEntries(
    wordParts.map((part) => [wordPath(part, language), withPlainBreaks(words[part])]),
  );

const withPlainBreaks = (text = ''): string => text.replace(/\r\n?/g, '\n');

export const languagesIn = (draft: TemplateDraft): readonly string[] =>
  namesIn(Object.keys(draft), 'locales');

export const declaredIn = (
  draft: TemplateDraft,
): readonly (readonly [name: string, DeclaredVariable])[] =>
  Object.entries(draft).flatMap(([path, text]) => {
    const [first, name] = path.split('.');
    return first === 'variables' && name ? [[name, declarationIn(text)] as const] : [];
  });

const declarationIn = (text: string): DeclaredVariable => JSON.parse(text);

/** In all languages. */
export const textsIn = (draft: TemplateDraft): readonly string[] =>
  [ownLanguage, ...languagesIn(draft)].flatMap((language) =>
    wordParts.map((part) => draft[wordPath(part, language)] ?? ''),
  );

/** Adds a language, with the template's own words until they're translated. */
export const withLanguage = (draft: TemplateDraft, language: string): TemplateDraft => ({
  ...draft,
  ...Object.fromEntries(wordParts.map((part) => [wordPath(part, language), draft[part] ?? ''])),
});

export const withoutLanguage = (draft: TemplateDraft, language: string): TemplateDraft =>
  without(
    draft,
    wordParts.map((part) => wordPath(part, language)),
  );

export const without = (draft: TemplateDraft, paths: readonly string[]): TemplateDraft =>
  Object.fromEntries(Object.entries(draft).filter(([path]) => !paths.includes(path)));

/** Takes one field from another draft. */
export function withPartOf(
  draft: TemplateDraft,
  other: TemplateDraft,
  path: string,
): TemplateDraft {
  const text = other[path];
  return text === undefined ? without(draft, [path]) : { ...draft, [path]: text };
}

/** In the order of the form. */
export const partsThatDiffer = (one: TemplateDraft, other: TemplateDraft): readonly string[] =>
  Object.keys({ ...one, ...other }).filter((path) => one[path] !== other[path]);

export const changedParts = (
  template: Template | undefined,
  draft: TemplateDraft,
): readonly string[] => partsThatDiffer(draftOf(template), draft);

/** Whether a version has everything that someone meant to save. */
export const isSaved = (template: Template, draft: TemplateDraft, asDraft: boolean): boolean =>
  isDraft(template) === asDraft && changedParts(template, draft).length === 0;

/**
 * Moves a draft onto a newer version, from which it takes untouched parts.
 *
 * @param seen the version that was edited.
 */
export const draftUpon = (
  newer: Template,
  seen: Template | undefined,
  draft: TemplateDraft,
): TemplateDraft =>
  changedParts(seen, draft).reduce((upon, path) => withPartOf(upon, draft, path), draftOf(newer));

/** Untouched parts stay the same, to the byte. */
export function changesOf(
  template: Template,
  draft: TemplateDraft,
): Input<'PUT /api/v1/templates/{id}'>['body'] {
  const changed = changedParts(template, draft);
  const has = (path: string) => changed.includes(path);
  const { name = '', alias, subject = '', htmlContent, content, from, layout } = draft;
  const languages = namesIn(changed, 'locales');
  const variables = namesIn(changed, 'variables');
  return {
    ...(has('name') && { name }),
    ...(has('alias') && { alias: alias || null }),
    ...(has('subject') && { subject }),
    ...(has('htmlContent') && { htmlContent: htmlContent || null }),
    ...(has('content') && { content: content || null }),
    ...(has('from') && { from: from || null }),
    ...(has('replyTo') && { replyTo: addressesIn(draft) ?? null }),
    ...(has('layout') && { layout: layout || null }),
    ...(languages.length > 0 && {
      locales: entriesOf(languages, (language) => translationOf(template, draft, language)),
    }),
    ...(variables.length > 0 && {
      variables: entriesOf(variables, (name) => declared(draft, name)),
    }),
  };
}

const namesIn = (paths: readonly string[], map: 'locales' | 'variables'): readonly string[] => [
  ...new Set(
    paths.flatMap((path) => {
      const [first, name] = path.split('.');
      return first === map && name ? [name] : [];
    }),
  ),
];

const entriesOf = <Value>(
  names: readonly string[],
  entryOf: (name: string) => Value,
): Record<string, Value> => Object.fromEntries(names.map((name) => [name, entryOf(name)]));

function declared(draft: TemplateDraft, name: string): DeclaredVariable | null {
  const text = draft[variablePath(name)];
  return text === undefined ? null : declarationIn(text);
}

/** A language is replaced as a whole, so untouched parts come from the stored one. */
function translationOf(
  template: Partial<Template>,
  draft: TemplateDraft,
  language: string,
): Translation | null {
  if (!languagesIn(draft).includes(language)) return null;
  const stored = template.locales?.[language];
  const textOfPart = (part: WordPart) => {
    const text = draft[wordPath(part, language)] ?? '';
    return text === withPlainBreaks(stored?.[part]) ? stored?.[part] : text;
  };
  const [htmlContent, content] = [textOfPart('htmlContent'), textOfPart('content')];
  return {
    subject: textOfPart('subject') ?? '',
    ...(htmlContent && { htmlContent }),
    ...(content && { content }),
  };
}

/** A comma in quotes is part of a name. */
function addressesIn({ replyTo = '' }: TemplateDraft): readonly string[] | undefined {
  const addresses = replyTo.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((one) => one.trim());
  const given = addresses.filter((one) => one !== '');
  return given.length > 0 ? given : undefined;
}

export function newTemplateOf(
  draft: TemplateDraft,
  kind?: 'layout',
): Input<'POST /api/v1/templates'>['body'] {
  const { name = '', alias, subject, htmlContent, content, from, layout } = draft;
  const replyTo = addressesIn(draft);
  const languages = languagesIn(draft);
  const variables = declaredIn(draft);
  return {
    name,
    ...(kind && { kind }),
    ...(subject && { subject }),
    ...(alias && { alias }),
    ...(htmlContent && { htmlContent }),
    ...(content && { content }),
    ...(from && { from }),
    ...(replyTo && { replyTo }),
    ...(layout && { layout }),
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
    ...(languages.length > 0 && {
      locales: Object.fromEntries(
        languages.flatMap((language) => {
          const words = translationOf({}, draft, language);
          return words ? [[language, words]] : [];
        }),
      ),
    }),
  };
}

/**
 * The place of a mistake that the service reports as “line 2, column 5: …”; both count from 1.
 *
 * @returns the offset; `undefined` if the message has no position.
 */
export function placeOf(text: string, message: string): number | undefined {
  const [, line, column] = /^line (\d+), column (\d+):/.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const before = text.split('\n').slice(0, Number(line) - 1);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1;
}
