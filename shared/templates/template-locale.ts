import * as z from 'zod/mini';
import { canonicalLocale, localeChain } from './language-tag.ts';
import type { TemplateContent, Translation } from './template.ts';

const what = 'must be a language tag, such as de or de-AT';

export const localeSchema = z.pipe(
  z.string(),
  z.transform((text: string, context): string => {
    const locale = canonicalLocale(text);
    if (locale !== undefined) return locale;
    context.issues.push({ code: 'custom', message: what, input: text });
    return z.NEVER;
  }),
);

/** Only one spelling is valid, so that each language has one place. */
export const localeNameSchema = z
  .string()
  .check(z.refine((text) => canonicalLocale(text) === text, { error: what }));

/** The content in a language, or else the template's own. */
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
