import * as z from 'zod/mini';
import { templateIdSchema } from '#shared/tokens/resource-id';
import { declaredVariablesSchema } from './declared-variables.ts';

// How large a template may be: `template-fields.ts`. How large the email: `template-writer.ts`.

const bodyFields = {
  subject: z.string(),
  htmlContent: z.optional(z.string()),
  content: z.optional(z.string()),
};

const translationSchema = z.object(bodyFields);
export type Translation = z.infer<typeof translationSchema>;

const contentFields = {
  ...bodyFields,
  from: z.optional(z.string()),
  replyTo: z.optional(z.array(z.string())),
  variables: z.optional(declaredVariablesSchema),
  layout: z.optional(templateIdSchema),
  /** By language tag. */
  locales: z.optional(z.record(z.string(), translationSchema)),
};

const contentSchema = z.object(contentFields);
export type TemplateContent = z.infer<typeof contentSchema>;

export const editionSchema = z.object({
  ...contentFields,
  version: z.int(),
  publishedAt: z.optional(z.int()),
});
export type Edition = z.infer<typeof editionSchema>;

/** Sends took it before, and may still name it. */
const keptVersionSchema = z.object({
  version: z.int(),
  publishedAt: z.int(),
  /** Languages that it has items of. */
  locales: z.optional(z.array(z.string())),
});
export type KeptVersion = z.infer<typeof keptVersionSchema>;

/** The newest content: a draft, or what sends take. */
export const templateSchema = z.object({
  id: templateIdSchema,
  name: z.string(),
  /** Its name for programs. */
  alias: z.optional(z.string()),
  /** Put around other templates; can't be sent alone. */
  kind: z.optional(z.literal('layout')),
  ...contentFields,
  /** Incremented by every change. */
  version: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** Absent in a draft, and in templates from before drafts, which were published when they were changed. */
  publishedAt: z.optional(z.int()),
  isDraft: z.optional(z.literal(true)),
  /** What sends take while the newest is a draft. */
  published: z.optional(editionSchema),
  /** Sends took them before; the newest first. */
  versions: z.optional(z.array(keptVersionSchema)),
  /** The drafts and published versions of other templates with this layout. */
  layoutUses: z.optional(z.int()),
});
export type Template = z.infer<typeof templateSchema>;

export const contentOf = ({
  subject,
  htmlContent,
  content,
  from,
  replyTo,
  variables,
  layout,
  locales,
}: TemplateContent): TemplateContent => ({
  subject,
  ...(htmlContent !== undefined && { htmlContent }),
  ...(content !== undefined && { content }),
  ...(from !== undefined && { from }),
  ...(replyTo !== undefined && { replyTo }),
  ...(variables !== undefined && { variables }),
  ...(layout !== undefined && { layout }),
  ...(locales !== undefined && { locales }),
});

export function publishedOf(template: Template): Edition | undefined {
  if (template.isDraft) return template.published;
  const { version, publishedAt = template.updatedAt } = template;
  return { ...contentOf(template), version, publishedAt };
}
