import * as z from 'zod/mini';
import { admitCaller } from '#shared/access/admit-caller';
import { createRefusalTally } from '#shared/access/refusal-tally';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { notingRefusals } from '#shared/endpoints/note-refusals';
import { statusOf } from '#shared/errors/errors';
import { invalidField } from '#shared/errors/service-error';
import { type RenderError, renderProblem, wantsPage } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { previewResponse } from '#shared/http/page-response';
import { parseForm } from '#shared/http/parse-request';
import { htmlPage } from '#shared/http/response-body';
import { previewErrorPage, previewPage } from '#shared/pages/preview-page';
import type { Table } from '#shared/table/table-client';
import {
  type RenderedTemplate,
  renderOrRefuse,
} from '#shared/templates/rendering/render-or-refuse';
import { type Edition, publishedOf } from '#shared/templates/template';
import { templateFields } from '#shared/templates/template-fields';
import { localeSchema, wordsIn } from '#shared/templates/template-locale';
import { getTemplate } from '#shared/templates/template-store';
import { variablesSchema } from '#shared/templates/variables';
import { type OrganizationId, ownId, type TemplateId } from '#shared/tokens/resource-id';

const readJson = z.transform((text: string, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'must be JSON', input: text });
    return z.NEVER;
  }
});

type TemplateDraft = z.output<typeof declaration.body>;

const renderError: RenderError = (error, request) =>
  wantsPage(request)
    ? previewResponse(statusOf(error.code), previewErrorPage(error, request.requestId))
    : renderProblem(error, request);

const declaration = defineEndpoint({
  route: 'POST /console/preview',
  access: { key: 'required' },
  body: z.strictObject({
    subject: z.optional(templateFields.subject),
    htmlContent: z.optional(templateFields.htmlContent),
    content: z.optional(templateFields.content),
    variables: z.optional(z.pipe(z.pipe(z.string(), readJson), variablesSchema)),
    declaredVariables: z.optional(z.pipe(z.pipe(z.string(), readJson), templateFields.variables)),
    layout: z.optional(templateFields.layout),
    locale: z.optional(localeSchema),
  }),
  accepts: ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'],
  isBodyOptional: true,
  answers: {
    200: {
      body: z.union([
        z.object({
          subject: z.string(),
          html: z.optional(z.string()),
          content: z.string(),
          missingVariables: z.array(z.string()),
        }),
        htmlPage,
      ]),
      description: 'The rendered draft.',
      example: {
        subject: 'Receipt 7',
        html: '<p>Hello Ann</p>',
        content: 'Hello Ann',
        missingVariables: [],
      },
    },
  },
  errors: ['malformed_body', 'too_large', 'validation_failed', 'rendered_too_large'],
  isForPeople: true,
  isBeta: true,
  uses: { tally: createRefusalTally },
  renderError,
  lambda: { stack: 'Console', tableActions: ['GetItem', 'BatchGetItem'] },
  words: {
    section: 'Console',
    summary: 'Preview a draft of a template',
    description:
      'Renders the draft exactly as a stored template would be sent, and stores nothing. A browser gets the HTML body as a page in which no script runs and no link works, or the text if there is no HTML. A program gets every part as JSON.',
    fields: {
      subject: 'The subject; rendered in the answer.',
      content: 'The text body; rendered in the answer.',
      variables: 'The values of the variables: an object, written as JSON.',
      declaredVariables:
        'The draft’s declared variables, as in a template, written as JSON. A required one must have a value.',
      layout: 'The ID of the layout to put around the bodies, as it’s published.',
      locale: 'The language of the bodies: the layout’s words are taken in it.',
      html: 'The rendered HTML. Absent if the draft has none.',
    },
    example: {
      body: {
        subject: 'Receipt {{order.id}}',
        htmlContent: '<p>Hello {{name}}</p>',
        variables: '{"order": {"id": 7}}',
        declaredVariables: '{"name": {"type": "string", "fallback": "Ann"}}',
        locale: 'de-AT',
      },
    },
  },
});

export const endpoint = defineEndpoint(declaration, (request, service) =>
  notingRefusals(service, request, async () => {
    const caller = await admitCaller(request, service);
    const draft = parseForm(declaration.body, typedFields(await request.readFields(maxDraftBytes)));
    const rendered = await showPreview(service.table, draft, caller.organizationId);
    return request.wantsPage
      ? previewResponse(200, previewPage(rendered))
      : jsonResponse(declaration.answers[200].body.parse(rendered));
  }),
);

export async function showPreview(
  table: Table,
  { subject = '', variables = {}, declaredVariables, layout, locale, ...bodies }: TemplateDraft,
  organizationId: OrganizationId,
): Promise<RenderedTemplate> {
  const around = layout && (await publishedLayout(table, organizationId, layout));
  const parts = {
    subject,
    ...bodies,
    variables: declaredVariables,
    ...(around && { layoutParts: wordsIn(around, locale) }),
  };
  return renderOrRefuse(parts, variables);
}

async function publishedLayout(
  table: Table,
  organizationId: OrganizationId,
  id: TemplateId,
): Promise<Edition> {
  const ownLayout = ownId(id, organizationId);
  const template = ownLayout && (await getTemplate(table, ownLayout));
  const edition = template?.kind === 'layout' ? publishedOf(template) : undefined;
  if (edition === undefined) {
    throw invalidField('layout', 'the organization has no such layout, or hasn’t published it yet');
  }
  return edition;
}

/** Both bodies as long as they may be and URL-encoded, which can triple them, and half a megabyte of variables. */
export const maxDraftBytes = 2 * 1024 * 1024;

/**
 * Only fields that were filled in. Browsers send line breaks as CRLF, whatever was typed (HTML standard,
 * "multipart/form-data encoding algorithm"), which mustn't push a long template over its limit.
 */
export function typedFields(fields: URLSearchParams): URLSearchParams {
  const typed = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value !== '') typed.append(name, value.replaceAll('\r\n', '\n'));
  }
  return typed;
}
