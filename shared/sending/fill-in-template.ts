import { invalidField, ServiceError } from '#shared/errors/service-error';
import { type RenderedTemplate, renderOrRefuse } from '#shared/templates/render-or-refuse';
import type { Admission } from './admission.ts';
import { maxSubjectLength, type SendRequest, type TemplateSendRequest } from './send-request.ts';

export type FilledRequest =
  | { readonly ok: true; readonly request: SendRequest }
  | { readonly ok: false; readonly error: ServiceError };

/** The stored send has room for no more. */
const maxMissingVariables = 50;

/**
 * Fills in the request's template, if it names one. A template that doesn't exist, or can't render with these
 * variables, is the request's fault. The caller learns of it only if there is no earlier answer to replay.
 */
export async function fillInTemplate({ request, template }: Admission): Promise<FilledRequest> {
  if ('subject' in request) return { ok: true, request };
  try {
    if (template === undefined) {
      throw invalidField('templateId', 'the organization has no such template');
    }
    const rendered = await renderOrRefuse(template, request.template.variables);
    return { ok: true, request: toSendRequest(request, rendered) };
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, error };
    throw error;
  }
}

function toSendRequest(request: TemplateSendRequest, rendered: RenderedTemplate): SendRequest {
  const { subject, html, content } = rendered;
  requireWords('subject', subject);
  if (subject.length > maxSubjectLength) {
    throw invalidField('variables', `make a subject of over ${maxSubjectLength} characters`);
  }
  if (html === undefined) requireWords('text', content);
  else requireWords('HTML', html);
  return {
    ...request,
    subject,
    htmlContent: html,
    // HTML of pictures only may have no text, but an email needs one.
    content: isBlank(content) ? subject : content,
    template: {
      ...request.template,
      missingVariables: rendered.missingVariables.slice(0, maxMissingVariables),
    },
  };
}

function requireWords(part: string, text: string): void {
  if (isBlank(text)) throw invalidField('variables', `leave the ${part} of the template empty`);
}

const isBlank = (text: string): boolean => text.trim() === '';
