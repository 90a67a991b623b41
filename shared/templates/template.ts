import * as z from 'zod/mini';
import { templateIdSchema } from '#shared/tokens/resource-id';
import { declaredVariablesSchema } from './declared-variables.ts';

// Limits of a template's size: `template-fields.ts`; of all its parts together: `check-template.ts`; of an email's
// size: `bounded-writer.ts`.

const bodyFields = {
  subject: z.string(),
  htmlContent: z.optional(z.string()),
  content: z.optional(z.string()),
};

export const translationSchema = z.object(bodyFields);
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
  /** Absent in a draft. */
  publishedAt: z.optional(z.int()),
});
export type Edition = z.infer<typeof editionSchema>;

const publishedSchema = z.extend(editionSchema, { publishedAt: z.int() });
export type PublishedEdition = z.infer<typeof publishedSchema>;

export const isPublished = (edition: Edition): edition is PublishedEdition =>
  edition.publishedAt !== undefined;

/** An earlier version that sends may still name. */
const keptVersionSchema = z.object({
  version: z.int(),
  publishedAt: z.int(),
  /** Languages for which it has items. */
  locales: z.optional(z.array(z.string())),
});
export type KeptVersion = z.infer<typeof keptVersionSchema>;

/** The newest content: a draft, or the published version. */
export const templateSchema = z.object({
  id: templateIdSchema,
  name: z.string(),
  /** Its name for programs. */
  alias: z.optional(z.string()),
  /** Wraps other templates; can't be sent alone. */
  kind: z.optional(z.literal('layout')),
  ...contentFields,
  /** Incremented by every change. */
  version: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** Absent in a draft. */
  publishedAt: z.optional(z.int()),
  isDraft: z.optional(z.literal(true)),
  /** The version that sends use while the newest is a draft. */
  published: z.optional(publishedSchema),
  /** Versions that sends used before; newest first. */
  versions: z.optional(z.array(keptVersionSchema)),
  /** Drafts and published versions of other templates with this layout. */
  layoutUses: z.optional(z.int()),
});
export type Template = z.infer<typeof templateSchema>;

/** What a template is besides its content. */
export const headOf = ({
  id,
  name,
  alias,
  kind,
  createdAt,
  updatedAt,
}: Pick<Template, 'id' | 'name' | 'alias' | 'kind' | 'createdAt' | 'updatedAt'>) => ({
  id,
  name,
  createdAt,
  updatedAt,
  ...(alias !== undefined && { alias }),
  ...(kind !== undefined && { kind }),
});

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

export function publishedOf(template: Template): PublishedEdition | undefined {
  const { version, publishedAt, isDraft, published } = template;
  return isDraft || publishedAt === undefined
    ? published
    : { ...contentOf(template), version, publishedAt };
}
