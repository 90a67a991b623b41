import { invalidField, ServiceError } from '#shared/errors/service-error';
import {
  type RenderedTemplate,
  renderOrRefuse,
  withoutLayout,
} from '#shared/templates/rendering/render-or-refuse';
import type { SentTemplate, SentTemplateReading } from '#shared/templates/sent-template-store';
import { templateIdSchema } from '#shared/tokens/resource-id';
import { maxSubjectLength } from './request/send-fields.ts';
import type { SendRequest, TemplateSendRequest } from './request/send-request.ts';
import { type TemplateUse, templateFieldOf } from './request/template-use.ts';

type Unfilled = {
  readonly request: SendRequest | TemplateSendRequest;
  readonly template: SentTemplateReading | undefined;
};

type Filling<Given> =
  | { readonly ok: true; readonly email: Given & { readonly request: SendRequest } }
  | { readonly ok: false; readonly error: ServiceError };

/** No more fit in the stored send. */
const maxMissingVariables = 50;

/**
 * A template that doesn't exist, or can't render with these variables, is the request's fault, which shows only if
 * there is no earlier answer to replay.
 */
export async function fillInTemplate<Given extends Unfilled>(
  email: Given,
): Promise<Filling<Given>> {
  try {
    return { ok: true, email: { ...email, request: await filledRequest(email) } };
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, error };
    throw error;
  }
}

async function filledRequest({ request, template }: Unfilled): Promise<SendRequest> {
  if ('subject' in request) return request;
  const { asked } = request.template;
  const found = foundTemplate(asked, template);
  const rendered = await renderOrRefuse(found.parts, asked.variables, asked.subject);
  return withTemplateFilled(request, found, rendered);
}

/**
 * Whether somebody may make the template fit again. An id isn't given twice, and a version that is no longer kept, or
 * whose layout is gone, doesn't come back.
 */
export function mayBeMended({ request, template }: Unfilled): boolean {
  if ('subject' in request) return false;
  const { name, version } = request.template.asked;
  switch (template?.kind) {
    case undefined:
    case 'unknown':
      return !templateIdSchema.safeParse(name).success;
    case 'unknown_version':
      return false;
    case 'without_layout':
      return version === undefined;
    case 'found':
    case 'layout':
    case 'unpublished':
      return true;
  }
}

function foundTemplate(
  asked: TemplateUse,
  reading: SentTemplateReading = { kind: 'unknown' },
): SentTemplate {
  switch (reading.kind) {
    case 'found':
      return reading.template;
    case 'unknown':
      throw invalidField(
        templateFieldOf(asked),
        'the organization has no such template: use an ID or alias',
      );
    case 'layout':
      throw invalidField(templateFieldOf(asked), 'is a layout: name a template that has it');
    case 'unpublished':
      throw invalidField(templateFieldOf(asked), 'is a draft that was never published');
    case 'unknown_version':
      throw invalidField(
        'templateVersion',
        'was never published, or is no longer kept: omit it to use the published version',
      );
    case 'without_layout':
      throw withoutLayout();
  }
}

function withTemplateFilled(
  request: TemplateSendRequest,
  { id, version, locale, replyTo, parts }: SentTemplate,
  rendered: RenderedTemplate,
): SendRequest {
  const { subject, html, content } = rendered;
  const { asked } = request.template;
  if (isBlank(subject) && isBlank(parts.subject)) {
    throw invalidField('subject', 'is required: the template has none');
  }
  requireWords('subject', subject);
  if (subject.length > maxSubjectLength) {
    throw invalidField('variables', `make a subject of over ${maxSubjectLength} characters`);
  }
  if (html === undefined) requireWords('text', content);
  else requireWords('HTML', html);
  const missingVariables = rendered.missingVariables.slice(0, maxMissingVariables);
  return {
    ...request,
    subject,
    htmlContent: html,
    content,
    template: { asked, used: { id, version, locale, replyTo, missingVariables } },
  };
}

function requireWords(part: string, text: string): void {
  if (isBlank(text)) throw invalidField('variables', `leave the ${part} of the template empty`);
}

const isBlank = (text: string): boolean => text.trim() === '';
