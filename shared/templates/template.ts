import * as z from 'zod';
import { templateIdSchema } from '#shared/tokens/resource-id';
import { findSyntaxFault } from './template-syntax.ts';

const maxNameLength = 100;
const maxSubjectLength = 998;
const maxBodyBytes = 256 * 1024;

export const templateSchema = z.object({
  id: templateIdSchema,
  name: z.string(),
  subject: z.string(),
  htmlContent: z.string().optional(),
  /** The text body. */
  content: z.string().optional(),
  /** Counts up with every change. */
  version: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Template = z.infer<typeof templateSchema>;

const templateText = z.string().superRefine((text, context) => {
  const fault = findSyntaxFault(text);
  if (fault === undefined) return;
  const { message, line, column } = fault;
  context.addIssue({ code: 'custom', message: `line ${line}, column ${column}: ${message}` });
});

const body = templateText.refine((text) => Buffer.byteLength(text) <= maxBodyBytes, {
  message: `must have at most ${maxBodyBytes} bytes`,
});

/** The fields a caller writes, each checked for itself. */
export const templateFields = {
  name: z.string().trim().min(1).max(maxNameLength),
  subject: templateText.min(1).max(maxSubjectLength),
  htmlContent: body.min(1),
  content: body.min(1),
};
