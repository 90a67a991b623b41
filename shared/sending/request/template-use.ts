import * as z from 'zod/mini';
import { acrossFields } from '#shared/errors/field-error';
import type { TemplateAsk } from '#shared/templates/sent-template-store';
import { aliasSchema } from '#shared/templates/template-alias';
import { localeSchema } from '#shared/templates/template-locale';
import type { Variables } from '#shared/templates/variables';
import { variablesSchema } from '#shared/templates/variables';
import { type TemplateId, templateIdSchema } from '#shared/tokens/resource-id';

/** As the request gives it. All of it is part of the fingerprint. */
export type TemplateUse = TemplateAsk & {
  readonly variables: Variables;
  /** Replaces the template's subject. */
  readonly subject?: string | undefined;
};

export type UsedTemplate = {
  readonly id: TemplateId;
  readonly version: number;
  readonly locale: string | undefined;
  readonly missingVariables: readonly string[];
  /** Used if the request sets none. */
  readonly replyTo: readonly string[] | undefined;
};

export const templateFieldOf = ({ name }: TemplateUse): 'template' | 'templateId' =>
  templateIdSchema.safeParse(name).success ? 'templateId' : 'template';

/** A body that names a template asks for one, whatever else it contains. */
export const asksForTemplate = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  (Object.hasOwn(body, 'templateId') || Object.hasOwn(body, 'template'));

const fromTemplate = z.exactOptional(
  z.never({ error: 'comes from the template: remove it, or the template' }),
);

const idOrAlias = z.union([templateIdSchema, aliasSchema], {
  error: 'must be the id or the alias of a template, as a string',
});

export const templateUseFields = {
  templateId: z.optional(templateIdSchema),
  template: z.optional(idOrAlias),
  templateVersion: z.optional(z.int().check(z.minimum(1))),
  locale: z.optional(localeSchema),
  variables: z._default(variablesSchema, {}),
  content: fromTemplate,
  htmlContent: fromTemplate,
};

type TemplateNames = { readonly templateId?: unknown; readonly template?: unknown };

/** At least one is present, or the body wouldn't have been read as a template's. */
export const oneTemplate = z.refine<TemplateNames>(
  ({ templateId, template }) => templateId === undefined || template === undefined,
  {
    path: ['template'],
    error: 'can’t be combined with templateId: remove one of them',
    ...acrossFields,
  },
);

const needsTemplate = z.exactOptional(z.never({ error: 'requires a template or templateId' }));

/** Fields that need a template. If variables were ignored, their placeholders would be sent. */
export const noTemplateFields = {
  variables: needsTemplate,
  templateVersion: needsTemplate,
  locale: needsTemplate,
};
