import * as z from 'zod/mini';
import { htmlPage } from '#shared/http/response-body';
import { templateFields } from '#shared/templates/template-fields';
import { variablesSchema } from '#shared/templates/variables';

const readJson = z.transform((text: string, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'must be JSON', input: text });
    return z.NEVER;
  }
});

/** Body of POST /console/preview, as a form: what was typed so far. */
export const requestSchema = z.strictObject({
  subject: z.optional(templateFields.subject),
  htmlContent: z.optional(templateFields.htmlContent),
  content: z.optional(templateFields.content),
  /** An object, as JSON. */
  variables: z.optional(z.pipe(z.pipe(z.string(), readJson), variablesSchema)),
});
export type TemplateDraft = z.infer<typeof requestSchema>;

/** Response 200. A browser gets the HTML body as a page, a program all parts. */
export const responseSchema = z.union([
  z.object({
    subject: z.string(),
    html: z.optional(z.string()),
    content: z.string(),
    missingVariables: z.array(z.string()),
  }),
  htmlPage,
]);
