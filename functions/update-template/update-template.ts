import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { changesTemplate, templateChange } from '#shared/templates/change-template';
import { updateTemplate } from '#shared/templates/edit-template';
import { templateFields, templateMapChanges } from '#shared/templates/template-fields';
import { exampleChangedTemplate, templateWords } from '#shared/templates/template-reference';
import { answerOf, templateViewSchema } from '#shared/templates/template-view';
import { exampleIds } from '#shared/tokens/example-values';

/** Accepted so that a template that was read can be sent back unchanged. */
const readOnly = z.optional(z.unknown());

export const endpoint = defineEndpoint(
  {
    ...templateChange,
    access: { ...templateChange.access, freshSession: ['replyTo'] },
    route: 'PUT /api/v1/templates/{id}',
    body: z.pipe(
      z.strictObject({
        name: z.exactOptional(templateFields.name),
        alias: z.exactOptional(z.nullable(templateFields.alias)),
        subject: z.exactOptional(templateFields.subject),
        htmlContent: z.exactOptional(z.nullable(templateFields.htmlContent)),
        content: z.exactOptional(z.nullable(templateFields.content)),
        from: z.exactOptional(z.nullable(templateFields.from)),
        replyTo: z.exactOptional(z.nullable(templateFields.replyTo)),
        variables: z.exactOptional(z.nullable(templateMapChanges.variables)),
        layout: z.exactOptional(z.nullable(templateFields.layout)),
        locales: z.exactOptional(z.nullable(templateMapChanges.locales)),
        draft: z._default(z.boolean(), false),
        id: readOnly,
        version: readOnly,
        createdAt: readOnly,
        updatedAt: readOnly,
        kind: readOnly,
        publishedVersion: readOnly,
        versions: readOnly,
        contentHash: readOnly,
      }),
      z.transform(
        ({
          id,
          version,
          createdAt,
          updatedAt,
          kind,
          publishedVersion,
          versions,
          contentHash,
          ...changes
        }) => changes,
      ),
    ),
    answers: {
      200: {
        body: templateViewSchema,
        description: 'The changed template.',
        headers: ['ETag'],
        example: exampleChangedTemplate,
      },
    },
    errors: [
      'template_name_taken',
      'template_alias_taken',
      'concurrent_change',
      'version_mismatch',
    ],
    lambda: { stack: 'Templates', ...changesTemplate },
    words: {
      section: 'Templates',
      summary: 'Change a template',
      description:
        'Changes only the fields in the request. `null` removes a body, as long as the other one stays, and any other field but `name` and `subject`; in `variables` and `locales` it removes an entry. Sends use the change at once, along with any earlier draft; with `draft` it waits for `POST …/publish`. `name` and `alias` change at once. With `If-Match`, the change is refused if the template has a different version.',
      fields: templateWords,
      example: {
        path: { id: exampleIds.template },
        headers: { 'if-match': '"1"' },
        body: { subject: 'Your receipt {{order.id}}' },
      },
    },
  },
  async (request, service) => answerOf(await updateTemplate(request, service)),
);
