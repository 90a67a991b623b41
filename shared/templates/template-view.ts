import * as z from 'zod/mini';
import { WithHeaders } from '#shared/endpoints/endpoint';
import { publishedOf, type Template, templateSchema } from './template.ts';
import { contentHashOf } from './template-hash.ts';

/** The newest content, or that of one version. */
export const templateViewSchema = z.extend(
  z.omit(templateSchema, {
    isDraft: true,
    published: true,
    versions: true,
    layoutUses: true,
    publishedAt: true,
  }),
  {
    /** Absent until a version is published. */
    publishedVersion: z.optional(z.int()),
    /** Earlier versions that sends may still name; newest first. */
    versions: z.array(z.object({ version: z.int(), publishedAt: z.int() })),
    /** Equal exactly when the content is. */
    contentHash: z.string(),
  },
);
export type TemplateView = z.infer<typeof templateViewSchema>;

export const templateSummarySchema = z.pick(templateViewSchema, {
  id: true,
  name: true,
  alias: true,
  kind: true,
  subject: true,
  version: true,
  publishedVersion: true,
  contentHash: true,
  createdAt: true,
  updatedAt: true,
});
export type TemplateSummary = z.infer<typeof templateSummarySchema>;

export const etagOf = ({ version }: Pick<Template, 'version'>): string => `"${version}"`;

/**
 * A template as an answer, with an ETag for the next change.
 *
 * @param shown the version to show.
 */
export const answerOf = (template: Template, shown = template) =>
  new WithHeaders(viewOf(template, shown), { ETag: etagOf(shown) });

function viewOf(template: Template, shown: Template): TemplateView {
  const { isDraft: _d, published: _p, publishedAt: _a, layoutUses: _u, ...fields } = shown;
  const publishedVersion = publishedOf(template)?.version;
  return {
    ...fields,
    ...(publishedVersion !== undefined && { publishedVersion }),
    versions: (template.versions ?? []).map(({ version, publishedAt }) => ({
      version,
      publishedAt,
    })),
    contentHash: contentHashOf(shown),
  };
}
