import * as z from 'zod/mini';
import { hasControlCharacter } from '#shared/contacts/email-address';
import { parseMailbox, readableMailbox } from '#shared/contacts/mailbox';
import { boundedList, cut } from '#shared/errors/bounded';
import { acrossFields } from '#shared/errors/field-error';
import { templateIdSchema } from '#shared/tokens/resource-id';
import { maxLocales, maxVariables } from './check-template.ts';
import { declaredVariableSchema, typeFault, variableNameSchema } from './declared-variables.ts';
import { findSyntaxFault } from './rendering/template-syntax.ts';
import { aliasSchema } from './template-alias.ts';
import { localeNameSchema } from './template-locale.ts';
import { variablesSchema } from './variables.ts';

const maxNameLength = 100;
const maxSubjectLength = 998;
const maxBodyBytes = 256 * 1024;

const inOneLine = { error: 'must not contain control characters or line breaks' };

/** DynamoDB stores UTF-8, which can't encode half a surrogate pair. */
const text = z.string().check(
  z.refine((value) => value.isWellFormed(), {
    error: 'must be well-formed Unicode',
    abort: true,
  }),
);

/** Apply last, to text of bounded length, because parsing takes time. */
function checkSyntax(template: string, context: z.core.$RefinementCtx<string>): void {
  const fault = findSyntaxFault(template);
  if (fault === undefined) return;
  const { message, line, column } = fault;
  context.addIssue({ code: 'custom', message: `line ${line}, column ${column}: ${message}` });
}

const body = text.check(
  z.minLength(1, { abort: true }),
  z.refine((value) => Buffer.byteLength(value) <= maxBodyBytes, {
    error: `must have at most ${maxBodyBytes} bytes`,
    abort: true,
  }),
  z.superRefine(checkSyntax),
);

const maxReplyTo = 10;
/** As in a send, a name may come before it. */
const address = z.pipe(
  z.string(),
  z.transform<string, string>((given, context) => {
    const parsed = parseMailbox(given);
    if (parsed.ok) return readableMailbox(parsed.value);
    context.issues.push({ code: 'custom', message: parsed.reason, input: given });
    return z.NEVER;
  }),
);

const declaredVariable = z.strictObject(declaredVariableSchema.shape).check(
  z.superRefine(({ type, required, fallback }, context) => {
    if (fallback === undefined) return;
    const message = required
      ? 'a required variable has none: leave it out, or leave out required'
      : typeFault(type, fallback);
    if (message !== undefined) {
      context.addIssue({ code: 'custom', path: ['fallback'], message });
    }
  }),
);

const variablesOf = <Value extends z.ZodMiniType>(value: Value, most: number) =>
  cut(
    most,
    z.record(variableNameSchema, value).check(
      z.refine((variables) => Object.keys(variables).length <= most, {
        error: `must have at most ${most} names`,
        abort: true,
      }),
      z.refine((variables) => variablesSchema.safeParse(variables).success, {
        error: 'must be well-formed Unicode, and not nest deeper than 32 levels',
      }),
    ),
  );

const localesOf = <Value extends z.ZodMiniType>(value: Value, most: number) =>
  cut(
    most,
    z.record(localeNameSchema, value).check(
      z.refine((locales) => Object.keys(locales).length <= most, {
        error: `must have at most ${most} languages`,
      }),
    ),
  );

/** Layouts have no subject: `check-template.ts` says where one is needed. */
const subject = text.check(
  z.maxLength(maxSubjectLength, { abort: true }),
  z.refine((value) => !hasControlCharacter(value), { ...inOneLine, abort: true }),
  z.superRefine(checkSyntax),
);

const translation = z
  .strictObject({
    subject: z._default(subject, ''),
    htmlContent: z.exactOptional(body),
    content: z.exactOptional(body),
  })
  .check(
    z.refine(({ htmlContent, content }) => htmlContent !== undefined || content !== undefined, {
      path: ['htmlContent'],
      error: 'give htmlContent, content, or both',
      ...acrossFields,
    }),
  );

const oneInList = z.pipe(
  z.string(),
  z.transform((one) => [one]),
);

/** `address` checks the entries and names the faulty one. */
const anyEntry = z.unknown().register(z.globalRegistry, { type: 'string' });

const replyTo = z.pipe(
  z.union([oneInList, boundedList(anyEntry, maxReplyTo, 1)], {
    error: `must be one address or a list of at most ${maxReplyTo}`,
  }),
  z.array(address),
);

export const templateFields = {
  name: text.check(
    z.trim(),
    z.normalize('NFC'),
    z.minLength(1),
    z.maxLength(maxNameLength),
    z.refine((value) => !hasControlCharacter(value), inOneLine),
  ),
  subject,
  htmlContent: body,
  content: body,
  alias: aliasSchema,
  from: address,
  replyTo,
  variables: variablesOf(declaredVariable, maxVariables),
  layout: templateIdSchema,
  locales: localesOf(translation, maxLocales),
};

/** As many as a change may name: those it removes, those it adds, and as many again. */
const inChange = 4;

/** For a change: `null` removes an entry. `check-template.ts` counts the rest. */
export const templateMapChanges = {
  variables: variablesOf(z.nullable(declaredVariable), maxVariables * inChange),
  locales: localesOf(z.nullable(translation), maxLocales * inChange),
};
