import * as z from 'zod/mini';
import type { TemplateContent, Translation } from './template.ts';

/** No tag in use is longer (RFC 5646 §4.4.1). */
const maxLocaleLength = 35;

/** A language tag as BCP 47 writes it: `de_at` becomes `de-AT`. `undefined` if it's none. */
export function canonicalLocale(text: string): string | undefined {
  if (text.length > maxLocaleLength) return undefined;
  try {
    return new Intl.Locale(text.replaceAll('_', '-')).baseName;
  } catch {
    return undefined;
  }
}

const what = 'must be a language tag, such as de or de-AT';

/** The language of an email, as a caller writes it. */
export const localeSchema = z.pipe(
  z.string(),
  z.transform((text: string, context): string => {
    const locale = canonicalLocale(text);
    if (locale !== undefined) return locale;
    context.issues.push({ code: 'custom', message: what, input: text });
    return z.NEVER;
  }),
);

/** The language of a template's words. Written in one way only, so that each has one place. */
export const localeNameSchema = z
  .string()
  .check(z.refine((text) => canonicalLocale(text) === text, { error: what }));

/**
 * The languages to look for, the best first (RFC 4647 §3.4, "Lookup"): `de-Latn-AT`, `de-Latn`, `de`. The template's
 * own words come after them.
 */
export function localeChain(locale: string): readonly string[] {
  const subtags = locale.split('-');
  return subtags.map((_, dropped) => subtags.slice(0, subtags.length - dropped).join('-'));
}

/** The words in a language, else the template's own. */
export function wordsIn(
  { subject, htmlContent, content, locales = {} }: TemplateContent,
  locale: string | undefined,
): Translation & { readonly locale?: string } {
  const known = locale === undefined ? [] : localeChain(locale);
  const found = known.find((one) => Object.hasOwn(locales, one));
  const words = found === undefined ? undefined : locales[found];
  return found !== undefined && words !== undefined
    ? { ...words, locale: found }
    : { subject, htmlContent, content };
}
