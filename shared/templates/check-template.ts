import { type FieldError, invalidField, validationFailed } from '#shared/errors/service-error';
import { layoutFaults } from './check-layout.ts';
import type { Template, Translation } from './template.ts';

/** A transaction takes 4 MB, and publishing writes both the earlier and the new version. */
const maxTotalBytes = 800 * 1024;
/** A translation is held in one item. */
const maxTranslationBytes = 350 * 1024;

/** A transaction takes 100 items: `template-store.store.test.ts`. */
export const maxLocales = 20;
export const maxVariables = 50;
/** Each send reads them. */
const maxDeclaredBytes = 16 * 1024;

type Circumstances = {
  /** The request removed the text body, so that field is at fault. */
  readonly changedText?: boolean;
  /** Resend's templates may: then each email has its own. */
  readonly mayLackSubject?: boolean;
};

/**
 * Finds faults that no single field shows.
 *
 * @throws ServiceError `validation_failed`
 */
export function checkTemplate(
  template: Template,
  { changedText = false, mayLackSubject = false }: Circumstances = {},
): void {
  if (template.htmlContent === undefined && template.content === undefined) {
    const path = changedText ? 'content' : 'htmlContent';
    throw invalidField(path, 'can’t be removed: the template has no other body');
  }
  const faults = [
    ...(template.kind === 'layout'
      ? layoutFaults(template)
      : subjectFaults(template, mayLackSubject)),
    ...sizeFaults(template),
    ...countFaults(template),
  ];
  if (faults.length > 0) throw validationFailed(faults);
}

function sizeFaults({ htmlContent, content, locales = {} }: Template): readonly FieldError[] {
  const sizes = Object.entries(locales).map(([locale, words]) => ({ locale, size: sizeOf(words) }));
  const total = sizes.reduce((sum, { size }) => sum + size, sizeOf({ htmlContent, content }));
  const tooLarge = sizes
    .filter(({ size }) => size > maxTranslationBytes)
    .map(({ locale }) => ({
      path: `locales.${locale}`,
      message: `its bodies must have at most ${maxTranslationBytes} bytes together`,
    }));
  if (tooLarge.length > 0 || total <= maxTotalBytes) return tooLarge;
  return [
    {
      path: 'locales',
      message: `the bodies of all languages must have at most ${maxTotalBytes} bytes together`,
    },
  ];
}

const sizeOf = ({ htmlContent = '', content = '' }: Partial<Translation>): number =>
  Buffer.byteLength(htmlContent) + Buffer.byteLength(content);

const limits = [
  {
    path: 'locales',
    most: maxLocales,
    unit: 'languages',
    countIn: ({ locales = {} }: Template) => Object.keys(locales).length,
  },
  {
    path: 'variables',
    most: maxVariables,
    unit: 'variables',
    countIn: ({ variables = {} }: Template) => Object.keys(variables).length,
  },
  {
    path: 'variables',
    most: maxDeclaredBytes,
    unit: 'bytes of variables as JSON',
    countIn: ({ variables = {} }: Template) => Buffer.byteLength(JSON.stringify(variables)),
  },
] as const;

const countFaults = (template: Template): readonly FieldError[] =>
  limits.flatMap(({ path, most, unit, countIn }) => {
    const count = countIn(template);
    if (count <= most) return [];
    return { path, message: `a template has at most ${most} ${unit}, not ${count}: remove some` };
  });

function subjectFaults(
  { subject, locales = {} }: Template,
  mayLackSubject: boolean,
): readonly FieldError[] {
  const subjects = [
    ...(mayLackSubject ? [] : [{ path: 'subject', text: subject }]),
    ...Object.entries(locales).map(([locale, words]) => ({
      path: `locales.${locale}.subject`,
      text: words.subject,
    })),
  ];
  return subjects
    .filter(({ text }) => text === '')
    .map(({ path }) => ({ path, message: 'is required' }));
}
