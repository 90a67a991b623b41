import * as z from 'zod/mini';
import { hasControlCharacter } from '#shared/contacts/email-address';
import { findSyntaxFault } from './template-syntax.ts';

const maxNameLength = 100;
const maxSubjectLength = 998;
const maxBodyBytes = 256 * 1024;

const inOneLine = { error: 'must not contain control characters or line breaks' };

/** Text that can be stored: DynamoDB takes UTF-8, which has no half surrogate pairs. */
const text = z.string().check(
  z.refine((value) => value.isWellFormed(), {
    error: 'must be well-formed Unicode',
    abort: true,
  }),
);

/** Apply it last, to text of bounded length, because parsing takes time. */
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

export const templateFields = {
  name: text.check(
    z.trim(),
    z.normalize('NFC'),
    z.minLength(1),
    z.maxLength(maxNameLength),
    z.refine((value) => !hasControlCharacter(value), inOneLine),
  ),
  subject: text.check(
    z.minLength(1, { abort: true }),
    z.maxLength(maxSubjectLength, { abort: true }),
    z.refine((value) => !hasControlCharacter(value), { ...inOneLine, abort: true }),
    z.superRefine(checkSyntax),
  ),
  htmlContent: body,
  content: body,
};
