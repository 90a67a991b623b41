import { parseDocument } from 'htmlparser2';
import * as z from 'zod/mini';
import { declaredVariablesSchema } from '#shared/templates/declared-variables';
import type { TemplateContent, Translation } from '#shared/templates/template';
import { aliasSchema } from '#shared/templates/template-alias';
import { templateFields } from '#shared/templates/template-fields';
import { templateIdSchema } from '#shared/tokens/resource-id';
import { usageFailure } from '../failure.ts';

// A template in a folder is the files that start with its alias, or with its id if it has none:
//
// | file                                       | holds                                           |
// |--------------------------------------------|-------------------------------------------------|
// | `reset.html`, `reset.txt`                  | its bodies                                      |
// | `reset.de-AT.html`, `reset.de-AT.txt`      | the same in another language                    |
// | `reset.json`                               | everything else; may be missing                 |
//
// So a folder of rendered HTML needs nothing else: everything else comes from the HTML's title and the alias.

export type FileTemplate = {
  /** Its alias, or the id of a template without one. People can't choose ids, so that template must already exist. */
  readonly alias: string;
  readonly name: string;
  readonly kind?: 'layout' | undefined;
  /** By alias, or by id if it has none. */
  readonly layout?: string | undefined;
  readonly content: Omit<TemplateContent, 'layout'>;
};

export type Files = ReadonlyMap<string, string>;

/** Name and addresses as the service stores them: spelt differently, they would differ after every push. */
const settingsSchema = z.strictObject({
  name: z.optional(templateFields.name),
  kind: z.optional(z.literal('layout')),
  subject: z.optional(z.string()),
  from: z.optional(templateFields.from),
  replyTo: z.optional(templateFields.replyTo),
  layout: z.optional(z.string()),
  variables: z.optional(declaredVariablesSchema),
  locales: z.optional(z.record(z.string(), z.strictObject({ subject: z.string() }))),
});
type Settings = z.output<typeof settingsSchema>;

/** A language in a file's name. Short words only, so that an alias may contain dots. */
const fileName =
  /^(?!\.)(?<alias>.+?)(?:\.(?<locale>[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?))?\.(?<kind>html|txt|json)$/;

export const isTemplateFile = (name: string): boolean => fileName.test(name);

export const isId = (alias: string): boolean => templateIdSchema.safeParse(alias).success;

/** The file in which people find a field of a template, for example `locales.de.htmlContent`. */
export function fileOfField(alias: string, path: string): string {
  const [, locale, field = path] = /^locales\.([^.]+)\.(.+)$/.exec(path) ?? [];
  const kind = { htmlContent: 'html', content: 'txt' }[field];
  if (kind === undefined) return `${alias}.json`;
  return [alias, locale, kind].filter((part) => part !== undefined).join('.');
}

export const aliasOfFile = (name: string): string | undefined =>
  fileName.exec(name)?.groups?.['alias'];

/**
 * Without a byte order mark, as some editors begin a file.
 *
 * @throws Failure for other bytes than UTF-8: their letters would be lost
 */
export function textOfFile(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageFailure(`${name} isn't UTF-8. Save it as UTF-8.`);
  }
}

type Parts = { readonly words: Map<string, Bodies>; settings: Settings };
type Bodies = { htmlContent?: string; content?: string };
/** The language of files whose names don't say one. */
const own = '';

/** @throws Failure that names the file at fault */
export function templatesIn(files: Files): readonly FileTemplate[] {
  const found = new Map<string, Parts>();
  for (const [name, text] of files) {
    const { alias, locale = own, kind } = fileName.exec(name)?.groups ?? {};
    if (alias === undefined) continue;
    if (!isId(alias) && !aliasSchema.safeParse(alias).success) {
      throw usageFailure(`${name}: no template can have the alias ${alias}.`);
    }
    const parts = found.get(alias) ?? { words: new Map(), settings: {} };
    found.set(alias, parts);
    if (kind === 'json') {
      parts.settings = settingsIn(name, text);
      continue;
    }
    const words = parts.words.get(locale) ?? {};
    parts.words.set(locale, words);
    if (text !== '') words[kind === 'html' ? 'htmlContent' : 'content'] = text;
  }
  return [...found].map(([alias, parts]) => templateOf(alias, parts));
}

function settingsIn(name: string, text: string): Settings {
  try {
    return settingsSchema.parse(JSON.parse(text));
  } catch (error) {
    const why =
      error instanceof z.core.$ZodError
        ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
        : "it isn't JSON";
    throw usageFailure(`${name}: ${why}.`);
  }
}

function templateOf(alias: string, { words, settings }: Parts): FileTemplate {
  const { name = alias, kind, layout, locales, subject, from, replyTo, variables } = settings;
  const bodies = words.get(own) ?? {};
  const translations = [...words.keys(), ...Object.keys(locales ?? {})].filter(
    (locale) => locale !== own,
  );
  const subjectOf = (given: string | undefined, { htmlContent = '' }: Bodies, other: string) =>
    kind === 'layout' ? '' : (given ?? (titleOf(htmlContent) || other));
  const subjectOfOwn = subjectOf(subject, bodies, wordsOf(alias));
  const inLocale = (locale: string): Translation => {
    const translated = words.get(locale) ?? {};
    return {
      subject: subjectOf(locales?.[locale]?.subject, translated, subjectOfOwn),
      ...translated,
    };
  };
  return {
    alias,
    name,
    ...(kind !== undefined && { kind }),
    ...(layout !== undefined && { layout }),
    content: {
      subject: subjectOfOwn,
      ...bodies,
      ...(from !== undefined && { from }),
      ...(replyTo !== undefined && { replyTo }),
      ...(variables !== undefined && { variables }),
      ...(translations.length > 0 && {
        locales: Object.fromEntries(
          [...new Set(translations)].toSorted().map((locale) => [locale, inLocale(locale)]),
        ),
      }),
    },
  };
}

/** The first title with words: React Email puts an empty one before its preview's. */
function titleOf(html: string): string {
  const titles: string[] = [];
  const visit = (nodes: ReturnType<typeof parseDocument>['children']) => {
    for (const node of nodes) {
      if (!('children' in node)) continue;
      if ('name' in node && node.name === 'title') {
        titles.push(node.children.map((child) => ('data' in child ? child.data : '')).join(''));
      }
      visit(node.children);
    }
  };
  visit(parseDocument(html).children);
  return titles.map((title) => title.replaceAll(/\s+/g, ' ').trim()).find(Boolean) ?? '';
}

/** Turns `password-reset` into what a person would write. */
function wordsOf(alias: string): string {
  const words = alias.replaceAll(/[._-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The reverse of `templatesIn`. */
export function filesOf({ alias, name, kind, layout, content }: FileTemplate): Files {
  const { subject, htmlContent, content: text, locales = {}, ...others } = content;
  const subjects = Object.entries(locales).map(([locale, words]) => [
    locale,
    { subject: words.subject },
  ]);
  const settings = {
    name,
    kind,
    ...(kind !== 'layout' && { subject }),
    ...others,
    layout,
    ...(subjects.length > 0 && kind !== 'layout' && { locales: Object.fromEntries(subjects) }),
  };
  return new Map(
    [
      [`${alias}.json`, `${JSON.stringify(settings, null, 2)}\n`] as const,
      ...bodyFiles(alias, { htmlContent, content: text }),
      ...Object.entries(locales).flatMap(([locale, words]) =>
        bodyFiles(`${alias}.${locale}`, words),
      ),
    ].flatMap(([file, body]) => (body === undefined ? [] : [[file, body] as const])),
  );
}

const bodyFiles = (
  base: string,
  { htmlContent, content }: { htmlContent?: string | undefined; content?: string | undefined },
) => [[`${base}.html`, htmlContent] as const, [`${base}.txt`, content] as const];

/** Whether its files would be read as this template again. */
export const canBeFiles = ({ alias, content }: FileTemplate): boolean =>
  [undefined, ...Object.keys(content.locales ?? {})].every((locale) => {
    const name = locale === undefined ? `${alias}.html` : `${alias}.${locale}.html`;
    const { groups } = fileName.exec(name) ?? {};
    return groups?.['alias'] === alias && groups['locale'] === locale;
  });
